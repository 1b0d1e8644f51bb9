"""Stubs of attributes that the package adds to classes of the extension.

They stand for features of later releases: condyle/_model/absent.py says which, and their values.
"""

from __future__ import annotations

import runpy
from collections.abc import Collection
from pathlib import Path
from typing import Any

from .annotations import attribute

__all__ = [
    "absent_attributes",
    "absent_enums",
    "absent_of_contacts",
    "absent_of_data",
    "absent_of_view",
]

_TABLE = Path(__file__).resolve().parent.parent / "condyle/_model/absent.py"


def _table() -> dict[str, Any]:
    return runpy.run_path(str(_TABLE))


def _annotation(value: object) -> tuple[str, str]:
    """What an attribute is when read, and what may be assigned, by the value that it has."""
    if isinstance(value, tuple):
        whole = value and isinstance(value[0], int)
        return f"NDArray[np.{'int32' if whole else 'float64'}]", "ArrayLike"
    if isinstance(value, str) and "." in value:
        return value.partition(".")[0], "SupportsIndex"
    if isinstance(value, bool):
        return "bool", "bool"
    plain = {int: ("int", "SupportsIndex"), float: ("float", "SupportsFloat"), str: ("str", "str")}
    return plain[type(value)]


def absent_attributes(cls: str, known: Collection[str]) -> str:
    """Attributes of a class that its C struct doesn't have."""
    return "".join(
        attribute(name, *_annotation(value), f"of later releases; always {value!r}")
        for name, value in _table()["ABSENT"].get(cls, {}).items()
        if name not in known
    )


def absent_enums(known: Collection[str]) -> set[str]:
    """Enums that these attributes have members of."""
    values = [value for table in _table()["ABSENT"].values() for value in table.values()]
    enums = {v.partition(".")[0] for v in values if isinstance(v, str) and "." in v}
    return enums - set(known)


def absent_of_contacts(known: Collection[str]) -> str:
    """Columns of the list of contacts."""
    return "".join(
        attribute(name, "NDArray[np.float64]", None, "of later releases; always 0")
        for name in _table()["ABSENT"]["MjContact"]
        if name not in known
    )


def absent_of_view(kind: str) -> str:
    """Attributes of a named object of MjData."""
    return "".join(
        attribute(name, "NDArray[np.float64]", None, "its orientation")
        for owner, name, _ in _table()["VIEWS"]
        if owner == kind
    )


def absent_of_data(known: Collection[str]) -> str:
    """Attributes of MjData."""
    return "".join(
        attribute(name, annotation, None, doc)
        for name, (annotation, doc) in _table()["DATA"].items()
        if name not in known
    )
