"""Attributes of later releases that stand for features this engine does not have.

Reading gives the value of a model that does not use the feature; the same may be assigned, anything
else is a ValueError. A class that has the attribute itself keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from condyle import _condyle, _enums
from condyle._model import absent, setconst


def _value(default: Any) -> Any:
    """Return a value of the table, an array or member anew each time."""
    if isinstance(default, tuple):
        whole = default and isinstance(default[0], int)
        return np.array(default, np.int32 if whole else np.float64)
    if isinstance(default, str) and default:
        enum, _, member = default.partition(".")
        return getattr(_enums, enum)[member]
    return default


def _absent(name: str, default: Any) -> property:
    def get(self: Any) -> Any:
        return _value(default)

    def set_(self: Any, value: Any) -> None:
        wanted = _value(default)
        if np.shape(value) not in ((), np.shape(wanted)) or not np.all(np.equal(value, wanted)):
            raise ValueError(f"{name} can only be {wanted}: the engine has nothing else")

    return property(get, set_, doc=f"of later releases; always {default}")


def _projection() -> property:
    def get(self: Any) -> Any:
        return _enums.mjtProjection(int(self.orthographic))

    def set_(self: Any, value: Any) -> None:
        self.orthographic = int(_enums.mjtProjection(value))

    return property(get, set_, doc="mjtProjection: perspective or orthographic")


# arrays of MjData under another name
_RENAMED: dict[str, Callable[[Any], Any]] = {"efc_diagA": lambda d: d.efc_diagApprox}


def _view_quat(field: str) -> property:
    """Return the attribute of a named object that is its row of orientations of MjData."""

    def get(view: Any) -> NDArray[np.float64]:
        data = _condyle._data_of_view(view)
        if data is None:
            raise RuntimeError("the data of this object are gone")
        return np.array(getattr(data, field)[view.id])

    return property(get, doc=f"float64 (4,), a copy: orientation, of {field}")


def _lower(name: str) -> Callable[[Any], NDArray[Any]]:
    """Return the getter of a column of contacts that the engine does not have."""
    default = np.array(absent.ABSENT["MjContact"][name])
    return lambda contacts: np.zeros((len(contacts), *default.shape))


def install() -> None:
    """Give the classes these attributes."""
    for name, attributes in absent.ABSENT.items():
        cls = getattr(_condyle, name)
        for attribute, default in attributes.items():
            if not hasattr(cls, attribute):
                setattr(cls, attribute, _absent(attribute, default))
    if not hasattr(_condyle.MjsCamera, "proj"):
        setattr(_condyle.MjsCamera, "proj", _projection())  # noqa: B010
    for name, (_, doc) in absent.DATA.items():
        if not hasattr(_condyle.MjData, name):
            setattr(_condyle.MjData, name, property(_RENAMED[name], doc=doc))
    for kind, attribute, field in absent.VIEWS:
        view = getattr(_condyle, f"_MjData{kind}Views")
        if not hasattr(view, attribute):
            setattr(view, attribute, _view_quat(field))
    for name in absent.ABSENT["MjContact"]:
        if not hasattr(_condyle._MjContactList, name):
            column = property(_lower(name), doc="of later releases; always 0")
            setattr(_condyle._MjContactList, name, column)
    for name in ("groups", "fields", "inputs", "outputs", "scalars"):
        setattr(_condyle.MjModel, f"_setconst_{name}", getattr(setconst, name.upper()))
