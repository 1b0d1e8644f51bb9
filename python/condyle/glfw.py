"""OpenGL contexts of GLFW, in an invisible window."""

from condyle import _drawing


class GLContext(_drawing.Context):
    """A context of GLFW, in an invisible window."""
