"""What a renderer needs: MjrContext, MjrRect and the functions mjr_."""

from __future__ import annotations

from condyle import _condyle, _undrawn
from condyle._condyle import MjrContext, MjrRect

__all__ = ["MjrContext", "MjrRect"]

globals().update(_undrawn.missing(_undrawn.RENDER, __name__, vars(_condyle)))
__all__ += [name for name in globals() if name.startswith("mjr_")]  # noqa: PLE0605
