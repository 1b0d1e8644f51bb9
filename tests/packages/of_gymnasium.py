"""Gymnasium's MuJoCo tasks, v4 and v5; and what its kin have in common."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from task import SEED, Box, Task


class GymnasiumTask(Task):
    """An environment of Gymnasium's interface over a model."""

    def __init__(self, environment: Any) -> None:
        self.environment = environment
        self.box = None
        if isinstance(environment.action_space, gymnasium.spaces.Box):
            space = environment.action_space
            self.box = Box(space.low, space.high, space.shape)

    @property
    def model(self) -> Any:
        """MjModel."""
        return self.environment.unwrapped.model

    @property
    def data(self) -> Any:
        """MjData."""
        return self.environment.unwrapped.data

    def reset(self) -> Any:
        """Begin an episode; return the observation."""
        return {"observation": self.environment.reset(seed=SEED)[0]}

    def step(self, action: Any) -> Any:
        """Take a step; return observation, reward, end and what is told besides."""
        observation, reward, ended, _, told = self.environment.step(action)
        return {"observation": observation, "reward": reward, "ended": ended, "told": told}

    def action(self, rng: np.random.Generator) -> Any:
        """Draw an action."""
        assert self.box is not None
        return self.box.draw(rng).astype(self.environment.action_space.dtype)

    def close(self) -> None:
        """Close the environment."""
        self.environment.close()


def registered(prefix: str) -> list[str]:
    """List the ids whose entry point is in a module, in order."""
    return sorted(
        name
        for name, spec in gymnasium.registry.items()
        if isinstance(spec.entry_point, str) and spec.entry_point.startswith(prefix)
    )


def names() -> list[str]:
    """List the ids."""
    # v2 and v3 are those of mujoco-py
    return [name for name in registered("gymnasium.envs.mujoco") if name[-2:] in ("v4", "v5")]


def make(name: str) -> Task:
    """Make one, with contact forces in the observation where that is a choice."""
    return GymnasiumTask(gymnasium.make(name))
