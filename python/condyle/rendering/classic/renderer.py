"""Pictures of a simulation as arrays: ``Renderer``."""

from condyle.renderer import Renderer as Renderer
from condyle.rendering.classic import gl_context as gl_context

if hasattr(gl_context, "GLContext"):
    from condyle.rendering.classic.gl_context import GLContext as GLContext

__all__ = ["Renderer"]
