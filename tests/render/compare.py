#!/usr/bin/env python3
"""Compares two pictures of picture.c: segments, depths and colors.

usage: compare.py WIDTH HEIGHT OUR REF [SIDE_BY_SIDE.png]

Prints the share of equal segments, the largest share of the depth range by which depths differ where segments are
equal (all but 0.1% of pixels), and the mean difference of colors of 255.
"""
import struct
import sys
import zlib

import numpy as np


def read(name, width, height):
    n = (height, width)
    return {
        "rgb": np.fromfile(name + ".rgb", np.uint8).reshape(*n, 3)[::-1].astype(int),
        "seg": np.fromfile(name + ".seg", np.uint8).reshape(*n, 3)[::-1].astype(int) @ [1, 256, 65536],
        "dep": np.fromfile(name + ".dep", np.float32).reshape(n)[::-1],
        "sdp": np.fromfile(name + ".sdp", np.float32).reshape(n)[::-1],
    }


def compare(our, ref):
    """The three figures of two pictures."""
    same = our["seg"] == ref["seg"]
    depth = np.abs(our["sdp"] - ref["sdp"])[same]
    return same.mean(), np.quantile(depth, 0.999) if depth.size else 0.0, np.abs(our["rgb"] - ref["rgb"]).mean()


def write_png(name, image):
    """Writes (height, width, 3) bytes."""
    height, width, _ = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in image.astype(np.uint8))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    width, height = int(sys.argv[1]), int(sys.argv[2])
    our, ref = read(sys.argv[3], width, height), read(sys.argv[4], width, height)
    print("segments %.4f depth %.2e color %.3f" % compare(our, ref))
    if len(sys.argv) > 5:
        difference = np.clip(4 * np.abs(our["rgb"] - ref["rgb"]), 0, 255)
        write_png(sys.argv[5], np.concatenate([our["rgb"], ref["rgb"], difference], axis=1))


if __name__ == "__main__":
    main()
