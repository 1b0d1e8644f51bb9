"""OpenGL contexts of CGL, on macOS."""

from condyle import _gl


class GLContext(_gl.Context):
    """A context of CGL, on macOS."""

    _backend = "cgl"
