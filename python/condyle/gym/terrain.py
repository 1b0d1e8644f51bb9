"""Rough ground: heights of a field, the model that has it for a floor, and how high it is where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import condyle
from condyle.gym.task import Array

FIELD = "rough"


@dataclass
class Terrain:
    """Ground of a square, its middle in the origin.

    Attributes
    ----------
    heights
        (rows, columns), m, the least 0: rows along y, columns along x, as in a height field.
    half
        Half the side, m.
    """

    heights: Array
    half: float

    def __call__(self, points: Array) -> Array:
        """Return the height (...) of the ground under points (..., 2 or more), bilinear."""
        last = len(self.heights) - 1
        place = np.clip((points[..., :2] / self.half + 1) * (last / 2), 0, last - 1e-9)
        j, i = (place[..., k].astype(np.int64) for k in (0, 1))
        x, y = place[..., 0] - j, place[..., 1] - i
        h = self.heights
        near = (1 - x) * h[i, j] + x * h[i, j + 1]
        far = (1 - x) * h[i + 1, j] + x * h[i + 1, j + 1]
        return np.asarray((1 - y) * near + y * far)


def rough(half: float, cell: float, height: float, seed: int = 1) -> Terrain:
    """Return bumps of up to that height over lengths of about 2 m and 0.5 m."""
    rng = np.random.default_rng(seed)
    count = 2 * int(np.ceil(half / cell)) + 1
    heights = np.zeros((count, count))
    for length, share in ((2.0, 0.6), (0.5, 0.4)):
        # values at the knots of a coarse grid, joined by cosines
        knots = int(np.ceil(2 * half / length)) + 2
        values = rng.uniform(0, share * height, (knots, knots))
        place = np.linspace(0, 2 * half / length, count)
        k = place.astype(np.int64)
        t = (1 - np.cos(np.pi * (place - k))) / 2
        rows = (1 - t)[:, None] * values[k] + t[:, None] * values[k + 1]
        heights += (1 - t) * rows[:, k] + t * rows[:, k + 1]
    return Terrain(heights - heights.min(), half)


def on_terrain(path: str, terrain: Terrain, floor: str = "floor") -> condyle.MjModel:
    """Return the model of a file with a height field in place of its plane of that name."""
    spec = condyle.MjSpec.from_file(path)
    top = float(terrain.heights.max())
    count = len(terrain.heights)
    spec.add_hfield(
        name=FIELD,
        nrow=count,
        ncol=count,
        size=[terrain.half, terrain.half, top, 0.1],
        userdata=(terrain.heights / top).ravel(),
    )
    geom = spec.geom(floor)
    if geom is None:
        raise ValueError(f"{path} has no geom {floor!r}")
    geom.type = condyle.mjtGeom.mjGEOM_HFIELD
    geom.hfieldname = FIELD
    return spec.compile()
