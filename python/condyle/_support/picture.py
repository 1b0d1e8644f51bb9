"""Models and states as pictures in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from condyle import _condyle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    import condyle

_WIDTH, _HEIGHT = 480, 360


def png(rgb: NDArray[np.uint8]) -> bytes:
    """Return colors (height, width, 3), or 4 with opacity, as a file (PNG, ISO/IEC 15948)."""
    import struct  # noqa: PLC0415
    import zlib  # noqa: PLC0415

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    height, width, channels = rgb.shape
    # a 0 before each row: no filter
    rows = np.zeros((height, 1 + channels * width), np.uint8)
    rows[:, 1:] = rgb.reshape(height, -1)
    kind = 6 if channels == 4 else 2
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6))
        + chunk(b"IEND", b"")
    )


def picture(model: condyle.MjModel, data: condyle.MjData) -> bytes | None:
    """Draw a state, seen by the free camera; None where nothing can be drawn."""
    from condyle.renderer import Renderer  # noqa: PLC0415

    try:
        frame = model.vis.global_
        height, width = min(_HEIGHT, frame.offheight), min(_WIDTH, frame.offwidth)
        with Renderer(model, height, width) as renderer:
            renderer.update_scene(data)
            return png(renderer.render())
    except (RuntimeError, _condyle.FatalError):
        return None


def _of_model(self: condyle.MjModel) -> bytes | None:
    """Draw the model in its reference configuration, or its first keyframe if it has one."""
    data = _condyle.MjData(self)
    if self.nkey:
        _condyle.mj_resetDataKeyframe(self, data, 0)
    _condyle.mj_forward(self, data)
    return picture(self, data)


def _of_data(self: condyle.MjData) -> bytes | None:
    """Draw the state."""
    return picture(self.model, self)


_condyle.MjModel._repr_png_ = _of_model  # type: ignore[attr-defined]
_condyle.MjData._repr_png_ = _of_data  # type: ignore[attr-defined]
