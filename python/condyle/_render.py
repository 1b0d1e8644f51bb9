"""What draws pixels: MjrContext, MjrRect and the functions mjr_."""

from condyle import _condyle
from condyle._condyle import MjrContext as MjrContext
from condyle._condyle import MjrRect as MjrRect
from condyle._model.plain import MjrRendererInfo as MjrRendererInfo
from condyle._model.plain import mjr_defaultRendererInfo as mjr_defaultRendererInfo
from condyle._model.plain import mjr_getRendererInfo as mjr_getRendererInfo

__all__ = ["MjrContext", "MjrRect", "MjrRendererInfo"]

globals().update({name: value for name, value in vars(_condyle).items() if name.startswith("mjr_")})
__all__ += [name for name in globals() if name.startswith("mjr_")]  # noqa: PLE0605
