"""Names of EGL for programs that make their own contexts without a display.

All of PyOpenGL's ``OpenGL.EGL``, and the functions of two extensions in the form in which programs
call them: EGL_EXT_device_enumeration and EGL_EXT_platform_base.
"""

from __future__ import annotations

import ctypes
from typing import Any

try:
    from OpenGL import EGL  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError as problem:
    raise ImportError("condyle.egl.egl_ext needs PyOpenGL: pip install pyopengl") from problem

EGL_PLATFORM_DEVICE_EXT = 0x313F

globals().update({name: value for name, value in vars(EGL).items() if not name.startswith("_")})

# EGLBoolean eglQueryDevicesEXT(EGLint max_devices, EGLDeviceEXT* devices, EGLint* num_devices)
_QUERY = ctypes.CFUNCTYPE(
    ctypes.c_uint, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int)
)
# EGLDisplay eglGetPlatformDisplayEXT(EGLenum platform, void* display, const EGLint* attributes)
_DISPLAY = ctypes.CFUNCTYPE(
    ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)
)


def _function(kind: Any, name: str) -> Any:
    """Return a function of an extension; raises ImportError if this EGL has none."""
    library = EGL.eglGetProcAddress(name.encode())
    address = ctypes.cast(library, ctypes.c_void_p).value
    if not address:
        raise ImportError(f"the EGL of this machine has no {name}")
    return kind(address)


def eglQueryDevicesEXT(max_devices: int = 10) -> list[Any]:  # noqa: N802
    """Return the devices of this machine, at most so many; none if that fails."""
    if max_devices < 1:
        raise ValueError(f"max_devices must be at least 1, got {max_devices}")
    found = (ctypes.c_void_p * max_devices)()
    count = ctypes.c_int()
    if not _function(_QUERY, "eglQueryDevicesEXT")(max_devices, found, ctypes.byref(count)):
        return []
    return [ctypes.c_void_p(device) for device in found[: count.value]]


def eglGetPlatformDisplayEXT(  # noqa: N802
    platform: int, native_display: Any, attrib_list: list[int] | None
) -> Any:
    """Return a display of a platform, such as EGL_PLATFORM_DEVICE_EXT; EGL_NO_DISPLAY if it fails.

    Parameters
    ----------
    platform
        The kind of ``native_display``.
    native_display
        What it is made of: a device, for example.
    attrib_list
        Names and values, EGL_NONE last.
    """
    attributes = None if attrib_list is None else (ctypes.c_int * len(attrib_list))(*attrib_list)
    display = _function(_DISPLAY, "eglGetPlatformDisplayEXT")(platform, native_display, attributes)
    return ctypes.cast(display, EGL.EGLDisplay) if display else EGL.EGL_NO_DISPLAY
