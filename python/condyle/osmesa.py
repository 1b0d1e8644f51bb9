"""OpenGL contexts of OSMesa, in software."""

from condyle import _gl

_gl.claim_platform("osmesa")


class GLContext(_gl.Context):
    """A context of OSMesa, in software."""

    _backend = "osmesa"
