"""robosuite: each task with a Panda, and a task with each robot; no cameras."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from task import SEED, Box, Task

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import robosuite
    from robosuite.controllers import load_composite_controller_config
    from robosuite.robots import ROBOT_CLASS_MAPPING

# whose own controller is an example for mink 0.0.5 that the package does not bring
BASIC = ("GR1FixedLowerBody",)


class RobosuiteTask(Task):
    """An environment of robosuite."""

    def __init__(self, environment: Any) -> None:
        self.environment = environment
        low, high = environment.action_spec
        self.box = Box(low, high, low.shape)

    @property
    def model(self) -> Any:
        """MjModel."""
        return self.environment.sim.model._model

    @property
    def data(self) -> Any:
        """MjData."""
        return self.environment.sim.data._data

    def reset(self) -> Any:
        """Begin an episode; return the observation."""
        return {"observation": self.environment.reset()}

    def step(self, action: Any) -> Any:
        """Take a step; return observation and reward."""
        observation, reward, ended, _ = self.environment.step(action)
        return {"observation": observation, "reward": reward, "ended": ended}

    def action(self, rng: np.random.Generator) -> Any:
        """Draw an action."""
        return self.box.draw(rng)

    def close(self) -> None:
        """Close the environment."""
        self.environment.close()


def names() -> list[str]:
    """List TASK:ROBOT or TASK:ROBOT,ROBOT."""
    found = []
    for task in sorted(robosuite.ALL_ENVIRONMENTS):
        found.append(f"{task}:Panda,Panda" if task.startswith("TwoArm") else f"{task}:Panda")
    for robot in sorted(ROBOT_CLASS_MAPPING):
        found.append(f"Lift:{robot}")
    found += [f"TwoArmLift:{robot}" for robot in ("Baxter", "GR1ArmsOnly", "Tiago")]
    found += ["TwoArmHandover:Sawyer,UR5e", "PickPlace:IIWA", "Door:Kinova3", "Stack:Jaco"]
    return list(dict.fromkeys(found))


def make(name: str) -> Task:
    """Make one, with dense rewards."""
    task, robots = name.split(":")
    controller = None
    if robots in BASIC:
        controller = load_composite_controller_config(controller="BASIC", robot=robots)
    environment = robosuite.make(
        task,
        robots=robots.split(","),
        controller_configs=controller,
        has_renderer=False,
        has_offscreen_renderer=False,
        use_camera_obs=False,
        use_object_obs=True,
        reward_shaping=True,
        ignore_done=True,
        seed=SEED,
    )
    return RobosuiteTask(environment)
