"""Pictures of a simulation as arrays: ``Renderer``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle import _drawing

_TOO_LARGE = """\
Image {side} {size} > framebuffer {side} {most}. Either reduce the image
{side} or specify a larger offscreen framebuffer in the model XML using the
clause:
<visual>
  <global off{side}="my_{side}"/>
</visual>"""


class Renderer:
    """Draws a model into arrays.

    Parameters
    ----------
    model
        What to draw.
    height, width
        Size of the pictures, pixels; at most ``model.vis.global_.offheight`` and ``offwidth``.
    max_geom
        Most shapes in a picture.
    font_scale
        Size of text.

    Raises
    ------
    ValueError
        The picture is larger than the model's framebuffer.
    FatalError
        Always: drawing comes with a later release.
    """

    def __init__(
        self,
        model: condyle.MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: condyle.mjtFontScale = condyle.mjtFontScale.mjFONTSCALE_150,
    ) -> None:
        if not isinstance(model, condyle.MjModel):
            raise TypeError(f"model must be an MjModel, got {model!r}")
        framebuffer = model.vis.global_
        for side, value, most in (
            ("width", width, framebuffer.offwidth),
            ("height", height, framebuffer.offheight),
        ):
            if _drawing.size(side, value, 0) > most:
                raise ValueError(_TOO_LARGE.format(side=side, size=value, most=most))
        _drawing.size("max_geom", max_geom, 0)
        condyle.mjtFontScale(font_scale)
        _drawing.refuse("Renderer")

    @property
    def model(self) -> condyle.MjModel:
        """The model that is drawn."""
        _drawing.refuse("Renderer")

    @property
    def scene(self) -> condyle.MjvScene:
        """What is in the picture."""
        _drawing.refuse("Renderer")

    @property
    def height(self) -> int:
        """Height of the pictures, pixels."""
        _drawing.refuse("Renderer")

    @property
    def width(self) -> int:
        """Width of the pictures, pixels."""
        _drawing.refuse("Renderer")

    def enable_depth_rendering(self) -> None:
        """Draw distances from now on."""
        _drawing.refuse("Renderer")

    def disable_depth_rendering(self) -> None:
        """Draw colors from now on."""
        _drawing.refuse("Renderer")

    def enable_segmentation_rendering(self) -> None:
        """Draw ids and types of objects from now on."""
        _drawing.refuse("Renderer")

    def disable_segmentation_rendering(self) -> None:
        """Draw colors from now on."""
        _drawing.refuse("Renderer")

    def update_scene(
        self,
        data: condyle.MjData,
        camera: int | str | condyle.MjvCamera = -1,
        scene_option: condyle.MjvOption | None = None,
    ) -> None:
        """Take what is to be drawn from a simulation, seen by a camera (-1: the free one)."""
        _drawing.refuse("Renderer")

    def render(self, *, out: NDArray[Any] | None = None) -> NDArray[np.generic]:
        """Return the picture: colors (height, width, 3) uint8, top row first."""
        _drawing.refuse("Renderer")

    def close(self) -> None:
        """Give back what the renderer holds; may be called twice."""

    def __enter__(self) -> Renderer:  # noqa: PYI034
        """Return the renderer itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the renderer."""
        self.close()
