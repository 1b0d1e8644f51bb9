"""Programs that make their own contexts of EGL, by the names that they find in mujoco.egl."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("condyle._condyle")
pytest.importorskip("OpenGL")

PROGRAM = """
import os
os.environ["PYOPENGL_PLATFORM"] = "egl"
import ctypes
import condyle
condyle.install_as_mujoco()
import mujoco
import numpy as np
from mujoco.egl import GLContext, egl_ext as EGL

device = EGL.eglQueryDevicesEXT()[0]
display = EGL.eglGetPlatformDisplayEXT(EGL.EGL_PLATFORM_DEVICE_EXT, device, None)
assert display != EGL.EGL_NO_DISPLAY and EGL.eglGetError() == EGL.EGL_SUCCESS
assert EGL.eglInitialize(display, None, None) == EGL.EGL_TRUE
attributes = (EGL.EGL_RED_SIZE, 8, EGL.EGL_SURFACE_TYPE, EGL.EGL_PBUFFER_BIT,
              EGL.EGL_RENDERABLE_TYPE, EGL.EGL_OPENGL_BIT, EGL.EGL_NONE)
config, count = EGL.EGLConfig(), ctypes.c_long()
EGL.eglChooseConfig(display, attributes, config, 1, count)
assert count.value >= 1
EGL.eglBindAPI(EGL.EGL_OPENGL_API)
context = EGL.eglCreateContext(display, config, EGL.EGL_NO_CONTEXT, None)
assert EGL.eglMakeCurrent(display, EGL.EGL_NO_SURFACE, EGL.EGL_NO_SURFACE, context)

m = mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
con = mujoco.MjrContext(m, mujoco.mjtFontScale.mjFONTSCALE_150)
mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, con)
rect = mujoco.MjrRect(0, 0, 64, 48)
pictures = []
# Gymnasium passes the scale as the font
for font in (mujoco.mjtFont.mjFONT_NORMAL, mujoco.mjtFontScale.mjFONTSCALE_150, -1):
    mujoco.mjr_rectangle(rect, 0, 0, 0, 1)
    mujoco.mjr_overlay(font, mujoco.mjtGridPos.mjGRID_TOPLEFT, rect, "ab", "c", con)
    rgb = np.zeros((48, 64, 3), np.uint8)
    mujoco.mjr_readPixels(rgb, None, rect, con)
    pictures.append(rgb)
assert pictures[0].any()
assert all((it == pictures[0]).all() for it in pictures)
"""


def test_a_program_draws_in_a_context_of_its_own() -> None:
    from condyle.egl import GLContext

    try:
        GLContext(8, 8).free()
    except RuntimeError as problem:
        pytest.skip(str(problem))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
