"""An arm that muscles move to places it shall reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import condyle
from condyle.gym.task import Array, Score
from condyle.gym.varied import Varied
from condyle.gym.worlds import Worlds

_PLACES = 1024  # to reach, of which goals are drawn


@dataclass(kw_only=True)
class MuscleReach(Varied):
    """Reaches a point with the tip of the hand, then the next.

    An action of -1 rests a muscle, 1 excites it fully.

    Attributes
    ----------
    goal_distance
        A goal is reached at this distance, m.
    goal_interval
        Mean time until a new one, s.
    strength_range
        Factor of each muscle's force, drawn for each episode.
    """

    xml_file: str = "muscle_arm.xml"
    frame_skip: int = 5
    push_impulse: float = 1.0
    goal_distance: float = 0.05
    goal_interval: float = 2.0
    strength_range: tuple[float, float] = (0.8, 1.2)

    push_body = "hand"
    max_episode_steps = 500

    def bind(self, model: condyle.MjModel) -> None:
        """Find places that the tip can be at."""
        super().bind(model)
        self.tip = self.body("tip")
        low, high = model.jnt_range.T
        with condyle.Batch(model, _PLACES, 1) as batch:
            places = batch.expose("xpos")
            unit = np.random.default_rng(1).uniform(0.1, 0.9, (_PLACES, model.nq))
            batch.qpos = low + (high - low) * unit
            batch.forward()
            self.places = np.array(places[:, self.tip])
        scales = ((0.02, model.nq), (0.05, model.nv), (0.0, model.na), (0.01, 6))
        self.noise_scale = np.concatenate([np.full(size, scale) for scale, size in scales])

    def attach(self, worlds: Worlds) -> None:
        """Show goals, and give each world muscles of its own."""
        super().attach(worlds)
        self.goal = worlds.mocap_pos[:, 0]
        self.gain, self.bias = worlds.vary("actuator_gainprm"), worlds.vary("actuator_biasprm")
        self.until_goal = np.zeros(worlds.n)

    def ask(self, worlds: Worlds, due: Array) -> None:
        """Give the worlds of a mask a new goal."""
        number = worlds.chance.uniform("goal", 1, 0, _PLACES, mask=due)[:, 0].astype(np.int64)
        self.goal[due] = self.places[number]
        self.until_goal[due] = self.interval(worlds, "goals", self.goal_interval)[due]

    def begin(self, worlds: Worlds, mask: Array) -> tuple[Array, Array]:
        """Start near the pose, at rest."""
        qpos, qvel = super().begin(worlds, mask)
        self.ask(worlds, mask)
        strength = worlds.chance.uniform("strength", self.model.nu, *self.strength_range, mask=mask)
        # the third parameter of a muscle is its peak force
        self.gain[mask, :, 2] = self.model.actuator_gainprm[:, 2] * strength
        self.bias[mask, :, 2] = self.model.actuator_biasprm[:, 2] * strength
        self.history[mask] = -1
        return qpos + worlds.chance.uniform("pose", self.model.nq, -0.2, 0.2, mask=mask), qvel

    def control(self, worlds: Worlds, actions: Array) -> Array:
        """Give new goals where it is time."""
        self.until_goal -= 1
        due = self.until_goal <= 0
        if due.any():
            self.ask(worlds, due)
        return super().control(worlds, actions)

    def observe(self, worlds: Worlds) -> Array:
        """Return joints, activations, where the tip is and how far the goal is from it."""
        tip = worlds.xpos[:, self.tip]
        parts = (
            worlds.qpos,
            0.1 * worlds.qvel,
            worlds.act,
            tip - self.places.mean(axis=0),
            self.goal - tip,
        )
        return self.noisy(worlds, np.concatenate(parts, axis=1), self.noise_scale)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward closeness, and little activation."""
        distance = np.linalg.norm(worlds.xpos[:, self.tip] - self.goal, axis=1)
        reached = distance < self.goal_distance
        info = {
            "distance": distance,
            "reached": reached,
            "reward_near": np.exp(-np.square(distance / 0.1)) - distance,
            "cost_effort": 0.1 * np.square(worlds.act).mean(axis=1),
        }
        ended = ~np.isfinite(distance)
        return (info["reward_near"] + reached - info["cost_effort"]) * self.dt, ended, info
