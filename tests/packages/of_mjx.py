"""MJX and Brax: what they take from models and data, on the models that come with them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from task import Box, Task

# not in those folders for their own sake: parts of other files, or files whose assets are absent
SKIPPED = ("assets", "scene", "include", "skin", "left_hand", "right_hand")


class Loaded(Task):
    """A model as others see it."""

    def __init__(self, path: Path, library: str) -> None:
        self.path = path
        self.library = library
        self._model = mujoco.MjModel.from_xml_path(str(path))
        self._data = mujoco.MjData(self._model)
        self.box = Box(-1, 1, (self._model.nu,))

    @property
    def model(self) -> Any:
        """MjModel."""
        return self._model

    @property
    def data(self) -> Any:
        """MjData."""
        return self._data

    def reset(self) -> Any:
        """Give the model to the library; return what it made of it."""
        mujoco.mj_resetData(self._model, self._data)
        if self.library == "brax":
            from brax.io import mjcf

            return _leaves(mjcf.load_model(self._model))
        from mujoco import mjx

        return _leaves(mjx.put_model(self._model))

    def step(self, action: Any) -> Any:
        """Step the engine and, with MJX, take the data there and back."""
        self._data.ctrl[:] = action
        mujoco.mj_step(self._model, self._data)
        if self.library == "brax":
            return {"q": self._data.qpos}
        from mujoco import mjx

        there = mjx.put_data(self._model, self._data)
        back = mjx.get_data(self._model, there)
        return {**_leaves(there), "q": back.qpos, "xpos": back.xpos, "dist": back.contact.dist}

    def action(self, rng: np.random.Generator) -> Any:
        """Draw controls."""
        return self.box.draw(rng)


def _leaves(tree: Any) -> dict[str, np.ndarray]:
    import jax

    return {
        jax.tree_util.keystr(path): np.asarray(leaf)
        for path, leaf in jax.tree_util.tree_leaves_with_path(tree)
    }


def _models(package: str, folder: str) -> list[Path]:
    # without importing mujoco.mjx, which takes long
    found = importlib.util.find_spec(package)
    assert found is not None and found.submodule_search_locations
    for place in found.submodule_search_locations:
        paths = sorted(Path(place, folder).rglob("*.xml"))
        if paths:
            return [p for p in paths if not any(word in str(p) for word in SKIPPED)]
    return []


def names() -> list[str]:
    """List LIBRARY:PATH."""
    found = [f"mjx:{path}" for path in _models("mujoco.mjx", "test_data")]
    return found + [f"brax:{path}" for path in _models("brax", "test_data")]


def make(name: str) -> Task:
    """Make one."""
    library, path = name.split(":")
    return Loaded(Path(path), library)
