"""OpenGL contexts of OSMesa, in software."""

from condyle import _drawing

_drawing.claim_platform("osmesa")


class GLContext(_drawing.Context):
    """A context of OSMesa, in software."""
