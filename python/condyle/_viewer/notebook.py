"""Simulations in notebooks: ``condyle.show``."""

from __future__ import annotations

import html
from os import PathLike
from typing import Any

import numpy as np

import condyle
from condyle._support import output, picture
from condyle._support import state as state_bits
from condyle._viewer import page
from condyle._viewer.view import title_of, with_textures

_LARGEST_MODEL = 30_000_000  # bytes of a packed model; notebooks with more are hardly opened again


class Shown:
    """What ``show`` returns: a page for notebooks, with a picture for what shows no pages.

    The page has the engine, the model and the state in it. So it works without this program: in
    notebooks whose kernel runs on another machine, and in files that they are exported to.
    """

    def __init__(
        self, page: str | None, png: bytes | None, text: str, size: tuple[str, int]
    ) -> None:
        self._page, self._png, self._text = page, png, text
        self._size = size

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str | None:
        if self._page is None:
            return None
        width, height = self._size
        return (
            f'<iframe srcdoc="{html.escape(self._page)}" width="{html.escape(width)}"'
            f' height="{height}" style="border: 0" allowfullscreen></iframe>'
        )

    def _repr_png_(self) -> bytes | None:
        return self._png

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file that any browser shows.

        Raises
        ------
        FatalError
            There is no page; the text says why.
        OSError
            The file can't be written; an old one stays as it was.
        """
        if self._page is None:
            raise condyle.FatalError(self._text)
        output.write_file(path, self._page.encode("utf-8"))


def show(
    model: condyle.MjModel,
    data: condyle.MjData | None = None,
    *,
    width: int | str = "100%",
    height: int = 480,
    panels: bool = False,
) -> Shown:
    """Show a simulation in a notebook, where it can be turned, played and pulled.

    Parameters
    ----------
    model, data
        What to show; without data the first keyframe, or the reference configuration.
    width, height
        Size of the page, pixels or a part of the width ("50%").
    panels
        Show the tree of the model and the sliders at first.

    Returns
    -------
    shown
        What notebooks display. Where the page can't be shown it is a picture, and text where
        nothing draws; ``save`` writes the page to a file.

    Raises
    ------
    TypeError
        model or data is of another class.
    """
    if not isinstance(model, condyle.MjModel):
        raise TypeError(f"model must be an MjModel, got {model!r}")
    if data is None:
        data = condyle.MjData(model)
        if model.nkey:
            condyle.mj_resetDataKeyframe(model, data, 0)
        condyle.mj_forward(model, data)
    elif not isinstance(data, condyle.MjData):
        raise TypeError(f"data must be an MjData, got {data!r}")
    title = title_of(model)
    text = f"Model {title!r} at {data.time:g} s"
    whole = None
    try:
        whole = page.with_start(_start(model, data, title, panels))
    except condyle.FatalError as error:
        text += f" ({error})"
    side = f"{width}px" if isinstance(width, int) else width
    return Shown(whole, picture.picture(model, data), text, (side, height))


def _start(
    model: condyle.MjModel, data: condyle.MjData, title: str, panels: bool
) -> dict[str, Any]:
    """Return what the page begins with; raises FatalError if that is too much."""
    model = with_textures(model)
    binary = np.empty(condyle.mj_sizeModel(model), np.uint8)
    condyle.mj_saveModel(model, None, binary)
    packed = page.packed(binary.tobytes())
    if len(packed) > _LARGEST_MODEL:
        raise condyle.FatalError(
            f"the model is too large for a notebook: {len(packed) / 1e6:.0f} MB after packing, at"
            f" most {_LARGEST_MODEL / 1e6:.0f} MB"
        )
    state = np.empty(condyle.mj_stateSize(model, state_bits.integration()))
    condyle.mj_getState(model, data, state, state_bits.integration())
    return {
        "title": title,
        "model": packed,
        "state": page.packed(state.tobytes()),
        "panels": panels,
    }
