"""Walking by joystick: a quadruped and a biped, on flat and on rough ground."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import condyle
from condyle.gym.task import Array, Score
from condyle.gym.terrain import on_terrain, rough
from condyle.gym.varied import MODELS, Varied, turned_back
from condyle.gym.worlds import Worlds


@dataclass(kw_only=True)
class Joystick(Varied):
    """Walks at commanded velocities forward and to the left, and turns at a commanded rate.

    A clock sets the pace: each foot shall swing once in a period, and stand in the other half. Legs
    are folded to it without being asked, so a walker whose actions are zero steps in place.

    Attributes
    ----------
    speed_range, side_range, turn_range
        Commands, m/s, m/s and rad/s; a tenth of them are to stand.
    command_interval
        Mean time until a new command, s.
    pace, swing_height
        Steps of a foot per second, and how high it swings, m.
    bump_height
        Greatest height of the bumps of rough ground, m; 0: flat.
    """

    bump_height: float = 0.0
    speed_range: tuple[float, float] = (-0.6, 1.0)
    side_range: tuple[float, float] = (-0.4, 0.4)
    turn_range: tuple[float, float] = (-1.0, 1.0)
    command_interval: float = 5.0
    pace: float = 2.0
    swing_height: float = 0.08
    push_impulse: float = 6.0

    feet: ClassVar[tuple[str, ...]]
    offsets: ClassVar[tuple[float, ...]]  # of the feet's clocks, in periods
    sole: ClassVar[float]  # height of a foot's origin over the ground it stands on, m
    fold: ClassVar[tuple[float, ...]]  # of a limb's joints, rad, that lifts a foot by its swing
    stiffness: ClassVar[tuple[float, ...]]  # how much each joint shall keep to the pose, for a limb
    spread: ClassVar[float] = 8.0  # how far from the origin an episode starts on rough ground, m

    def load(self) -> condyle.MjModel:
        """Return the model, on rough ground if that is asked for."""
        self.ground: Any = lambda points: np.zeros(np.shape(points)[:-1])
        if not self.bump_height:
            return super().load()
        self.ground = rough(half=30.0, cell=0.125, height=self.bump_height)
        return on_terrain(os.path.join(MODELS, self.xml_file), self.ground)

    def bind(self, model: condyle.MjModel) -> None:
        """Look up the feet."""
        super().bind(model)
        self.foot_ids = [self.body(foot) for foot in self.feet]
        self.keep = np.tile(self.stiffness, len(self.feet))
        nu = model.nu
        scales = ((0.1, 3), (0.2, 3), (0.05, 3), (0.0, 11), (0.02, nu), (0.05, nu), (0.0, nu))
        self.noise_scale = np.concatenate([np.full(size, scale) for scale, size in scales])

    def attach(self, worlds: Worlds) -> None:
        """Make commands and clocks."""
        super().attach(worlds)
        self.command = np.zeros((worlds.n, 3))
        self.until_command = np.zeros(worlds.n)
        self.phase = np.zeros(worlds.n)

    def ask(self, worlds: Worlds, due: Array) -> None:
        """Give new commands to the worlds of a mask."""
        low, high = np.transpose((self.speed_range, self.side_range, self.turn_range))
        drawn = worlds.chance.uniform("command", 4, [*low, 0], [*high, 1], mask=due)
        self.command[due] = drawn[:, :3] * (drawn[:, 3:] > 0.1)
        self.until_command[due] = self.interval(worlds, "commands", self.command_interval)[due]

    def begin(self, worlds: Worlds, mask: Array) -> tuple[Array, Array]:
        """Start near the pose, anywhere on the ground and in any direction."""
        qpos, qvel = super().begin(worlds, mask)
        self.ask(worlds, mask)
        place = worlds.chance.uniform("place", 3, -1, 1, mask=mask)
        qpos[:, :2] = place[:, :2] * self.spread * bool(self.bump_height)
        feet = worlds.chance.uniform("phase", 1, mask=mask)[:, 0]
        self.phase[mask] = feet
        around = qpos[:, None, :2] + np.array(
            [(x, y) for x in (-0.2, 0, 0.2) for y in (-0.15, 0, 0.15)]
        )
        qpos[:, 2] += self.ground(around).max(axis=1)
        half = np.pi * place[:, 2] / 2
        qpos[:, 3], qpos[:, 6] = np.cos(half), np.sin(half)
        qpos[:, 7:] += worlds.chance.uniform("joints", self.model.nu, -0.1, 0.1, mask=mask)
        return qpos, qvel

    def control(self, worlds: Worlds, actions: Array) -> Array:
        """Run the clocks."""
        self.phase = (self.phase + self.pace * self.dt) % 1
        self.until_command -= 1
        due = self.until_command <= 0
        if due.any():
            self.ask(worlds, due)
        steps = self.swing()[:, :, None] / self.swing_height * np.array(self.fold)
        return np.asarray(super().control(worlds, actions) + steps.reshape(worlds.n, -1))

    def motion(self, worlds: Worlds) -> tuple[Array, Array, Array]:
        """Return velocity, turning rate and the direction of gravity in the frame of the trunk."""
        quat = worlds.qpos[:, 3:7]
        down = turned_back(quat, np.array([0.0, 0.0, -1.0]))
        return turned_back(quat, worlds.qvel[:, :3]), worlds.qvel[:, 3:6], down

    def observe(self, worlds: Worlds) -> Array:
        """Return motion, command, clock and their products, joints and the last action."""
        angle = 2 * np.pi * self.phase[:, None]
        clock = np.concatenate((np.sin(angle), np.cos(angle)), axis=1)
        pose = worlds.qpos[:, 7:] - self.init_qpos[7:]
        parts = (
            *self.motion(worlds),
            self.command,
            clock,
            (self.command[:, :, None] * clock[:, None]).reshape(worlds.n, 6),
            pose,
            0.1 * worlds.qvel[:, 6:],
            self.history[:, 0],
        )
        return self.noisy(worlds, np.concatenate(parts, axis=1), self.noise_scale)

    def swing(self) -> Array:
        """Return how high each foot shall be now (n, feet)."""
        wave = np.sin(2 * np.pi * (self.phase[:, None] + np.array(self.offsets)))
        moving = np.abs(self.command).max(axis=1, keepdims=True) > 0
        return np.asarray(self.swing_height * np.maximum(wave, 0) * moving)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward the commanded motion in pace; falling ends an episode."""
        velocity, rate, down = self.motion(worlds)
        feet = worlds.xpos[:, self.foot_ids]
        lift = feet[:, :, 2] - self.ground(feet) - self.sole
        height = worlds.qpos[:, 2] - self.ground(worlds.qpos[:, :2])
        pose = worlds.qpos[:, 7:] - self.init_qpos[7:]
        change = self.history[:, 0] - self.history[:, 1]
        slip = square(velocity[:, :2] - self.command[:, :2])
        info = {
            "reward_velocity": 1.5 * np.exp(-slip / 0.25),
            "reward_turn": 0.8 * np.exp(-np.square(rate[:, 2] - self.command[:, 2]) / 0.25),
            "reward_pace": 1.0 * np.exp(-np.square(lift - self.swing()).mean(axis=1) / 0.03**2),
            "cost_tilt": 2.0 * square(down[:, :2]) + 0.05 * square(rate[:, :2]),
            "cost_height": 30 * np.square(height - self.init_qpos[2]) + 0.5 * velocity[:, 2] ** 2,
            "cost_pose": (self.keep * np.square(pose)).sum(axis=1),
            "cost_effort": 2e-5 * square(worlds.actuator_force) + 0.03 * square(change),
        }
        total = sum(v if k.startswith("reward") else -v for k, v in info.items())
        fallen = ~((down[:, 2] < -0.5) & (height > 0.5 * self.init_qpos[2]))
        return (
            np.maximum(total, 0) * self.dt,
            fallen,
            {**info, "command": self.command, "velocity": velocity, "rate": rate},
        )


@dataclass(kw_only=True)
class Quadruped(Joystick):
    """A trot of four legs, of three servos each."""

    xml_file: str = "quadruped.xml"

    push_body = "trunk"
    feet = ("front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot")
    offsets = (0.0, 0.5, 0.5, 0.0)
    sole = 0.025
    fold = (0.0, 0.24, -0.48)
    stiffness = (0.3, 0.05, 0.05)


@dataclass(kw_only=True)
class QuadrupedRough(Quadruped):
    """The quadruped on bumps of up to 10 cm."""

    bump_height: float = 0.1


@dataclass(kw_only=True)
class Biped(Joystick):
    """Two legs of six servos each."""

    xml_file: str = "biped.xml"
    speed_range: tuple[float, float] = (-0.4, 0.8)
    side_range: tuple[float, float] = (-0.3, 0.3)
    turn_range: tuple[float, float] = (-0.7, 0.7)
    pace: float = 1.5
    push_impulse: float = 8.0

    push_body = "pelvis"
    feet = ("left_foot", "right_foot")
    offsets = (0.0, 0.5)
    sole = 0.06
    fold = (0.0, 0.0, -0.3, 0.6, -0.3, 0.0)
    stiffness = (1.0, 0.5, 0.02, 0.02, 0.02, 0.2)


@dataclass(kw_only=True)
class BipedRough(Biped):
    """The biped on bumps of up to 6 cm."""

    bump_height: float = 0.06


def square(value: Array) -> Array:
    """Return the sum of squares of each row."""
    return np.asarray(np.square(value).sum(axis=1))
