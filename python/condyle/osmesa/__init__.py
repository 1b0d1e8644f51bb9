"""OpenGL contexts of OSMesa, in software."""

from condyle._support import gl

gl.claim_platform("osmesa")


class GLContext(gl.Context):
    """A context of OSMesa, in software."""

    _backend = "osmesa"
