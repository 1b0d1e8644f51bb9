"""Messages between a program and the page of the viewer: JSON with arrays behind it.

::

    length of the JSON (uint32, little endian), JSON, blanks up to a multiple of 8, arrays

In the JSON an array is ``{"$": [type, offset, count]}``, its offset in bytes from the first array
and a multiple of 8; the type is one of u1, i4, f4, f8, or b for bytes as they are. What the page
sends without arrays is JSON alone. web/page/remote.ts is the other side.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LARGEST_TEXT = 1 << 22  # bytes of JSON before arrays: as objects it takes a hundred times the room
_MOST_DIGITS = 17  # of an integer, its sign included: JavaScript's reach to 2^53
_TYPES = {"float64": "f8", "float32": "f4", "int32": "i4", "uint8": "u1"}


class Packer:
    """Collects the arrays of a message."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def raw(self, content: bytes) -> dict[str, list[Any]]:
        """Add bytes; returns what stands for them."""
        return self._add("b", content, len(content))

    def array(self, values: NDArray[Any]) -> dict[str, list[Any]]:
        """Add numbers; returns what stands for them. Types that pages lack become int32."""
        name = values.dtype.name
        if name in ("bool", "int8"):
            values, name = values.astype(np.uint8), "uint8"
        elif name not in _TYPES:
            values, name = values.astype(np.int32), "int32"
        return self._add(_TYPES[name], values.tobytes(), values.size)

    def _add(self, kind: str, content: bytes, count: int) -> dict[str, list[Any]]:
        place = self._size
        self._parts.append(content)
        blank = -len(content) % 8
        if blank:
            self._parts.append(bytes(blank))
        self._size += len(content) + blank
        return {"$": [kind, place, count]}

    def finish(self, message: dict[str, Any]) -> bytes:
        """Return the whole message."""
        try:
            text = json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
        except ValueError:
            # JSON has no infinity
            text = json.dumps(_finite(message), separators=(",", ":")).encode()
        text += b" " * (-(4 + len(text)) % 8)
        return b"".join([len(text).to_bytes(4, "little"), text, *self._parts])


def _finite(value: Any) -> Any:
    """Return a message without numbers that JSON does not have."""
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _refuse(constant: str) -> None:
    raise ValueError(f"a message with {constant}")


def _integer(text: str) -> int:
    """Return an integer that numbers of JavaScript hold exactly; ValueError if it is none."""
    if len(text) > _MOST_DIGITS:
        raise ValueError("a message with an integer that is too long")
    return int(text)


def _number(text: str) -> float:
    """Return a finite number; raises ValueError if it is none."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a message with a number that is too large")
    return number


class Message:
    """A message of the page."""

    def __init__(self, content: str | bytes) -> None:
        """Read it; raises ValueError if it is none."""
        self._arrays = b""
        self._left = 0  # bytes that no reference stands for yet
        try:
            if isinstance(content, bytes):
                size = int.from_bytes(content[:4], "little")
                if size > len(content) - 4:
                    raise ValueError("a message is cut off")
                self._arrays = content[4 + size :]
                self._left = len(self._arrays)
                content = content[4 : 4 + size].decode()
            if len(content) > _LARGEST_TEXT:
                raise ValueError("a message with a text that is too long")
            self.fields = json.loads(
                content, parse_constant=_refuse, parse_int=_integer, parse_float=_number
            )
        except RecursionError:
            raise ValueError("a message is too deep") from None
        if not isinstance(self.fields, dict):
            raise ValueError("a message is no object")  # noqa: TRY004

    def get(self, name: str, kind: type | tuple[type, ...]) -> Any:
        """Return a field of some type; raises ValueError if there is none."""
        value = self.fields.get(name)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"field '{name}' of a message")
        return value

    def bytes_of(self, reference: Any) -> bytes:
        """Return the bytes that a reference stands for; raises ValueError if it is none.

        All references together stand for no more bytes than there are.
        """
        match reference:
            case {"$": ["b", int(place), int(count)]} if (
                0 <= place <= place + count <= len(self._arrays) and 0 <= count <= self._left
            ):
                self._left -= count
                return self._arrays[place : place + count]
        raise ValueError("an array of a message")
