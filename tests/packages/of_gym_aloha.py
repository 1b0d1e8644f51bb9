"""gym-aloha: two arms with grippers, over dm_control; its pictures are left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from of_dm_control import ControlTask  # isort: skip  (before dm_control itself)
from gym_aloha.env import AlohaEnv
from gym_aloha.tasks import sim
from gym_aloha.utils import sample_box_pose, sample_insertion_pose
from task import SEED, Task


class AlohaTask(ControlTask):
    """An environment whose objects are placed from outside."""

    def __init__(self, environment: Any, pose: np.ndarray) -> None:
        super().__init__(environment)
        self.pose = pose
        environment.physics.render = lambda **_: np.zeros((1, 1, 3), np.uint8)

    def reset(self) -> Any:
        """Begin an episode; return the observation."""
        sim.BOX_POSE[0] = self.pose
        return super().reset()


def names() -> list[str]:
    """List the tasks."""
    return ["insertion", "transfer_cube"]


def make(name: str) -> Task:
    """Make one."""
    if name == "transfer_cube":
        pose = sample_box_pose(SEED)
    else:
        pose = np.concatenate(sample_insertion_pose(SEED))
    return AlohaTask(AlohaEnv(name)._env, pose)
