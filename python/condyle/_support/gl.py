"""OpenGL contexts without a screen, which the library that draws makes."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

from condyle import _condyle
from condyle._support import check


def size(name: str, value: Any, least: int = 1) -> int:
    """Return a number of pixels; TypeError or ValueError if it is none."""
    return check.integer(name, value, least)


def claim_platform(name: str) -> None:
    """Choose the platform of PyOpenGL; ImportError if another one is chosen already."""
    chosen = os.environ.get("PYOPENGL_PLATFORM", "")
    if chosen not in ("", name):
        raise ImportError(
            f"Cannot use {name} for drawing: the environment variable PYOPENGL_PLATFORM is set to"
            f" {chosen!r} (should be either unset or {name!r})."
        )
    os.environ["PYOPENGL_PLATFORM"] = name


def _detach_window() -> bool:
    """Detach a context of GLFW from this thread; tells if there was one."""
    glfw: Any = sys.modules.get("glfw")
    if glfw is None or not glfw.get_current_context():
        return False
    glfw.make_context_current(None)
    return True


class Context:
    """An OpenGL context without a window.

    Parameters
    ----------
    max_width, max_height
        The largest picture, pixels; pictures are drawn offscreen, in buffers of their own size.

    Raises
    ------
    RuntimeError
        There is no such context, with the reason.
    """

    _backend: str | None = None

    def __init__(self, max_width: int, max_height: int) -> None:
        self._gl: Any = None
        size("max_width", max_width)
        size("max_height", max_height)
        self._gl = _condyle._make_gl(self._backend, 0, 0)

    def make_current(self) -> None:
        """Make this the context that drawing goes to in this thread."""
        if self._gl is None:
            raise RuntimeError("the context is freed")
        try:
            _condyle._current_gl(self._gl)
        except RuntimeError:
            # one of a window, which somebody left in this thread, keeps others out
            if not _detach_window():
                raise
            _condyle._current_gl(self._gl)

    def free(self) -> None:
        """Give back what the context holds; may be called twice."""
        if self._gl is not None:
            gl, self._gl = self._gl, None
            _condyle._free_gl(gl)

    def __del__(self) -> None:
        """Give back what the context holds."""
        # an __init__ that fails may leave nothing, and modules may be gone
        with contextlib.suppress(AttributeError, TypeError):
            self.free()
