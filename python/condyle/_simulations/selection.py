"""Which simulations a call runs, and arguments with a row for each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]


def select(ids: Any, nsim: int) -> Ids | None:
    """Return ids as an array, None for all; ValueError unless they are a mask or ascending."""
    if ids is None:
        return None
    array = np.asarray(ids)
    if array.dtype == np.bool_:
        if array.shape != (nsim,):
            raise ValueError(f"a boolean mask must have shape ({nsim},)")
        return np.flatnonzero(array).astype(np.int32)
    if array.ndim != 1:
        raise ValueError("ids must be one-dimensional")
    if not array.size:
        return np.zeros(0, np.int32)
    array = whole("ids", array, 0, nsim)
    for before, after in zip(array[:-1], array[1:], strict=True):
        if after <= before:
            raise ValueError(f"ids must be sorted and unique, got {before} before {after}")
    return array


def whole(name: str, values: Any, low: int, end: int) -> Ids:
    """Return whole numbers from low to below end; ValueError names the first that is none."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {array.dtype}")
    for value in array.ravel():
        if not low <= value < end:
            raise ValueError(f"{name} must be in [{low}, {end}), got {value}")
    return array.astype(np.int32)


def spread(values: Any, dtype: Any, *shape: int) -> NDArray[Any]:
    """Return values repeated to a shape, as NumPy does, in C order."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        array = np.asarray(values, dtype=dtype)
    return np.ascontiguousarray(np.broadcast_to(array, shape), dtype=dtype)
