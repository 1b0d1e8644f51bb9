"""Writes a model of one mesh: a bumpy torus of 2 N^2 triangles, not convex.

usage: torus.py N > torus.xml
"""

import math
import sys


def main():
    n = int(sys.argv[1])
    vertex, face = [], []
    for i in range(n):
        for j in range(n):
            u, v = 2 * math.pi * i / n, 2 * math.pi * j / n
            r = 0.3 * (1 + 0.2 * math.sin(9 * u) * math.cos(7 * v))
            vertex.append(f"{(0.7 + r * math.cos(v)) * math.cos(u):.6f} {(0.7 + r * math.cos(v)) * math.sin(u):.6f} {r * math.sin(v):.6f}")
            a, b, c, d = (n * (p % n) + q % n for p, q in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
            face.append(f"{a} {b} {c} {a} {c} {d}")
    print(f'<mujoco><asset><mesh name="torus" vertex="{" ".join(vertex)}" face="{" ".join(face)}"/></asset>')
    print('<worldbody><geom type="mesh" mesh="torus" euler="20 30 40"/></worldbody></mujoco>')


main()
