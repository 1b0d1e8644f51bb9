"""Writes scenes of many things.   usage: crowds.py DIRECTORY

boxes_N     N boxes at rest on a plane, in a square, none touching another
pile_N      N boxes that fall into a bin, and come to rest on each other
swarm_N     N robots of ten dofs, a ball on four sprung legs, that land on a plane
chain_N     a chain of N hinges that falls on a plane, every tenth link of which touches
"""

import math
import pathlib
import sys

BOXES = 30, 100, 300, 1000, 3000
PILES = 30, 100, 300, 1000
SWARMS = 10, 30, 100, 300
CHAINS = 30, 100, 300


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


def legged(x, y):
    legs = ""
    for i, j in (1, 0), (-1, 0), (0, 1), (0, -1):
        legs += (f'<body pos="{0.15 * i} {0.15 * j} 0"><joint axis="{-j} {i} 0" range="-60 60" damping="0.5" stiffness="5"/>'
                 f'<geom type="capsule" fromto="0 0 0 {0.15 * i} {0.15 * j} -0.2" size="0.03"/></body>')
    return f'<body pos="{x:.2f} {y:.2f} 0.35"><freejoint/><geom size="0.15"/>{legs}</body>'


def swarm(n):
    side = math.ceil(n**0.5)
    return "".join(legged(1.2 * (i % side), 1.2 * (i // side)) for i in range(n))


def chain(n):
    links = ""
    for i in range(n):
        touches = "" if i % 10 == 0 else ' contype="0" conaffinity="0"'
        links += (f'<body pos="0.1 0 0"><joint axis="0 {i % 2} {(i + 1) % 2}" stiffness="50" damping="1"/>'
                  f'<geom type="box" size="0.03 0.03 0.03" pos="0.05 0 0"{touches}/>')
    return f'<body pos="0 0 0.2"><freejoint/><geom type="box" size="0.05 0.05 0.02"/>{links}' + "</body>" * (n + 1)


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
    for n in SWARMS:
        write(out / f"swarm_{n}", swarm(n))
    for n in CHAINS:
        write(out / f"chain_{n}", chain(n))


if __name__ == "__main__":
    main()
