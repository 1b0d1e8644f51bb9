"""``Renderer`` and ``GLContext`` under the names that they have since 4.0."""

from condyle.rendering.classic import gl_context as gl_context
from condyle.rendering.classic import renderer as renderer
