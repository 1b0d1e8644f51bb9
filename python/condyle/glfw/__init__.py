"""OpenGL contexts of GLFW, in an invisible window; without a screen, those of EGL or OSMesa."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

from condyle._support import gl


def _make_window(width: int, height: int) -> Any:
    """An invisible window; None without a screen, or without the package glfw."""
    with contextlib.suppress(ImportError):
        import glfw  # noqa: PLC0415

        # glfw reports errors as warnings, but a machine without a screen is no reason to warn
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ready = glfw.init()
        if ready:
            glfw.window_hint(glfw.VISIBLE, 0)
            glfw.window_hint(glfw.DOUBLEBUFFER, 0)
            return glfw.create_window(width, height, "Invisible window", None, None)
    return None


class GLContext(gl.Context):
    """A context of GLFW, in an invisible window; without a screen, one of EGL or OSMesa."""

    def __init__(self, max_width: int, max_height: int) -> None:
        self._window: Any = None
        window = _make_window(gl.size("max_width", max_width), gl.size("max_height", max_height))
        if window:
            self._gl = None
            self._window = window
        else:
            super().__init__(max_width, max_height)

    def make_current(self) -> None:
        """Make this the context that drawing goes to in this thread."""
        if self._window:
            import glfw  # noqa: PLC0415

            glfw.make_context_current(self._window)
            gl.note_current(self)
        else:
            super().make_current()

    def is_alive(self) -> bool:
        """Tell if it was not freed."""
        return self._window is not None or super().is_alive()

    def free(self) -> None:
        """Give back what the context holds; may be called twice."""
        if self._window:
            import glfw  # noqa: PLC0415

            window, self._window = self._window, None
            if glfw.get_current_context() == window:
                glfw.make_context_current(None)  # type: ignore[arg-type, unused-ignore]
            glfw.destroy_window(window)
        else:
            super().free()
