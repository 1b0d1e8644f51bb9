#!/usr/bin/env python3
"""Compares pictures of two engines, made by picture.c: segments, depths and colors.

usage: compare.py WIDTH HEIGHT OUR REF [SIDE_BY_SIDE.png]
       compare.py --test PICTURE PICTURE_REF FOLDER ZOO.xml MODELS      draws them first, with many options
       compare.py --table PICTURE PICTURE_REF FOLDER MODELS...          the ten worst of many models, as Markdown and FOLDER/worst.png

Figures: the share of equal segments, the part of the depth range by which depths differ at most where segments are
equal (but for 0.1% of pixels), and the mean difference of colors of 255. Needs nothing but Python.
"""
import array
import pathlib
import struct
import subprocess
import sys
import zlib

LIMITS = (0.995, 1e-3, 6.0)  # segments, depth, color
SIZE = (200, 150)

# what is drawn of the zoo: flags of a scene (-r) and of options (-v), labels, cameras
OPTIONS = [
    ("-r 0",), ("-r 0", "-r 1"), ("-r 2",), ("-r 3",), ("-r 4",), ("-r 5",), ("-r 6",), ("-v 1",), ("-v 18",), ("-v 0",),
    ("-v 2", "-v 3", "-v 6"), ("-v 10", "-v 14", "-v 16"), ("-g 1",), ("-c c",), ("-e -10",), ("-a 200", "-d 0.5"),
]


def read(name):
    """The files of a picture: bytes of colors, numbers of shapes, depths of the latter."""
    path = pathlib.Path(name)
    segments = path.with_name(path.name + ".seg").read_bytes()
    depths = array.array("f", path.with_name(path.name + ".sdp").read_bytes())
    return path.with_name(path.name + ".rgb").read_bytes(), segments, depths


def compare(our, ref):
    """The three figures of two pictures."""
    n = len(our[2])
    same = [i for i in range(n) if our[1][3 * i : 3 * i + 3] == ref[1][3 * i : 3 * i + 3]]
    depths = sorted(abs(our[2][i] - ref[2][i]) for i in same)
    color = sum(abs(a - b) for a, b in zip(our[0], ref[0])) / (3 * n)
    return len(same) / n, depths[int(0.999 * (len(depths) - 1))] if depths else 0.0, color


def write_png(name, rgb, width, height):
    """Writes colors, rows upwards."""
    rows = (b"\0" + rgb[3 * width * y : 3 * width * (y + 1)] for y in reversed(range(height)))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b""))


def beside(pictures, width, height):
    """The colors of pictures of one size, side by side."""
    return b"".join(it[3 * width * y : 3 * width * (y + 1)] for y in range(height) for it in pictures)


def side_by_side(our, ref, width, height):
    """Both pictures, and four times their difference."""
    difference = bytes(min(255, 4 * abs(a - b)) for a, b in zip(our, ref))
    return beside((our, ref, difference), width, height)


def write_worst(file, folder, names):
    """The pictures of models side by side, in two columns."""
    width, height = 3 * SIZE[0], SIZE[1]
    pairs = (read(f"{folder}/{name.replace(' ', '_')}{end}")[0] for name in names for end in (".our", ".ref"))
    parts = [side_by_side(our, ref, *SIZE) for our, ref in zip(pairs, pairs)]
    parts += [bytes(3 * width * height)] * (len(parts) % 2)
    rows = [beside(parts[i : i + 2], width, height) for i in reversed(range(0, len(parts), 2))]
    write_png(file, b"".join(rows), 2 * width, len(rows) * height)


def draw(program, out, model, options):
    """Runs a program; 77 of an engine that has no OpenGL here ends the test as skipped."""
    words = [word for option in options for word in option.split()]
    size = "x".join(map(str, SIZE))
    done = subprocess.run([program, "-s", size, "-q", "512", *words, out, model], capture_output=True, text=True)
    if done.returncode == 77:
        print(done.stdout.strip())
        sys.exit(77)
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def compare_models(programs, folder, pictures):
    """(figures, name) of pictures that both engines draw: (model, options)."""
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    seen = set()
    for model, options in pictures:
        name = " ".join((pathlib.Path(model).stem, *options))
        if name in seen:  # of another folder
            name = f"{pathlib.Path(model).parent.name} {name}"
        seen.add(name)
        out = f"{folder}/{name.replace(' ', '_')}"
        for old in pathlib.Path(folder).glob(pathlib.Path(out).name + ".*"):
            old.unlink()
        drawn = [draw(program, out + end, model, options) for program, end in zip(programs, (".our", ".ref"))]
        # the reference's own errors of OpenGL are not ours
        if not drawn[0][0]:
            yield None, f"{name}: {drawn[0][1]}"
        elif pathlib.Path(out + ".ref.seg").exists():
            our, ref = read(out + ".our"), read(out + ".ref")
            write_png(out + ".png", side_by_side(our[0], ref[0], *SIZE), 3 * SIZE[0], SIZE[1])
            yield compare(our, ref), name


def is_good(figures):
    return figures and figures[0] >= LIMITS[0] and figures[1] <= LIMITS[1] and figures[2] <= LIMITS[2]


def main():
    if sys.argv[1] == "--test":
        programs, folder, zoo, models = sys.argv[2:4], sys.argv[4], sys.argv[5], sys.argv[6]
        pictures = [(zoo, ())] + [(zoo, options) for options in OPTIONS]
        pictures += [(str(model), ()) for model in sorted(pathlib.Path(models).glob("*.xml"))]
        results = list(compare_models(programs, folder, pictures))
        for figures, name in results:
            if not is_good(figures):
                print(f"{name}: segments, depth, color", figures)
        failed = sum(not is_good(figures) for figures, _ in results)
        print(f"{len(results) - failed} passed, {failed} failed")
        return failed > 0
    if sys.argv[1] == "--table":
        pictures = [(model, ("-t 0.1",)) for model in sys.argv[5:]]
        results = [row for row in compare_models(sys.argv[2:4], sys.argv[4], pictures) if row[0]]
        results.sort(key=lambda row: -row[0][2])
        print(f"{len(results)} models; the worst by color\n\n| model | segments | depth | color |\n|---|---|---|---|")
        for (segments, depth, color), name in results[:10]:
            print(f"| {name.removesuffix(' -t 0.1')} | {segments:.4f} | {depth:.1e} | {color:.2f} |")
        write_worst(f"{sys.argv[4]}/worst.png", sys.argv[4], [name for _, name in results[:10]])
        print(f"\nleast segments {min(r[0][0] for r in results):.4f}, largest depth {max(r[0][1] for r in results):.1e}")
        return 0
    width, height = int(sys.argv[1]), int(sys.argv[2])
    our, ref = read(sys.argv[3]), read(sys.argv[4])
    print("segments %.4f depth %.2e color %.3f" % compare(our, ref))
    if len(sys.argv) > 5:
        write_png(sys.argv[5], side_by_side(our[0], ref[0], width, height), 3 * width, height)
    return 0


if __name__ == "__main__":
    sys.exit(main())
