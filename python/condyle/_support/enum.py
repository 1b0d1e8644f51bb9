"""The base of the engine's enums: integers whose text is their name."""

from __future__ import annotations

import enum
from typing import Any, TypeAlias

__all__ = ["EngineEnum", "Members", "make_enum", "renumber"]

# names and numbers
Members: TypeAlias = tuple[tuple[str, int], ...]


class EngineEnum(enum.IntEnum):
    """A C enum. Members are integers; their text is ``mjtJoint.mjJNT_BALL``, never the number."""

    @classmethod
    def _missing_(cls, value: object) -> None:
        if isinstance(value, int):
            raise ValueError(f"Invalid int value for {cls.__name__}: {value}")
        if hasattr(value, "__index__"):
            return cls(value.__index__())  # type: ignore[return-value]
        raise TypeError(f"{cls.__name__} needs an integer, not {type(value).__name__}")

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, spec: str) -> str:
        number = spec[-1:] in "bcdeEfFgGnoxX%"  # '' is in it, too
        return format(int(self), spec) if spec and number else format(str(self), spec)

    def __bool__(self) -> bool:
        return True  # also for the member 0, as programs for the reference expect

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return type(self), (int(self),)


def make_enum(name: str, members: Members, doc: str) -> type[EngineEnum]:
    """Make the class of one C enum."""
    make: Any = EngineEnum
    made: type[EngineEnum] = make(name, members, module="condyle._enums")
    made.__doc__ = doc
    return made


def renumber(name: str, number: int, source: Members, target: Members) -> int:
    """Return the number in ``target`` of the member of an enum that has a number in ``source``.

    A number that no member has stays.

    Raises
    ------
    ValueError
        The target has no such member.
    """
    if source is target:
        return number
    for member, value in source:
        if value == number:
            found = dict(target).get(member)
            if found is None:
                raise ValueError(f"{name}.{member} is not in this engine")
            return found
    return number
