"""Meta-World's tasks, with the goal in the observation."""

from __future__ import annotations

import gymnasium
import metaworld
from of_gymnasium import GymnasiumTask
from task import SEED, Task

assert metaworld.register_mw_envs  # the import has registered the ids


def names() -> list[str]:
    """List the tasks of version 3."""
    return sorted(metaworld.ALL_V3_ENVIRONMENTS)


def make(name: str) -> Task:
    """Make one."""
    return GymnasiumTask(gymnasium.make("Meta-World/MT1", env_name=name, seed=SEED))
