"""Writes scenes of many free boxes.   usage: crowds.py DIRECTORY

boxes_N     N boxes at rest on a plane, in a square, none touching another
pile_N      N boxes that fall into a bin, and come to rest on each other
"""

import math
import pathlib
import sys

BOXES = 30, 100, 300, 1000, 3000
PILES = 30, 100, 300, 1000


def body(x, y, z):
    return f'<body pos="{x:.3f} {y:.3f} {z:.3f}"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>'


def boxes(n):
    side = math.ceil(n**0.5)
    return "".join(body(0.5 * (i % side), 0.5 * (i // side), 0.1) for i in range(n))


def pile(n):
    """Layers of boxes with gaps, every second one shifted, four times as high as the floor of the bin is wide or less."""
    side = max(2, round((n / 4) ** 0.5))
    width = 0.22 * side
    walls = [(-0.17, width / 2, 0.05, width), (width + 0.02, width / 2, 0.05, width), (width / 2, -0.17, width, 0.05),
             (width / 2, width + 0.02, width, 0.05)]
    sides = "".join(f'<geom type="box" pos="{x:.3f} {y:.3f} 1" size="{a:.3f} {b:.3f} 1"/>' for x, y, a, b in walls)
    places = ((i % side, i // side % side, i // side**2) for i in range(n))
    return sides + "".join(body(0.22 * i + 0.02 * (k % 2), 0.22 * j, 0.15 + 0.21 * k) for i, j, k in places)


def write(folder, things):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.xml").write_text(f"""<mujoco model="{folder.name}">
  <size memory="1G"/>
  <worldbody><geom type="plane" size="50 50 0.1"/>{things}</worldbody>
</mujoco>
""")


def main():
    out = pathlib.Path(sys.argv[1])
    for n in BOXES:
        write(out / f"boxes_{n}", boxes(n))
    for n in PILES:
        write(out / f"pile_{n}", pile(n))


if __name__ == "__main__":
    main()
