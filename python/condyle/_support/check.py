"""What arguments must be: errors that say which one is wrong, how, and what would be right."""

from __future__ import annotations

import math
import operator
from typing import Any


def integer(name: str, value: Any, least: int | None = None) -> int:
    """Return an integer; TypeError if it is none, ValueError if it is too small."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {value!r}") from None
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, got {number}")
    return number


def number(name: str, value: Any) -> float:
    """Return a number that is not NaN; TypeError or ValueError if it is none."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, got {value!r}") from None
    except OverflowError:
        raise ValueError(f"{name} is too large: {value!r}") from None
    if math.isnan(result):
        raise ValueError(f"{name} must not be NaN")
    return result
