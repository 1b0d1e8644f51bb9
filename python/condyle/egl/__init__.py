"""OpenGL contexts of EGL, without a display."""

from condyle._support import gl

gl.claim_platform("egl")


class GLContext(gl.Context):
    """A context of EGL, without a display.

    The environment variable MUJOCO_EGL_DEVICE_ID chooses a device by its number.
    """

    _backend = "egl"
