"""Named objects of all simulations: ``batch.joint("elbow").qpos``.

An attribute of one object in MjModel or MjData is a part of an array there. The same part of the
rows of all simulations is found by its place in memory.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import fields

if TYPE_CHECKING:
    from condyle.simulations import Batch


class Parts:
    """Finds the array of a model or data in which another array lies."""

    def __init__(self, owner: Any, names: frozenset[str] | set[str]) -> None:
        self.owner = owner
        found = []
        for name in names:
            array = getattr(owner, name, None)
            if isinstance(array, np.ndarray) and array.nbytes and array.flags.c_contiguous:
                found.append((array.__array_interface__["data"][0], array.nbytes, name))
        self.places = sorted(found)
        self.starts = [place[0] for place in self.places]

    def find(self, part: NDArray[Any]) -> tuple[str, int] | None:
        """Return the name of the array and the number of its elements before the part."""
        if not part.flags.c_contiguous:
            return None
        at = int(part.__array_interface__["data"][0])
        k = bisect.bisect_right(self.starts, at) - 1
        if k < 0:
            return None
        start, size, name = self.places[k]
        if at + part.nbytes > start + size:
            return None
        return name, (at - start) // part.itemsize


class Named:
    """One object in all simulations; attributes are (nsim, ...) arrays."""

    __slots__ = ("_batch", "_data", "_key", "_kind", "_model")
    _batch: Batch
    _kind: str
    _key: Any
    _model: Any
    _data: Any

    def __init__(self, batch: Batch, kind: str, key: Any) -> None:
        put = object.__setattr__
        put(self, "_batch", batch)
        put(self, "_kind", kind)
        put(self, "_model", getattr(batch.model, kind)(key))
        put(self, "_key", self._model.id)
        data = getattr(batch._template(), kind, None)
        put(self, "_data", None if data is None else data(self._key))

    @property
    def id(self) -> int:
        """Number of the object."""
        return int(self._model.id)

    @property
    def name(self) -> str:
        """Name of the object."""
        return str(self._model.name)

    def __repr__(self) -> str:
        """Tell kind and name."""
        return f"<{self._kind} {self.name!r} of {self._batch.nsim} simulations>"

    def __dir__(self) -> list[str]:
        """Names of all attributes."""
        return sorted(self._names() | {"id", "name"})

    def __getattr__(self, name: str) -> Any:
        """Return the rows of an attribute."""
        if name.startswith("__"):
            raise AttributeError(name)
        part, is_data = self._part(name)
        if is_data:
            return self._data_rows(name, part)
        return self._model_rows(name, part)

    def __setattr__(self, name: str, value: Any) -> None:
        """Assign to all rows of an attribute."""
        if name in ("id", "name"):
            raise AttributeError(f"{name} is read-only")
        part, is_data = self._part(name)
        if is_data:
            rows = self._data_rows(name, part)
            if not rows.flags.writeable:
                raise ValueError(self._batch._computed(f"{self._kind} {name}"))
        else:
            rows = self._own_rows(name, part)
        rows[...] = value

    # inside

    def _names(self) -> set[str]:
        views = [view for view in (self._data, self._model) if view is not None]
        return {n for view in views for n in dir(view) if not n.startswith("__")}

    def _part(self, name: str) -> tuple[NDArray[Any], bool]:
        """Return the attribute of the template, and whether it is one of data."""
        for view in (self._data, self._model):
            value = None if view is None else getattr(view, name, None)
            if isinstance(value, np.ndarray):
                return value, view is self._data
        hint = fields.did_you_mean(name, self._names())
        raise AttributeError(f"{name} is not a field of a {self._kind}{hint}")

    def _place(self, name: str, part: NDArray[Any], is_data: bool) -> tuple[str, int]:
        found = self._batch._parts(is_data).find(part)
        if found is None:
            raise AttributeError(
                f"{self._kind} {name} is not a slice of a field that the batch binds or expands"
            )
        return found

    def _cut(self, rows: NDArray[Any], start: int, part: NDArray[Any]) -> NDArray[Any]:
        """Return a part of each row, in its shape."""
        flat = rows.reshape(rows.shape[0], -1) if rows.flags.c_contiguous else rows
        return flat[:, start : start + part.size].reshape(rows.shape[0], *part.shape)

    def _data_rows(self, name: str, part: NDArray[Any]) -> NDArray[Any]:
        batch = self._batch
        if not part.size:
            return np.zeros((batch.nsim, *part.shape), part.dtype)
        field, start = self._place(name, part, True)
        if field in fields.STATE:
            return self._cut(batch._state_rows(field), start, part)
        return self._cut(batch.bind(field), start, part)

    def _model_rows(self, name: str, part: NDArray[Any]) -> NDArray[Any]:
        batch = self._batch
        if batch.models is not None:
            views = [getattr(model, self._kind)(self._key) for model in batch._each_model()]
            rows = np.stack([np.asarray(getattr(view, name)) for view in views])
        elif not part.size:
            rows = np.zeros((batch.nsim, *part.shape), part.dtype)
        else:
            field, start = self._place(name, part, False)
            own = batch._model_field(field)
            if own is not None:
                return self._cut(own, start, part)
            shared = batch._shared(field)[start : start + part.size].reshape(part.shape)
            return fields.with_flags(field, np.broadcast_to(shared, (batch.nsim, *part.shape)))
        rows = fields.with_flags(name, rows)
        rows.flags.writeable = False
        return rows

    def _own_rows(self, name: str, part: NDArray[Any]) -> NDArray[Any]:
        """Return rows of a field of the model that may be written."""
        batch = self._batch
        if not part.size:
            return np.zeros((batch.nsim, *part.shape), part.dtype)
        field, start = self._place(name, part, False)
        if fields.is_structural(field):
            raise ValueError(f"{field} is structural: it cannot differ between simulations")
        if batch.models is not None:
            raise ValueError(
                f"{field} comes from the caller models (set_models): edit them and call set_models"
                " again"
            )
        return self._cut(batch.expand(field), start, part)
