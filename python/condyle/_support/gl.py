"""OpenGL contexts without a screen, which the library that draws makes."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import weakref
from collections.abc import Iterator
from typing import Any

from condyle import _condyle
from condyle._support import check

# the context that each thread has made current
_thread = threading.local()


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


def note_current(context: Context) -> None:
    """Remember the context that is current in this thread."""
    _thread.current = weakref.ref(context)


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
        note_current(self)

    @contextlib.contextmanager
    def as_current(self) -> Iterator[None]:
        """Make this the current context until the end of a ``with``, then the one of before."""
        known = getattr(_thread, "current", None)
        before: Context | None = known and known()
        self.make_current()
        try:
            yield
        finally:
            if before is None or not before.is_alive():
                _detach_window()
                _condyle._current_gl(None)
                _thread.current = None
            else:
                before.make_current()

    def is_alive(self) -> bool:
        """Tell if it was not freed."""
        return self._gl is not None

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
