"""Records contacts of single pairs of shapes, made by the reference (pip install mujoco==3.3.7).

The placements are those of tests/collision/pair_case.h. A line is a case: number of contacts, then
distance, position and normal of each.

    python3 record_pairs.py > pairs.txt
"""

import math

import mujoco

PAIRS = [(0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (2, 2), (2, 3), (2, 5), (2, 6), (3, 3), (3, 6),
         (6, 6), (2, 4), (3, 4), (3, 5), (4, 4), (4, 5), (4, 6), (5, 5), (5, 6)]
CASES = 48
MASK = (1 << 64) - 1


class Random:
    def __init__(self, seed):
        self.s = seed

    def next(self):
        self.s ^= self.s << 13 & MASK
        self.s ^= self.s >> 7
        self.s ^= self.s << 17 & MASK
        return self.s >> 11

    def real(self, lo, hi):
        return lo + (hi - lo) * (self.next() / 9007199254740992.0)

    def int(self, n):
        return self.next() % n

    def rotation(self):
        q, n = [], 0.0
        for _ in range(4):
            q.append(self.real(-1, 1))
            n += q[-1] * q[-1]
        n = math.sqrt(n)
        w, x, y, z = (v / n for v in q)
        return [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),
                2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z]

    def quarter(self):
        shift = self.int(3)
        return [1.0 * (c == (r + shift) % 3) for r in range(3) for c in range(3)]

    def case(self, kind):
        margin = 0 if self.int(2) else 0.0625
        size, pos = [], []
        for _ in range(6):
            size.append(self.real(0.05, 0.5) if kind == 0 else 0.125 * (1 + self.int(3)))
            pos.append(self.real(-0.35, 0.35) if kind == 0 else 0.125 * (self.int(7) - 3))
        mat = []
        for _ in range(2):
            mat += self.rotation() if kind == 0 else self.quarter()
        if kind == 2:
            mat[:9] = self.rotation()
            lift = size[2] + size[5] + (0 if self.int(2) else self.real(-0.01, 0.01))
            mat[9:] = mat[:9]
            pos[3:] = [pos[i] + lift * mat[3 * i + 2] for i in range(3)]
        return size, pos, mat, margin


def main():
    geom = "<body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    m = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geom}{geom}</worldbody></mujoco>")
    d = mujoco.MjData(m)
    m.geom_rbound[:] = 100
    random = Random(88172645463325252)
    for type1, type2 in PAIRS:
        m.geom_type[:] = type1, type2
        for k in range(CASES):
            size, pos, mat, margin = random.case(k % 3)
            m.geom_size[:] = [size[:3], size[3:]]
            m.geom_margin[:] = margin
            d.geom_xpos[:] = [pos[:3], pos[3:]]
            d.geom_xmat[:] = [mat[:9], mat[9:]]
            mujoco.mj_collision(m, d)
            numbers = [x for c in d.contact for x in (c.dist, *c.pos, *c.frame[:3])]
            print(d.ncon, *(f"{0 if abs(x) < 1e-15 else x:.11g}" for x in numbers))


main()
