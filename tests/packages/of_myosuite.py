"""MyoSuite: limbs and bodies driven by muscles; not its variants with weak or tired ones."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
import myosuite
from of_gymnasium import GymnasiumTask
from task import Task

assert myosuite  # the import has registered the ids


class MuscleTask(GymnasiumTask):
    """A task whose simulation holds model and data."""

    @property
    def model(self) -> Any:
        """MjModel."""
        return self.environment.unwrapped.mj_model

    @property
    def data(self) -> Any:
        """MjData."""
        return self.environment.unwrapped.mj_data


def names() -> list[str]:
    """List the ids."""
    found = [
        name
        for name, spec in gymnasium.registry.items()
        if isinstance(spec.entry_point, str) and spec.entry_point.startswith("myosuite")
    ]
    return sorted(name for name in found if not re.match("myo(Sarc|Fati|Reaf)", name))


def make(name: str) -> Task:
    """Make one."""
    return MuscleTask(gymnasium.make(name))
