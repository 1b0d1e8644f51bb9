"""A cube turned in a hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import condyle
from condyle.gym.task import Array, Score
from condyle.gym.varied import Varied
from condyle.gym.worlds import Worlds


@dataclass(kw_only=True)
class CubeTurn(Varied):
    """Turns a cube to an orientation, then to the next; dropping it ends an episode.

    Attributes
    ----------
    goal_angle
        A goal is reached when this much is left, rad.
    """

    xml_file: str = "cube_hand.xml"
    action_scale: float = 0.7
    friction_range: tuple[float, float] = (0.7, 1.3)
    push_impulse: float = 0.01
    goal_angle: float = 0.3

    push_body = "cube"
    max_episode_steps = 500

    def bind(self, model: condyle.MjModel) -> None:
        """Find the cube behind the joints of the hand."""
        super().bind(model)
        self.joints = model.nu
        self.rest = self.init_qpos[self.joints : self.joints + 3]
        scales = ((0.02, model.nu), (0.0, model.nu), (0.02, 7), (0.0, 3 + model.nu))
        self.noise_scale = np.concatenate([np.full(size, scale) for scale, size in scales])

    def attach(self, worlds: Worlds) -> None:
        """Show goals by the cube beside the hand."""
        super().attach(worlds)
        self.goal = worlds.mocap_quat[:, 0]
        self.reached = np.zeros(worlds.n, dtype=np.int64)

    def ask(self, worlds: Worlds, due: Array) -> None:
        """Give the worlds of a mask an orientation, all being equally likely (Shoemake 1992)."""
        part, *angles = worlds.chance.uniform("goal", 3, mask=due).T
        a, b = 2 * np.pi * np.array(angles)
        s, c = np.sqrt(1 - part), np.sqrt(part)
        self.goal[due] = np.stack(
            (c * np.cos(b), s * np.sin(a), s * np.cos(a), c * np.sin(b)), axis=1
        )

    def begin(self, worlds: Worlds, mask: Array) -> tuple[Array, Array]:
        """Start with the cube on the palm, turned about the vertical."""
        qpos, qvel = super().begin(worlds, mask)
        self.ask(worlds, mask)
        self.reached[mask] = 0
        drawn = worlds.chance.uniform("start", 3 + self.joints, -1, 1, mask=mask)
        qpos[:, : self.joints] += 0.1 * drawn[:, 3:]
        qpos[:, self.joints : self.joints + 2] += 0.005 * drawn[:, :2]
        half = np.pi * drawn[:, 2] / 2
        qpos[:, self.joints + 3], qpos[:, self.joints + 6] = np.cos(half), np.sin(half)
        return qpos, qvel

    def left(self, worlds: Worlds) -> Array:
        """Return the turn (n, 4) from the cube to its goal, w not negative."""
        turn = times(conjugate(worlds.qpos[:, self.joints + 3 :]), self.goal)
        return turn * np.where(turn[:, :1] < 0, -1, 1)

    def angle(self, worlds: Worlds) -> Array:
        """Return the angle (n,) between cube and goal."""
        return np.asarray(2 * np.arccos(np.clip(self.left(worlds)[:, 0], 0, 1)))

    def mark(self, worlds: Worlds) -> Any:
        """Return the angle before the action."""
        return self.angle(worlds)

    def observe(self, worlds: Worlds) -> Array:
        """Return joints, the cube's place, the turn that is left, its spin, and the last action."""
        pose = worlds.qpos[:, : self.joints] - self.init_qpos[: self.joints]
        place = 10 * (worlds.qpos[:, self.joints : self.joints + 3] - self.rest)
        spin = 0.1 * worlds.qvel[:, -3:]
        speed = 0.1 * worlds.qvel[:, : self.joints]
        parts = (pose, speed, place, self.left(worlds), spin, self.history[:, 0])
        return self.noisy(worlds, np.concatenate(parts, axis=1), self.noise_scale)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward turning to the goal and reaching it; a new one follows."""
        angle = self.angle(worlds)
        away = np.linalg.norm(worlds.qpos[:, self.joints : self.joints + 3] - self.rest, axis=1)
        reached = angle < self.goal_angle
        dropped = ~(away < 0.08)
        info = {
            "reward_turn": before - angle,
            "reward_goal": 5.0 * reached,
            "cost_away": 0.5 * away,
            "cost_effort": 0.002 * np.square(worlds.actuator_force).sum(axis=1),
            "cost_drop": 5.0 * dropped,
        }
        self.reached += reached
        if reached.any():
            self.ask(worlds, reached)
        total = sum(v if k.startswith("reward") else -v for k, v in info.items())
        return np.asarray(total), dropped, {**info, "reached": self.reached}


def conjugate(quat: Array) -> Array:
    """Return inverses of unit quaternions (n, 4)."""
    return np.asarray(quat * np.array([1.0, -1.0, -1.0, -1.0]))


def times(a: Array, b: Array) -> Array:
    """Return products of quaternions (n, 4)."""
    w = a[:, :1] * b[:, :1] - (a[:, 1:] * b[:, 1:]).sum(axis=1, keepdims=True)
    axis = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    return np.concatenate((w, axis), axis=1)
