"""Moving pictures for pages: animated PNG, which every browser shows and which needs no codec.

Format: PNG's chunks, with acTL (number of frames) before the pictures, and fcTL (size, place,
duration) before each. The first picture is in IDAT, others in fdAT with a number in front.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Frame: TypeAlias = NDArray[np.uint8]

_UP = b"\x02"  # filter of rows: difference to the row above


def encode(frames: Sequence[Frame], fps: int) -> bytes:
    """Return pictures (height, width, 3) as an animated PNG that repeats for ever."""
    if not len(frames):
        raise ValueError("a moving picture needs a frame")
    height, width, _ = frames[0].shape
    chunks = [
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        _chunk(b"acTL", struct.pack(">II", len(frames), 0)),
    ]
    number = 0
    for i, frame in enumerate(frames):
        if frame.shape != (height, width, 3):
            raise ValueError(f"frame {i} has shape {frame.shape}, the first {(height, width, 3)}")
        control = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, 1, fps, 0, 0)
        chunks.append(_chunk(b"fcTL", control))
        number += 1
        if i == 0:
            chunks.append(_chunk(b"IDAT", _packed(frame)))
        else:
            chunks.append(_chunk(b"fdAT", struct.pack(">I", number) + _packed(frame)))
            number += 1
    chunks.append(_chunk(b"IEND", b""))
    return b"".join(chunks)


def element(frames: Sequence[Frame], fps: int, title: str) -> str:
    """Return an HTML image of the pictures."""
    data = base64.b64encode(encode(frames, fps)).decode("ascii")
    return f'<img alt="{title}" title="{title}" src="data:image/png;base64,{data}">'


def _packed(frame: Frame) -> bytes:
    above = np.concatenate([np.zeros_like(frame[:1]), frame[:-1]])
    rows = (frame - above).reshape(len(frame), -1)
    return zlib.compress(b"".join(_UP + row.tobytes() for row in rows), 6)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
