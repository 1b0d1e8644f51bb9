"""Tasks that balance: InvertedPendulum, InvertedDoublePendulum; numbers are Gymnasium's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from condyle.gym.runners import finite, normal_velocity, uniform_velocity
from condyle.gym.task import Array, Score, Task
from condyle.gym.worlds import Worlds


@dataclass(kw_only=True)
class InvertedPendulum(Task):
    """InvertedPendulum-v5."""

    xml_file: str = "inverted_pendulum.xml"
    frame_skip: int = 2
    reset_noise_scale: float = 0.01

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Start near the model's pose."""
        return uniform_velocity(self, rng)

    def observe(self, worlds: Worlds) -> Array:
        """Return the state."""
        return np.concatenate((worlds.qpos, worlds.qvel), axis=1)

    def fallen(self, worlds: Worlds) -> Array:
        """Tell which worlds lean too far or are not finite."""
        result: Array = ~finite(worlds) | (np.abs(worlds.qpos[:, 1]) > 0.2)
        return result

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward staying up."""
        fallen = self.fallen(worlds)
        reward = (~fallen).astype(np.int64)
        return reward, fallen, {"reward_survive": reward}


class InvertedPendulumV4(InvertedPendulum):
    """InvertedPendulum-v4."""

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward each step."""
        return np.ones(worlds.n), self.fallen(worlds), {}


@dataclass(kw_only=True)
class InvertedDoublePendulum(Task):
    """InvertedDoublePendulum-v5."""

    xml_file: str = "inverted_double_pendulum.xml"
    healthy_reward: float = 10.0
    reset_noise_scale: float = 0.1

    forces = 1  # how many constraint forces are observed

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Start near the model's pose."""
        return normal_velocity(self, rng)

    def observe(self, worlds: Worlds) -> Array:
        """Return the cart's place, sines and cosines of angles, velocities, constraint forces."""
        angles = worlds.qpos[:, 1:]
        velocity = np.clip(worlds.qvel, -10, 10)
        force = np.clip(worlds.qfrc_constraint[:, : self.forces], -10, 10)
        pose = (worlds.qpos[:, :1], np.sin(angles), np.cos(angles))
        return np.concatenate((*pose, velocity, force), axis=1)

    def alive(self, fallen: Array) -> Array:
        """Return the reward for being up after the step."""
        return self.healthy_reward * (~fallen).astype(np.int64)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward a tip that is high, central and slow."""
        x, y = worlds.site_xpos[:, 0, 0], worlds.site_xpos[:, 0, 2]
        v1, v2 = worlds.qvel[:, 1], worlds.qvel[:, 2]
        fallen = y <= 1
        distance = 0.01 * x**2 + (y - 2) ** 2
        velocity = 1e-3 * v1**2 + 5e-3 * v2**2
        alive = self.alive(fallen)
        info = {
            "reward_survive": alive,
            "distance_penalty": -distance,
            "velocity_penalty": -velocity,
        }
        return alive - distance - velocity, fallen, info


class InvertedDoublePendulumV4(InvertedDoublePendulum):
    """InvertedDoublePendulum-v4."""

    forces = 3

    def alive(self, fallen: Array) -> Array:
        """Return the reward for each step."""
        return np.full(len(fallen), self.healthy_reward)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward a tip that is high, central and slow."""
        reward, fallen, _ = super().score(worlds, actions, before)
        return reward, fallen, {}
