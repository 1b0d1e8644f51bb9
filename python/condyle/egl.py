"""OpenGL contexts of EGL, without a display."""

from condyle import _drawing

_drawing.claim_platform("egl")


class GLContext(_drawing.Context):
    """A context of EGL, without a display."""
