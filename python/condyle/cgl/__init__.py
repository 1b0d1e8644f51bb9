"""OpenGL contexts of CGL, on macOS."""

from condyle._support import gl


class GLContext(gl.Context):
    """A context of CGL, on macOS."""

    _backend = "cgl"
