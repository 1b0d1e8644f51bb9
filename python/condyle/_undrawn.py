"""Functions of the C interface that draw, as long as Condyle does not: they say so when called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from condyle import _drawing

__all__ = ["RENDER", "missing"]

# signatures of the renderer's functions
RENDER = """\
mjr_addAux(index: int, width: int, height: int, samples: int, con: MjrContext) -> None
mjr_blitAux(index: int, src: MjrRect, left: int, bottom: int, con: MjrContext) -> None
mjr_blitBuffer(src: MjrRect, dst: MjrRect, flg_color: int, flg_depth: int, \
con: MjrContext) -> None
mjr_changeFont(fontscale: int, con: MjrContext) -> None
mjr_drawPixels(rgb: NDArray | None, depth: NDArray | None, viewport: MjrRect, \
con: MjrContext) -> None
mjr_figure(viewport: MjrRect, fig: MjvFigure, con: MjrContext) -> None
mjr_findRect(x: int, y: int, nrect: int, rect: MjrRect) -> int
mjr_finish() -> None
mjr_getError() -> int
mjr_label(viewport: MjrRect, font: int, txt: str, r: float, g: float, b: float, a: float, \
rt: float, gt: float, bt: float, con: MjrContext) -> None
mjr_maxViewport(con: MjrContext) -> MjrRect
mjr_overlay(font: int, gridpos: int, viewport: MjrRect, overlay: str, overlay2: str, \
con: MjrContext) -> None
mjr_readPixels(rgb: NDArray | None, depth: NDArray | None, viewport: MjrRect, \
con: MjrContext) -> None
mjr_rectangle(viewport: MjrRect, r: float, g: float, b: float, a: float) -> None
mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None
mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None
mjr_restoreBuffer(con: MjrContext) -> None
mjr_setAux(index: int, con: MjrContext) -> None
mjr_setBuffer(framebuffer: int, con: MjrContext) -> None
mjr_text(font: int, txt: str, con: MjrContext, x: float, y: float, r: float, g: float, \
b: float) -> None
mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: int) -> None
mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: int) -> None
mjr_uploadTexture(m: MjModel, con: MjrContext, texid: int) -> None
"""


def missing(signatures: str, module: str, known: Any) -> dict[str, Callable[..., NoReturn]]:
    """Make the functions of a list of signatures that the engine does not have.

    Parameters
    ----------
    signatures
        One a line.
    module
        The name of the module that will show them.
    known
        Names of functions that are there already.
    """
    made = (_make(line, module) for line in signatures.splitlines())
    return {function.__name__: function for function in made if function.__name__ not in known}


def _make(signature: str, module: str) -> Callable[..., NoReturn]:
    name, _, rest = signature.partition("(")
    inside = rest.rpartition(")")[0]
    names = [part.partition(":")[0].strip() for part in inside.split(",") if part]

    def function(*args: object, **keywords: object) -> NoReturn:
        given = [*names[: len(args)], *keywords]
        if len(args) > len(names) or sorted(given) != sorted(names):
            raise TypeError(f"{name}() takes the arguments ({', '.join(names)})")
        _drawing.refuse(name)

    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    function.__doc__ = f"{signature}\n\nComes with a later release."
    return function
