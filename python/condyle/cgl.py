"""OpenGL contexts of CGL, on macOS."""

from condyle import _drawing


class GLContext(_drawing.Context):
    """A context of CGL, on macOS."""
