"""The OpenGL context that the environment variable MUJOCO_GL chooses: ``GLContext``."""

from condyle import gl_context as _chosen

if hasattr(_chosen, "GLContext"):
    from condyle.gl_context import GLContext as GLContext
