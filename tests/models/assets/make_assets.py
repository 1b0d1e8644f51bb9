"""Writes the small binary files that the models of this folder read.

usage: python3 make_assets.py        (writes beside this file; needs nothing but Python)
"""

import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).parent

# a roof without symmetry: a box whose top is pushed to one side; triangles are counter-clockwise outside
VERTICES = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0), (0.3, 0.1, 0.7), (1.2, 0.1, 0.9), (1.1, 0.8, 0.8), (0.2, 0.7, 0.6)]
QUADS = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
TRIANGLES = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]


def png(name, width, height, channels, pixel, srgb=False):
    """An image of 8 bits per channel; pixel(x, y) gives the channels."""
    colour = {1: 0, 3: 2, 4: 6}[channels]
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in pixel(x, y)) for y in range(height))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))]
    chunks += [(b"sRGB", b"\0")] if srgb else []
    chunks += [(b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    out = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks:
        out += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    (HERE / name).write_bytes(out)


def stl(name, vertices, triangles):
    out = bytes(80) + struct.pack("<i", len(triangles))
    for t in triangles:
        out += struct.pack("<12fH", 0, 0, 0, *(x for i in t for x in vertices[i]), 0)
    (HERE / name).write_bytes(out)


def msh(name, vertices, texcoords, triangles):
    out = struct.pack("<4i", len(vertices), 0, len(texcoords), len(triangles))
    out += b"".join(struct.pack("<3f", *v) for v in vertices) + b"".join(struct.pack("<2f", *t) for t in texcoords)
    (HERE / name).write_bytes(out + b"".join(struct.pack("<3i", *t) for t in triangles))


def obj(name, vertices, quads):
    lines = ["v %g %g %g" % v for v in vertices] + ["vt %g %g" % t for t in ((0, 0), (1, 0), (1, 0.5), (0, 0.5))]
    lines += ["vn 0 0 -1", "vn 0 0 1", "vn 0 -1 0", "vn 1 0 0", "vn 0 1 0", "vn -1 0 0"]
    lines += ["f " + " ".join("%d/%d/%d" % (v + 1, k + 1, n + 1) for k, v in enumerate(q)) for n, q in enumerate(quads)]
    (HERE / name).write_text("\n".join(lines) + "\n")


def heights(x, y):
    return (20 * x + 30 * y + 7 * x * y) % 251


def main():
    stl("roof.stl", VERTICES, TRIANGLES)
    obj("roof.obj", VERTICES, QUADS)
    msh("roof.msh", VERTICES, [(v[0] / 2, v[1]) for v in VERTICES], TRIANGLES)

    png("hills.png", 5, 4, 1, lambda x, y: [heights(x, y)])
    png("hills_rgb.png", 4, 3, 3, lambda x, y: [heights(x, y), 40 * x, 60 * y])
    cells = [heights(x, y) / 10 for y in range(3) for x in range(4)]
    (HERE / "hills.bin").write_bytes(struct.pack("<2i12f", 3, 4, *cells))

    png("tile.png", 4, 4, 3, lambda x, y: [60 * x, 60 * y, 200], srgb=True)
    png("tile_grey.png", 4, 4, 1, lambda x, y: [60 * x])
    png("tile_alpha.png", 3, 5, 4, lambda x, y: [80 * x, 50 * y, 100, 40 * x + 20])
    png("grid.png", 8, 6, 3, lambda x, y: [30 * x, 40 * y, 5 * x * y])
    png("strip.png", 12, 2, 3, lambda x, y: [20 * x, 90 * y, 10])
    for i, face in enumerate(("right", "left", "up", "down", "front", "back")):
        png("face_%s.png" % face, 2, 2, 3, lambda x, y: [40 * i, 100 * x, 100 * y])
    (HERE / "tile.bin").write_bytes(struct.pack("<2i", 3, 2) + bytes(range(10, 28)))
    (HERE / "tile.ktx").write_bytes(b"\xabKTX 11\xbb\r\n\x1a\n" + bytes(range(24)))


main()
