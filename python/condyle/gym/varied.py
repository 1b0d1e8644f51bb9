"""Worlds that differ, as robots do from their models: ``Varied``, the base of tasks to train for.

Each episode draws masses, friction and the delay of commands; now and then something pushes. All of
it is computed for all worlds at once.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import condyle
from condyle.gym.task import Array, Task
from condyle.gym.worlds import Worlds

MODELS = os.path.join(os.path.dirname(__file__), "models")


@dataclass(kw_only=True)
class Varied(Task):
    """Servos around a pose, in worlds that differ.

    An action in [-1, 1] moves each control by up to ``action_scale`` from its value in the model's
    keyframe "home", whose pose is ``init_qpos``.

    Attributes
    ----------
    action_scale
        Greatest change of a control, in its unit.
    mass_range, friction_range
        Factors, drawn for each episode: of each body's mass and inertia, of all sliding friction.
    delay_range
        How late commands act, in actions; between two actions they are interpolated.
    push_interval, push_impulse
        Mean time between pushes of ``push_body``, s (0: never), and their greatest impulse, N s.
    noise
        Factor of the noise of observations.
    """

    frame_skip: int = 4
    action_scale: float = 0.5
    mass_range: tuple[float, float] = (0.85, 1.15)
    friction_range: tuple[float, float] = (0.6, 1.2)
    delay_range: tuple[float, float] = (0.0, 1.0)
    push_interval: float = 4.0
    push_impulse: float = 1.0
    noise: float = 1.0

    push_body: ClassVar[str]

    def load(self) -> condyle.MjModel:
        """Return the model, which may be named as a file of this package."""
        if not os.path.dirname(self.xml_file):
            self.xml_file = os.path.join(MODELS, self.xml_file)
        return super().load()

    def bind(self, model: condyle.MjModel) -> None:
        """Take note of the pose."""
        super().bind(model)
        home = model.key("home")
        self.init_qpos = np.array(home.qpos)
        self.home_ctrl = np.array(home.ctrl)
        self.pushed = self.body(self.push_body)

    def attach(self, worlds: Worlds) -> None:
        """Make what each world has of its own."""
        n, nu = worlds.n, self.model.nu
        self.mass, self.inertia = worlds.vary("body_mass"), worlds.vary("body_inertia")
        self.friction = worlds.vary("geom_friction")
        self.force = worlds.xfrc_applied[:, self.pushed]
        self.delay = np.zeros(n)
        self.history = np.zeros((n, int(np.ceil(self.delay_range[1])) + 2, nu))  # newest first
        self.until_push = np.zeros(n)

    def begin(self, worlds: Worlds, mask: Array) -> tuple[Array, Array]:
        """Draw what differs, and start in the pose at rest."""
        model, uniform = self.model, worlds.chance.uniform
        factor = uniform("mass", model.nbody, *self.mass_range, mask=mask)
        self.mass[mask] = model.body_mass * factor
        self.inertia[mask] = model.body_inertia * factor[:, :, None]
        worlds.set_const(mask)
        self.friction[mask, :, 0] = model.geom_friction[:, 0] * uniform(
            "friction", 1, *self.friction_range, mask=mask
        )
        self.delay[mask] = uniform("delay", 1, *self.delay_range, mask=mask)[:, 0]
        self.history[mask] = 0
        self.until_push[mask] = self.interval(worlds, "first push", self.push_interval)[mask]
        k = int(np.count_nonzero(mask))
        return np.tile(self.init_qpos, (k, 1)), np.zeros((k, model.nv))

    def interval(self, worlds: Worlds, purpose: str, mean: float) -> Array:
        """Return half to one and a half times a mean time, in actions, for each world (n,)."""
        return worlds.chance.uniform(purpose, 1, 0.5, 1.5)[:, 0] * mean / self.dt

    def limits(self) -> tuple[Array, Array]:
        """Return -1 and 1."""
        return -np.ones(self.model.nu), np.ones(self.model.nu)

    def control(self, worlds: Worlds, actions: Array) -> Array:
        """Push, and return the controls that delayed actions ask for."""
        self.push(worlds)
        self.history[:, 1:] = self.history[:, :-1]
        self.history[:, 0] = np.clip(actions, -1, 1)
        every, whole = np.arange(worlds.n), self.delay.astype(np.int64)
        part = (self.delay - whole)[:, None]
        late = (1 - part) * self.history[every, whole] + part * self.history[every, whole + 1]
        return self.home_ctrl + self.action_scale * late

    def push(self, worlds: Worlds) -> None:
        """Push the worlds whose time has come, for one action, in a horizontal direction."""
        self.force[:] = 0
        if self.push_interval <= 0:
            return
        self.until_push -= 1
        due = self.until_push <= 0
        if due.any():
            strength, angle = worlds.chance.uniform("push", 2, mask=due).T
            strength = strength * self.push_impulse / self.dt
            angle = 2 * np.pi * angle
            self.force[due, :2] = np.stack(
                (strength * np.cos(angle), strength * np.sin(angle)), axis=1
            )
            self.until_push[due] = self.interval(worlds, "next push", self.push_interval)[due]

    def noisy(self, worlds: Worlds, observations: Array, scale: Array) -> Array:
        """Return observations with uniform noise up to a scale of each column."""
        amount = self.noise * scale
        if not np.any(amount):
            return observations
        return observations + worlds.chance.uniform("noise", len(scale), -amount, amount)


def turned_back(quat: Array, vectors: Array) -> Array:
    """Return vectors (n, 3), or one (3,), in the frames of quaternions (n, 4)."""
    axis, w = -quat[:, 1:], quat[:, :1]
    vectors = np.broadcast_to(vectors, axis.shape)
    twice = 2 * np.cross(axis, vectors)
    return np.asarray(vectors + w * twice + np.cross(axis, twice))
