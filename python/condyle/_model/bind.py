"""Objects of a compiled model by the elements of its spec: ``m.bind(body).mass``."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle import _condyle

__all__ = ["BoundGroup", "bind"]


class BoundGroup:
    """Several objects of a model or data as one: attributes are lists, in the order of the objects.

    Assigning an attribute writes to all objects: one number to each, one value for each, or as many
    numbers as the attribute has.
    """

    __slots__ = ("_objects",)

    def __init__(self, objects: list[Any]) -> None:
        object.__setattr__(self, "_objects", objects)

    def __getattr__(self, name: str) -> list[Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        values: list[Any] = []
        for bound in self._objects:
            value = getattr(bound, name)
            if isinstance(value, np.ndarray):
                values.extend(value)
            else:
                values.append(value)
        return values

    def __setattr__(self, name: str, value: Any) -> None:
        arrays = [getattr(bound, name) for bound in self._objects]
        for array in arrays:
            if not isinstance(array, np.ndarray):
                raise AttributeError(f"attribute '{name}' is not writable")
        rows = isinstance(value, (list, tuple)) and len(value) == len(arrays)
        if rows and any(isinstance(row, (list, tuple, np.ndarray)) for row in value):
            for array, row in zip(arrays, value, strict=True):
                array[...] = row
            return
        values = np.asarray(value)
        size = sum(len(array) for array in arrays)
        if values.ndim > 1 and len(values) == len(arrays):
            values = values.reshape(-1)
        if values.ndim and len(values) != size:
            raise ValueError(f"{name} needs {size} values, not {len(values)}")
        start = 0
        for array in arrays:
            array[...] = values[start : start + len(array)] if values.ndim else values
            start += len(array)

    def __len__(self) -> int:
        return len(self._objects)

    def __repr__(self) -> str:
        return f"<BoundGroup of {len(self)} objects>"


def bind(self: Any, specs: Any) -> Any:
    """Return the object that an element of the spec became, or a group for several elements."""
    if isinstance(specs, (list, tuple)):
        return BoundGroup([self.bind_scalar(element) for element in specs])
    return self.bind_scalar(specs)


for _type in (_condyle.MjModel, _condyle.MjData):
    setattr(_type, "bind", bind)  # noqa: B010 (a method that the class does not have yet)
