"""MJX and Brax: what they take from models and data, on the models that come with them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from task import Box, Owned, Task

# parts of other files, files whose assets are absent, a model with singular inertia
SKIPPED = ("assets", "scene", "include", "skin", "left_hand", "right_hand", "general_dyntype")


class Loaded(Owned):
    """A model as others see it."""

    def __init__(self, path: Path, library: str) -> None:
        self.path = path
        self.library = library
        super().__init__(path)
        self.box = Box(-1, 1, (self._model.nu,))

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


# how many iterations rounding makes; sizes, some of which are free (polygons of meshes)
FREE = ("solver_niter", "_sizes")


def _leaves(tree: Any) -> dict[str, np.ndarray]:
    import jax

    found = {
        jax.tree_util.keystr(path): np.asarray(leaf)
        for path, leaf in jax.tree_util.tree_leaves_with_path(tree)
    }
    return {name: leaf for name, leaf in found.items() if not name.endswith(FREE)}


def _folder(library: str) -> Path:
    # found, not imported: that takes long
    found = importlib.util.find_spec({"mjx": "mujoco.mjx"}.get(library, library))
    assert found is not None and found.submodule_search_locations
    return Path(found.submodule_search_locations[0], "test_data")


def names() -> list[str]:
    """List LIBRARY:PATH."""
    found = []
    for library in ("mjx", "brax"):
        folder = _folder(library)
        paths = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.xml"))]
        found += [
            f"{library}:{path}" for path in paths if not any(word in path for word in SKIPPED)
        ]
    return found


def make(name: str) -> Task:
    """Make one."""
    library, path = name.split(":")
    return Loaded(_folder(library) / path, library)
