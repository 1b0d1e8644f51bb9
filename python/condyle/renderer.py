"""Pictures of a simulation as arrays: ``Renderer``."""

from __future__ import annotations

import contextlib
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle import gl_context
from condyle._support import gl

_TOO_LARGE = """\
Image {side} {size} > framebuffer {side} {most}. Either reduce the image
{side} or specify a larger offscreen framebuffer in the model XML using the
clause:
<visual>
  <global off{side}="my_{side}"/>
</visual>"""


def find_camera(model: condyle.MjModel, camera: int | str) -> condyle.MjvCamera:
    """Return a camera of a model by number or name, -1: the free one, or raise ValueError."""
    if isinstance(camera, str):
        number = condyle.mj_name2id(model, condyle.mjtObj.mjOBJ_CAMERA, camera)
        if number == -1:
            raise ValueError(f'The camera "{camera}" does not exist.')
    else:
        try:
            number = operator.index(camera)
        except TypeError:
            raise TypeError(
                f"camera must be a number, a name or an MjvCamera, got {camera!r}"
            ) from None
    if not -1 <= number < model.ncam:
        raise ValueError(f"The camera id {number} is out of range [-1, {model.ncam}).")
    found = condyle.MjvCamera()
    if number == -1:
        condyle.mjv_defaultFreeCamera(model, found)
    else:
        found.type = condyle.mjtCamera.mjCAMERA_FIXED
        found.fixedcamid = number
    return found


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
    RuntimeError
        There is no OpenGL context, with the reason; drawing is switched off (MUJOCO_GL).
    FatalError
        This build of Condyle does not draw, with the reason.
    """

    def __init__(
        self,
        model: condyle.MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: condyle.mjtFontScale = condyle.mjtFontScale.mjFONTSCALE_150,
    ) -> None:
        self._context: Any = None
        self._mjr_context: condyle.MjrContext | None = None
        if not isinstance(model, condyle.MjModel):
            raise TypeError(f"model must be an MjModel, got {model!r}")
        framebuffer = model.vis.global_
        for side, value, most in (
            ("width", width, framebuffer.offwidth),
            ("height", height, framebuffer.offheight),
        ):
            if gl.size(side, value, 0) > most:
                raise ValueError(_TOO_LARGE.format(side=side, size=value, most=most))
        gl.size("max_geom", max_geom, 0)
        scale = int(condyle.mjtFontScale(font_scale))
        if not hasattr(gl_context, "GLContext"):
            raise RuntimeError("drawing is switched off by the environment variable MUJOCO_GL")
        self._model = model
        self._rect = condyle.MjrRect(0, 0, width, height)
        self._scene = condyle.MjvScene(model, max_geom)
        self._option = condyle.MjvOption()
        self._depth = self._segmentation = False
        self._context = gl_context.GLContext(max(width, 1), max(height, 1))
        try:
            self._context.make_current()
            self._mjr_context = condyle.MjrContext(model, scale)
            condyle.mjr_setBuffer(condyle.mjtFramebuffer.mjFB_OFFSCREEN, self._mjr_context)
        except BaseException:
            # no context stays behind in this thread
            self.close()
            raise
        self._mjr_context.readDepthMap = condyle.mjtDepthMap.mjDEPTH_ZEROFAR

    @property
    def model(self) -> condyle.MjModel:
        """The model that is drawn."""
        return self._model

    @property
    def scene(self) -> condyle.MjvScene:
        """What is in the picture."""
        return self._scene

    @property
    def height(self) -> int:
        """Height of the pictures, pixels."""
        return self._rect.height

    @property
    def width(self) -> int:
        """Width of the pictures, pixels."""
        return self._rect.width

    def enable_depth_rendering(self) -> None:
        """Draw distances from now on."""
        self._segmentation = False
        self._depth = True

    def disable_depth_rendering(self) -> None:
        """Draw colors from now on."""
        self._depth = False

    def enable_segmentation_rendering(self) -> None:
        """Draw ids and types of objects from now on."""
        self._depth = False
        self._segmentation = True

    def disable_segmentation_rendering(self) -> None:
        """Draw colors from now on."""
        self._segmentation = False

    def update_scene(
        self,
        data: condyle.MjData,
        camera: int | str | condyle.MjvCamera = -1,
        scene_option: condyle.MjvOption | None = None,
    ) -> None:
        """Take what is to be drawn from a simulation.

        Parameters
        ----------
        data
            The state.
        camera
            A camera of the model by number or name, -1 for the free one, or any other.
        scene_option
            What is shown.

        Raises
        ------
        ValueError
            There is no such camera.
        """
        condyle.mjv_updateScene(
            self._model,
            data,
            scene_option if scene_option is not None else self._option,
            None,
            camera if isinstance(camera, condyle.MjvCamera) else find_camera(self._model, camera),
            condyle.mjtCatBit.mjCAT_ALL,
            self._scene,
        )

    def render(self, *, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Draw what ``update_scene`` has taken.

        Parameters
        ----------
        out
            An array of the picture's shape and type to fill.

        Returns
        -------
        picture
            Top row first: colors, (height, width, 3) uint8; distances along the optical axis,
            (height, width) float32, m, where nothing is hit that of the far plane; or number and
            mjtObj of the objects, (height, width, 2) int32, -1 where there is none.

        Raises
        ------
        RuntimeError
            The renderer is closed.
        ValueError
            ``out`` has another shape or type.
        """
        context = self._mjr_context
        if context is None:
            raise RuntimeError("render cannot be called after close.")
        shape: tuple[int, ...] = (self.height, self.width)
        kind: np.dtype[Any] = np.dtype(np.float32)
        if self._segmentation:
            shape, kind = (*shape, 2), np.dtype(np.int32)
        elif not self._depth:
            shape, kind = (*shape, 3), np.dtype(np.uint8)
        if out is None:
            out = np.empty(shape, kind)
        elif not isinstance(out, np.ndarray):
            raise TypeError(f"out should be an array, got {out!r}")
        elif out.shape != shape:
            raise ValueError(
                f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead."
            )
        elif out.dtype != kind:
            raise ValueError(f"out should be of type {kind}, not {out.dtype}")
        self._context.make_current()
        if self._depth:
            out[:] = self._draw_depth(context)
        elif self._segmentation:
            out[:] = self._draw_segmentation(context)
        else:
            out[:] = self._draw_colors(context)
        return out

    def _draw_colors(self, context: condyle.MjrContext) -> NDArray[np.uint8]:
        rgb = np.empty((self.height, self.width, 3), np.uint8)
        condyle.mjr_render(self._rect, self._scene, context)
        condyle.mjr_readPixels(rgb, None, self._rect, context)
        return rgb[::-1]

    def _draw_depth(self, context: condyle.MjrContext) -> NDArray[np.float32]:
        buffer = np.empty((self.height, self.width), np.float32)
        self._draw_numbers(context, None, buffer)
        extent = self._model.stat.extent
        near = self._model.vis.map.znear * extent
        far = self._model.vis.map.zfar * extent
        if context.readDepthMap == condyle.mjtDepthMap.mjDEPTH_ZERONEAR:
            buffer = 1 - buffer
        # z of the picture is 1 at the near plane and 0 at the far one:
        #   distance = near far / (near + z (far - near)), which is linear in z for parallel rays
        z = buffer.astype(np.float64)
        if self._scene.camera[0].orthographic:
            distance = far - z * (far - near)
        else:
            distance = near * far / (near + z * (far - near))
        return distance[::-1].astype(np.float32)

    def _draw_numbers(
        self,
        context: condyle.MjrContext,
        rgb: NDArray[np.uint8] | None,
        depth: NDArray[np.float32] | None,
    ) -> None:
        """Draw all shapes as solid ones in the colors of their numbers.

        A pixel is what is in its middle, however many samples the buffer has.
        """
        flags = self._scene.flags
        segment, color = condyle.mjtRndFlag.mjRND_SEGMENT, condyle.mjtRndFlag.mjRND_IDCOLOR
        before = flags[segment], flags[color]
        flags[segment] = flags[color] = 1
        try:
            condyle.mjr_render(self._rect, self._scene, context)
        finally:
            flags[segment], flags[color] = before
        condyle.mjr_readPixels(rgb, depth, self._rect, context)

    def _draw_segmentation(self, context: condyle.MjrContext) -> NDArray[np.int32]:
        picture = np.empty((self.height, self.width, 3), np.uint8)
        self._draw_numbers(context, picture, None)
        # the color of a shape is its number in the picture plus one; 0 is the background
        rgb = picture[::-1].astype(np.int32)
        number = rgb[..., 0] + (rgb[..., 1] << 8) + (rgb[..., 2] << 16)
        shapes = [g for g in self._scene.geoms[: self._scene.ngeom] if g.segid != -1]
        table = np.full((max((g.segid for g in shapes), default=-1) + 2, 2), -1, np.int32)
        for geom in shapes:
            table[geom.segid + 1] = geom.objid, geom.objtype
        return table[np.where(number < len(table), number, 0)]

    def close(self) -> None:
        """Give back what the renderer holds; may be called twice."""
        if self._mjr_context is not None:
            self._context.make_current()
            self._mjr_context.free()
            self._mjr_context = None
        if self._context is not None:
            self._context.free()
            self._context = None

    def __enter__(self) -> Renderer:  # noqa: PYI034
        """Return the renderer itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the renderer."""
        self.close()

    def __del__(self) -> None:
        """Close the renderer."""
        # at interpreter shutdown modules may be gone already
        with contextlib.suppress(AttributeError, TypeError):
            self.close()
