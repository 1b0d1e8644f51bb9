"""What all modules that draw have in common as long as Condyle does not draw."""

from __future__ import annotations

import operator
import os
from typing import Any, NoReturn

import condyle


def refuse(what: str) -> NoReturn:
    """Raise the error of everything that would have to draw."""
    raise condyle.FatalError(
        f"{what} needs drawing, which comes with a later release of Condyle;"
        " simulation, states and sensors work without it"
    )


def size(name: str, value: Any, least: int = 1) -> int:
    """Return a number of pixels; TypeError or ValueError if it is none."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {value!r}") from None
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {number}")
    return number


def claim_platform(name: str) -> None:
    """Choose the platform of PyOpenGL; ImportError if another one is chosen already."""
    chosen = os.environ.get("PYOPENGL_PLATFORM", "")
    if chosen not in ("", name):
        raise ImportError(
            f"Cannot use {name} for drawing: the environment variable PYOPENGL_PLATFORM is set to"
            f" {chosen!r} (should be either unset or {name!r})."
        )
    os.environ["PYOPENGL_PLATFORM"] = name


class Context:
    """An OpenGL context of a certain size; see the modules that derive from it."""

    def __init__(self, max_width: int, max_height: int) -> None:
        size("max_width", max_width)
        size("max_height", max_height)
        refuse(f"{type(self).__module__}.GLContext")

    def make_current(self) -> None:
        """Make this the context that drawing goes to."""
        refuse(f"{type(self).__module__}.GLContext")

    def free(self) -> None:
        """Give back what the context holds; may be called twice."""
