"""Arrays of the engine in the order or type of another release: ``Translated``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from condyle import _constants, _enums


class Translated(np.ndarray[Any, Any]):
    """A copy of numbers of the engine; what is assigned to its items reaches the engine, too."""

    _whole: NDArray[Any] | None
    _store: Callable[[NDArray[Any]], object] | None
    _engine: NDArray[Any]

    def __new__(cls, values: Any, store: Callable[[NDArray[Any]], object]) -> Translated:  # noqa: PYI034
        """Make the array of these values; ``store`` is called with all of them."""
        self = np.array(values).view(cls)
        self._whole, self._store = self, store
        return self

    def __array_finalize__(self, source: Any) -> None:
        """Let views belong to the whole."""
        self._whole = getattr(source, "_whole", None)
        self._store = getattr(source, "_store", None)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Assign here and in the engine."""
        super().__setitem__(key, value)
        if self._store is not None and self._whole is not None:
            if np.may_share_memory(self, self._whole):
                self._store(np.asarray(self._whole))

    def __reduce__(self) -> Any:
        """Pickle the numbers alone."""
        return np.asarray(self).__reduce__()


def render_flags(engine: NDArray[np.uint8]) -> Translated:
    """Return the flags of a scene as the process numbers them (mjtRndFlag).

    Flags that the engine does not have keep what scenes begin with.
    """
    now, before = _enums._members("mjtRndFlag"), dict(_enums._MEMBERS["mjtRndFlag"])
    places = [(new, before[name]) for name, new in now if name in before and name[:3] == "mjR"]
    strings: Any = _constants._LATER["mjRNDSTRING"]
    flags = [int(default) for _, default, _ in strings]
    for new, old in places:
        flags[new] = engine[old]

    def store(values: NDArray[Any]) -> None:
        for new, old in places:
            engine[old] = values[new]

    shown = Translated(np.array(flags, engine.dtype), store)
    shown._engine = engine
    return shown


def flags_of(scene: Any) -> NDArray[np.uint8]:
    """Return the flags of a scene as the engine numbers them."""
    flags: Any = scene.flags
    return getattr(flags, "_engine", flags)  # type: ignore[no-any-return]


def warnings(engine: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return counters of warnings, (n, kinds, 2), with kinds as the process numbers them."""
    known = dict(_enums._MEMBERS["mjtWarning"])
    now = _enums._members("mjtWarning")
    order = [known[name] for name, _ in now if name.startswith("mjWARN_")]
    if order == list(range(engine.shape[1])):
        return engine

    def store(values: NDArray[Any]) -> None:
        engine[:, order] = values

    return Translated(engine[:, order], store)


def equality_data(engine: NDArray[Any], unposed: NDArray[np.int32]) -> Translated:
    """Return ``eq_data`` with the column that marks welds whose relative pose is not given."""

    def store(values: NDArray[Any]) -> None:
        engine[:] = values[:, :-1]
        unposed[:] = values[:, -1] != 0

    return Translated(np.column_stack([engine, unposed]), store)


def members(engine: NDArray[np.int32], enumeration: str) -> Translated:
    """Return numbers of an enum's members as the process numbers them; others stay."""
    known = dict(_enums._MEMBERS[enumeration])
    now = dict(_enums._members(enumeration))
    new = {known[name]: number for name, number in now.items() if name in known}
    old = {number: place for place, number in new.items()}

    def store(values: NDArray[Any]) -> None:
        engine[:] = [old.get(int(number), number) for number in values]

    shown = np.array([new.get(int(number), number) for number in engine], engine.dtype)
    return Translated(shown, store)


def numbers(element: Any, name: str, values: list[float]) -> Translated:
    """Return an attribute of an element as an array, whose items can be assigned."""
    kind = np.int32 if all(isinstance(value, int) for value in values) else np.float64
    return Translated(np.array(values, kind), lambda array: setattr(element, name, array))
