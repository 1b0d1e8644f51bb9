"""Pictures of worlds: of each one, or of many in a grid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle._support import check
from condyle.gym.task import Task
from condyle.gym.worlds import Worlds
from condyle.renderer import find_camera

MODES = ("rgb_array", "depth_array", "rgb_grid")

# the most worlds that a grid shows
_SHOWN = 64


class Pictures:
    """Draws worlds, in the size and from the camera that a task asks for.

    Without ``camera_id`` and ``camera_name`` it is the model's camera "track" if there is one, else
    a free camera that looks at the middle of all shapes, as in Gymnasium. With
    ``default_camera_config``, fields of ``MjvCamera``, it is the free one with these.

    Parameters
    ----------
    task
        What the worlds are for.
    mode
        One of ``MODES``.

    Raises
    ------
    ValueError
        There is no such camera.
    """

    def __init__(self, task: Task, mode: str) -> None:
        self._mode = mode
        self._task = task
        self._camera = _find_camera(task)
        self._option = condyle.MjvOption()
        for flag, value in (task.visual_options or {}).items():
            if not 0 <= check.integer("visual_options", flag) < len(self._option.flags):
                raise ValueError(f"visual_options has no flag {flag}, see mjtVisFlag")
            self._option.flags[flag] = value
        self._renderer = condyle.Renderer(task.model, task.height, task.width, task.max_geom)
        self._data = condyle.MjData(task.model)
        if mode == "depth_array":
            self._renderer.enable_depth_rendering()

    def draw(self, worlds: Worlds) -> tuple[NDArray[Any], ...] | NDArray[np.uint8]:
        """Draw the worlds.

        Returns
        -------
        pictures
            One (height, width, 3) for each world, distances (height, width) in m with
            "depth_array"; with "rgb_grid" one picture of at most 64 worlds, of about the size of
            one.
        """
        if self._mode != "rgb_grid":
            return tuple(self._draw(worlds, i) for i in range(worlds.n))
        count = min(worlds.n, _SHOWN)
        columns = int(np.ceil(np.sqrt(count)))
        rows = -(-count // columns)
        # taking every k-th pixel of full-size pictures would flicker, so means of k x k pixels are
        # taken
        k = columns
        height, width = self._task.height // k, self._task.width // k
        grid = np.zeros((rows * height, columns * width, 3), np.uint8)
        for i in range(count):
            picture = self._draw(worlds, i)[: height * k, : width * k]
            small = picture.reshape(height, k, width, k, 3).mean(axis=(1, 3))
            top, left = i // columns * height, i % columns * width
            grid[top : top + height, left : left + width] = np.round(small)
        return grid

    def _draw(self, worlds: Worlds, world: int) -> NDArray[Any]:
        worlds.copy(world, self._data)
        # a copied world has only its state: compute its results
        condyle.mj_forward(self._task.model, self._data)
        camera = self._camera
        if camera.type == condyle.mjtCamera.mjCAMERA_FREE:
            if "lookat" not in (self._task.default_camera_config or {}):
                camera.lookat = np.median(self._data.geom_xpos, axis=0)
        self._renderer.update_scene(self._data, camera, self._option)
        return self._renderer.render()

    def close(self) -> None:
        """Give back what the renderer holds."""
        self._renderer.close()


def _find_camera(task: Task) -> condyle.MjvCamera:
    model = task.model
    if task.camera_id is not None and task.camera_name is not None:
        raise ValueError("Both `camera_id` and `camera_name` cannot be specified at the same time.")
    if task.camera_name is not None:
        if not isinstance(task.camera_name, str):
            raise TypeError(f"camera_name must be a name, got {task.camera_name!r}")
        return find_camera(model, task.camera_name)
    number = task.camera_id
    if number is None:
        number = -1
        if task.default_camera_config is None:
            number = condyle.mj_name2id(model, condyle.mjtObj.mjOBJ_CAMERA, "track")
    if number != -1:
        return find_camera(model, number)
    camera = condyle.MjvCamera()
    camera.distance = model.stat.extent
    for key, value in (task.default_camera_config or {}).items():
        if not hasattr(camera, key):
            raise ValueError(f"default_camera_config: a camera has no {key!r}")
        setattr(camera, key, value)
    return camera
