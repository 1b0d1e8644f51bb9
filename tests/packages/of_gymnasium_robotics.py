"""Gymnasium-Robotics: all ids that don't want mujoco-py, and the multi-agent tasks."""

from __future__ import annotations

from typing import Any

import gymnasium
import gymnasium_robotics
import numpy as np
from of_gymnasium import GymnasiumTask, registered
from task import SEED, Box, Task

gymnasium.register_envs(gymnasium_robotics)

# scenario, how its joints are shared out among agents
MULTI_AGENT = (
    ("Ant", "2x4"),
    ("Ant", "2x4d"),
    ("Ant", "4x2"),
    ("HalfCheetah", "2x3"),
    ("HalfCheetah", "6x1"),
    ("Hopper", "3x1"),
    ("Humanoid", "9|8"),
    ("HumanoidStandup", "9|8"),
    ("InvertedPendulum", None),
    ("InvertedDoublePendulum", None),
    ("Pusher", "3p"),
    ("Reacher", "2x1"),
    ("Swimmer", "2x1"),
    ("Walker2d", "2x3"),
    ("CoupledHalfCheetah", "1p1"),
    ("ManySegmentSwimmer", "4x2"),
    ("ManySegmentAnt", "3x2"),
)


class Nested(GymnasiumTask):
    """A task whose model is that of an environment inside."""

    INSIDE = ("point_env", "ant_env", "robot_env")

    @property
    def inside(self) -> Any:
        """The environment that has the model."""
        outside = self.environment.unwrapped
        for name in self.INSIDE:
            if hasattr(outside, name):
                return getattr(outside, name).unwrapped
        return outside

    @property
    def model(self) -> Any:
        """MjModel."""
        return self.inside.model

    @property
    def data(self) -> Any:
        """MjData."""
        return self.inside.data


class MultiAgent(Task):
    """Several agents that share a body."""

    def __init__(self, environment: Any) -> None:
        self.environment = environment
        self.boxes = {
            agent: Box(space.low, space.high, space.shape)
            for agent, space in environment.action_spaces.items()
        }

    @property
    def model(self) -> Any:
        """MjModel."""
        return self.environment.single_agent_env.unwrapped.model

    @property
    def data(self) -> Any:
        """MjData."""
        return self.environment.single_agent_env.unwrapped.data

    def reset(self) -> Any:
        """Begin an episode; return the observations."""
        return self.environment.reset(seed=SEED)[0]

    def step(self, action: Any) -> Any:
        """Take a step; return what the agents see and get."""
        observation, reward, ended, _, told = self.environment.step(action)
        # agents leave when the episode ends
        self.environment.agents = list(self.environment.possible_agents)
        return {"observation": observation, "reward": reward, "ended": ended, "told": told}

    def action(self, rng: np.random.Generator) -> Any:
        """Draw an action for each agent."""
        return {agent: box.draw(rng).astype(np.float32) for agent, box in self.boxes.items()}

    def close(self) -> None:
        """Close the environment."""
        self.environment.close()


def names() -> list[str]:
    """List the ids, and multi-agent tasks as mamujoco:SCENARIO:PARTITION."""
    found = []
    for name in registered("gymnasium_robotics"):
        entry = str(gymnasium.registry[name].entry_point)
        if "MujocoPy" not in entry and ".envs.mujoco." not in entry:
            found.append(name)
    return found + [f"mamujoco:{scenario}:{shares}" for scenario, shares in MULTI_AGENT]


def make(name: str) -> Task:
    """Make one."""
    if not name.startswith("mamujoco:"):
        return Nested(gymnasium.make(name))
    from gymnasium_robotics import mamujoco_v1

    _, scenario, shares = name.split(":")
    return MultiAgent(
        mamujoco_v1.parallel_env(scenario=scenario, agent_conf=None if shares == "None" else shares)
    )
