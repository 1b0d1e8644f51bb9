"""What programs put over the picture of the viewer: figures, texts and images."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle

# one figure, text or image as a dict by member name
Part = dict[str, Any]

Figures = (
    tuple[condyle.MjrRect, condyle.MjvFigure] | list[tuple[condyle.MjrRect, condyle.MjvFigure]]
)
Text = tuple[int | None, int | None, str | None, str | None]
Images = tuple[condyle.MjrRect, NDArray[Any]] | list[tuple[condyle.MjrRect, NDArray[Any]]]


def figures(given: Figures) -> list[Part]:
    """Return figures as they are now."""
    return [_figure(rect, figure) for rect, figure in _listed(given)]


def texts(given: Text | list[Text]) -> list[Part]:
    """Return texts; None: normal font, upper left, no text."""
    parts = []
    for font, place, left, right in _listed(given):
        fonts, places = condyle.mjtFont, condyle.mjtGridPos
        parts.append(
            {
                "font": int(fonts(fonts.mjFONT_NORMAL if font is None else font)),
                "place": int(places(places.mjGRID_TOPLEFT if place is None else place)),
                "left": left or "",
                "right": right or "",
            }
        )
    return parts


def images(given: Images) -> list[Part]:
    """Return images; raises ValueError if one has another shape than its rectangle, or no bytes."""
    parts = []
    for rect, image in _listed(given):
        shape, wanted = np.shape(image), (rect.height, rect.width)
        if shape[:2] != wanted:
            raise ValueError(f"Image shape {shape[:2]} does not match target shape {wanted}")
        if shape[2:] != (3,) or np.asarray(image).dtype != np.uint8:
            raise ValueError(f"an image should be uint8 of shape {(*wanted, 3)}")
        parts.append({"rect": _sides(rect), "colors": np.array(image)})
    return parts


def _listed(given: Any) -> list[Any]:
    """Return a list of tuples, also of a single one."""
    return [given] if isinstance(given, tuple) else list(given)


def _sides(rect: condyle.MjrRect) -> list[int]:
    return [rect.left, rect.bottom, rect.width, rect.height]


def _figure(rect: condyle.MjrRect, figure: condyle.MjvFigure) -> Part:
    lines = [i for i, count in enumerate(figure.linepnt) if count > 0]
    width = 2 * max((int(figure.linepnt[i]) for i in lines), default=0)
    return {
        "rect": _sides(rect),
        "title": figure.title,
        "xlabel": figure.xlabel,
        "names": [bytes(figure.linename[i]).decode(errors="replace") for i in lines],
        "counts": [int(figure.linepnt[i]) for i in lines],
        "colors": np.array(figure.linergb[lines]),
        "points": np.array(figure.linedata[lines, :width]),
        "range": np.array(figure.range),
        "grid": np.array(figure.gridsize),
        "gridColor": np.array(figure.gridrgb),
        "figureColor": np.array(figure.figurergba),
        "paneColor": np.array(figure.panergba),
        "textColor": np.array(figure.textrgb),
        "legendColor": np.array(figure.legendrgba),
        "lineWidth": figure.linewidth,
        "legend": bool(figure.flg_legend),
        "tickLabels": [bool(on) for on in figure.flg_ticklabel],
        "extend": bool(figure.flg_extend),
        "bars": bool(figure.flg_barplot),
        "symmetric": bool(figure.flg_symmetric),
        "selection": figure.selection if figure.flg_selection else None,
        "formats": [figure.xformat, figure.yformat],
    }
