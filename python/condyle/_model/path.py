"""The path of a tendon in a spec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condyle._specs import MjsWrap

__all__ = ["MjsTendonPath"]


class MjsTendonPath(list["MjsWrap"]):
    """The stations of a tendon, in order: a new list at each access."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        """Return a station, or several."""
        try:
            return super().__getitem__(index)
        except IndexError:
            raise IndexError("Index out of range.") from None
