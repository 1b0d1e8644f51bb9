"""Writes kitchens.   usage: kitchen.py DIRECTORY

kitchen         68 dofs in 36 moving parts: an arm on a mobile base, 20 doors, drawers, knobs and taps, six objects of convex pieces that
                stand about. 359 geoms move and 529 are fixed: cabinets, shelves, walls, dishes of convex pieces; beside what collides
                there are boxes that are only seen. Bodies that may meet have a quarter of a million pairs of geoms
kitchen_fused   the same with all that is fixed in the world's body

The same bytes every time.
"""

import itertools
import math
import pathlib
import sys

from robots import Noise, numbers, shell, write_stl

DEPTH, HEIGHT, WIDTH, WALL = 0.6, 0.9, 0.6, 0.01  # of a cabinet and its panels


def box(place, half, more=""):
    return f'<geom type="box" pos="{numbers(place)}" size="{numbers(half)}" {more}/>'


def seen(place, half):
    """What a camera sees and nothing touches."""
    return box(place, half, 'class="visual"')


class Kitchen:
    def __init__(self, folder):
        self.folder, self.noise = folder, Noise(44)
        self.assets, self.actuators, self.names = [], [], itertools.count()
        folder.mkdir(parents=True, exist_ok=True)

    def piece(self, place, half, more=""):
        """A geom of a new convex mesh with 34 vertices on its hull."""
        name = f"piece_{next(self.names):03}"
        write_stl(self.folder / f"{name}.stl", *shell(half, 5, 8, 0.6, 0.1, self.noise))
        self.assets.append(f'<mesh name="{name}" file="{name}.stl"/>')
        return f'<geom type="mesh" mesh="{name}" pos="{numbers(place)}" {more}/>'

    def bowl(self, name, place, radius, pieces, joint=""):
        """A dish as its convex pieces: a floor and a ring."""
        geoms = [self.piece((0, 0, 0.008), (0.8 * radius, 0.8 * radius, 0.008))]
        for i in range(pieces - 1):
            angle = 2 * math.pi * i / (pieces - 1)
            c, s = math.cos(angle), math.sin(angle)
            side = math.pi * radius / (pieces - 1)
            more = f'euler="0 0 {math.degrees(angle):.6g}"'
            geoms.append(self.piece((radius * c, radius * s, 0.04), (0.008, side, 0.04), more))
        geoms.append(seen((0, 0, 0.04), (radius, radius, 0.04)))
        return f'<body name="{name}" pos="{numbers(place)}">{joint}{"".join(geoms)}</body>'

    def carcass(self, width, height, depth, shelves=0):
        """Five panels around a room that is open to the front (-y), shelves in it, and what is seen of them."""
        w, h, d = width / 2, height / 2, depth / 2
        geoms = [box((-w + WALL, 0, h), (WALL, d, h)), box((w - WALL, 0, h), (WALL, d, h)), box((0, 0, WALL), (w, d, WALL)),
                 box((0, 0, height - WALL), (w, d, WALL)), box((0, d - WALL, h), (w, WALL, h))]
        geoms += [box((0, 0, height * (i + 1) / (shelves + 1)), (w - 2 * WALL, d - 2 * WALL, WALL)) for i in range(shelves)]
        return geoms + [seen((0, 0, h), (w, d, h))]

    def part(self, name, place, joint, geoms):
        return f'<body name="{name}" pos="{numbers(place)}"><joint name="{name}" {joint}/>{"".join(geoms)}</body>'

    def door(self, name, place, width, height, side):
        """A leaf that turns about its left (-1) or right (1) edge, with a handle."""
        w, h = width / 2 - 0.003, height / 2 - 0.003
        geoms = [box((-side * w, 0, 0), (w, WALL, h)), self.piece((-side * 1.8 * w, -0.03, 0), (0.008, 0.008, 0.08)),
                 box((-side * 1.8 * w, -0.015, 0.07), (0.005, 0.008, 0.005)), box((-side * 1.8 * w, -0.015, -0.07), (0.005, 0.008, 0.005)),
                 seen((-side * w, 0, 0), (w, WALL, h))]
        geoms += [self.piece((-side * (0.4 + 0.3 * i) * w, -0.012, (0.3 * k - 0.45) * 2 * h), (0.12 * w, 0.006, 0.1 * h))
                  for i in range(4) for k in range(4)]
        return self.part(name, place, f'axis="0 0 {side}" range="0 150"', geoms)

    def drawer(self, name, place, width, height, depth):
        w, h, d = width / 2 - 0.015, height / 2 - 0.01, depth / 2 - 0.015
        geoms = [box((0, -d, 0), (w + 0.01, WALL, h)), box((0, d, 0), (w, WALL, h)), box((-w, 0, 0), (WALL, d - 0.02, h)),
                 box((w, 0, 0), (WALL, d - 0.02, h)), box((0, 0, -h + 0.006), (w, d, 0.005)),
                 self.piece((0, -d - 0.03, 0), (0.05, 0.008, 0.008)), seen((0, 0, 0), (w, d, h))]
        geoms += [self.piece((0.4 * (i - 1) * w, (0.3 * k - 0.45) * 2 * d, 0), (0.004, 0.1 * d, 0.8 * h)) for i in range(3) for k in range(4)]
        return self.part(name, place, f'type="slide" axis="0 -1 0" range="0 {0.8 * depth:.6g}"', geoms)

    def knob(self, name, place, more='axis="0 -1 0" range="0 270"'):
        ridges = [self.piece((0.018 * math.cos(i), 0, 0.018 * math.sin(i)), (0.004, 0.012, 0.004)) for i in range(6)]
        return self.part(name, place, more, [self.piece((0, 0, 0), (0.02, 0.015, 0.02)), *ridges, seen((0, 0, 0), (0.02, 0.015, 0.02))])

    def base_cabinet(self, i, x):
        """Below the counter: with three drawers, with a door, or without front."""
        parts = []
        if i % 4 == 1:
            parts = [self.drawer(f"drawer_{i}_{k}", (0, -0.01, 0.17 + 0.27 * k), WIDTH - 0.05, 0.25, DEPTH - 0.05) for k in range(3)]
        elif i % 4 == 3:
            parts = [self.door(f"door_{i}", (-WIDTH / 2, -DEPTH / 2 - 0.013, HEIGHT / 2), WIDTH, HEIGHT - 0.05, -1)]
        top = [box((0, 0, HEIGHT + 0.02), (WIDTH / 2, DEPTH / 2 + 0.02, 0.019)), box((0, DEPTH / 2, HEIGHT + 0.14), (WIDTH / 2, 0.01, 0.1))]
        geoms = self.carcass(WIDTH, HEIGHT, DEPTH, 0 if parts else 2)
        return f'<body name="base_{i}" pos="{numbers((x, 0, 0))}">{"".join(geoms + top + parts)}</body>'

    def wall_cabinet(self, i, x):
        parts = [self.door(f"leaf_{i}", (-WIDTH / 2, -0.185, 0.35), WIDTH, 0.66, -1)] if i % 3 == 1 else []
        return f'<body name="wall_{i}" pos="{numbers((x, 0.12, 1.5))}">{"".join(self.carcass(WIDTH, 0.7, 0.34, 2) + parts)}</body>'

    def fridge(self, x):
        parts = [self.door("fridge_upper", (-0.4, -0.335, 1.25), 0.8, 1.1, -1), self.door("fridge_lower", (-0.4, -0.335, 0.35), 0.8, 0.66, -1)]
        return f'<body name="fridge" pos="{numbers((x, 0, 0))}">{"".join(self.carcass(0.8, 1.9, 0.64, 6) + parts)}</body>'

    def oven(self, x):
        bars = [box((0.05 * i - 0.22, 0, 0.4), (0.004, 0.22, 0.004)) for i in range(10)]
        hobs = [self.piece((0.15 * a, 0.13 * b, HEIGHT + 0.01), (0.08, 0.08, 0.008)) for a in (-1, 1) for b in (-1, 1)]
        knobs = [self.knob(f"knob_{i}", (0.12 * i - 0.18, -0.33, 0.85)) for i in range(4)]
        door = self.part("oven_door", (0, -0.33, 0.12), 'axis="1 0 0" range="0 90"',
                         [box((0, 0, 0.3), (0.28, WALL, 0.29)), self.piece((0, -0.03, 0.55), (0.2, 0.01, 0.01)), seen((0, 0, 0.3), (0.28, WALL, 0.29))])
        return f'<body name="oven" pos="{numbers((x, 0, 0))}">{"".join(self.carcass(WIDTH, HEIGHT, DEPTH) + bars + hobs + knobs)}{door}</body>'

    def sink(self, x):
        walls = [box((sx * 0.2, 0, 0.8), (0.01, 0.2, 0.1)) for sx in (-1, 1)] + [box((0, sy * 0.2, 0.8), (0.2, 0.01, 0.1)) for sy in (-1, 1)]
        walls += [box((0, 0, 0.7), (0.2, 0.2, 0.01)), box((0, 0, 0.3), (0.28, 0.28, 0.28))]
        taps = [self.knob(f"tap_{i}", (0.12 * i - 0.06, 0.25, 0.98), 'axis="0 0 1" range="-90 90"') for i in range(2)]
        spout = self.part("spout", (0, 0.25, 1), 'axis="0 0 1" range="-80 80"',
                          [self.piece((0, 0, 0.1), (0.015, 0.015, 0.1)), self.piece((0, -0.09, 0.2), (0.015, 0.1, 0.012))])
        return f'<body name="sink" pos="{numbers((x, 0, 0))}">{"".join(walls + taps)}{spout}</body>'

    def arm(self):
        """Three dofs of the base, seven axes, two fingers; every link of two or three convex pieces."""
        fingers = [self.part(f"finger_{side}", (0, 0.03 * side, 0.1), f'type="slide" axis="0 {side} 0" range="-0.02 0.03"',
                             [self.piece((0, 0, 0.03), (0.012, 0.008, 0.03)), self.piece((0, -0.006 * side, 0.05), (0.01, 0.006, 0.012))])
                   for side in (-1, 1)]
        inner = "".join(fingers)
        for i in reversed(range(7)):
            geoms = [self.piece((0, 0, 0.07), (0.05, 0.05, 0.06)), self.piece((0, 0.03, 0.13), (0.04, 0.04, 0.04)),
                     seen((0, 0, 0.08), (0.05, 0.06, 0.09))]
            if i == 6:
                geoms.append(self.piece((0, 0, 0.07), (0.04, 0.1, 0.025)))
            joint = f'<joint name="axis_{i}" axis="{"0 0 1" if i % 2 == 0 else "0 1 0"}" range="-150 150"/>'
            inner = f'<body name="link_{i}" pos="0 0 {0.16 if i else 0.55}">{joint}{"".join(geoms)}{inner}</body>'
        wheels = [self.piece((0.2 * a, 0.2 * b, 0.08), (0.05, 0.03, 0.06)) for a in (-1, 1) for b in (-1, 1)]
        joints = ('<joint name="base_x" type="slide" axis="1 0 0"/><joint name="base_y" type="slide" axis="0 1 0"/>'
                  '<joint name="base_turn" axis="0 0 1"/>')
        base = [box((0, 0, 0.3), (0.25, 0.25, 0.15)), self.piece((0, 0, 0.48), (0.1, 0.1, 0.05)), *wheels]
        names = ["base_x", "base_y", "base_turn", *(f"axis_{i}" for i in range(7)), "finger_-1", "finger_1"]
        for name, kp in zip(names, (2000, 2000, 1000, 400, 400, 300, 300, 100, 100, 50, 300, 300), strict=True):
            self.actuators.append(f'<position joint="{name}" kp="{kp}" dampratio="1" ctrlrange="-0.6 0.6"/>')
        return f'<body name="robot" pos="-0.2 -1.1 0">{joints}{"".join(base)}{inner}</body>'

    def write(self):
        world = ['<geom type="plane" size="5 5 0.1"/>', box((0.5, 0.36, 1.5), (3.5, 0.03, 1.5)), box((-3, -2, 1.5), (0.03, 2.3, 1.5)),
                 box((4, -2, 1.5), (0.03, 2.3, 1.5))]
        xs = [-2.4 + WIDTH * i for i in range(9)]
        for i, x in enumerate(xs):
            world.append(self.oven(x) if i == 4 else self.sink(x) if i == 6 else self.base_cabinet(i, x))
            if i != 4:
                world.append(self.wall_cabinet(i, x))
        world.append(self.fridge(3.2))
        top = HEIGHT + 0.04
        place = itertools.count()
        for x in [x for i, x in enumerate(xs) if i not in (4, 6)]:
            world += [self.bowl(f"dish_{next(place)}", (x + dx, 0.08, top), 0.075, 15) for dx in (-0.18, 0.1)]
            world.append(self.bowl(f"dish_{next(place)}", (x - 0.1, 0.13, 1.53), 0.07, 13))
        island = [box((0, 0, HEIGHT / 2), (0.8, 0.35, HEIGHT / 2)), box((0, 0, HEIGHT + 0.02), (0.9, 0.45, 0.019)), seen((0, 0, 0.45), (0.8, 0.35, 0.45))]
        world.append(f'<body name="island" pos="1.2 -2.2 0">{"".join(island)}</body>')
        world += [self.bowl(f"dish_{next(place)}", (0.6 + 0.25 * i, -2.3, top), 0.08, 15) for i in range(5)]
        free = "<freejoint/>"
        world += [self.bowl(f"object_{i}", (x, y, top + 0.002), 0.07, 8 + 2 * (i % 3), free)
                  for i, (x, y) in enumerate(((-1.5, -0.2), (-0.3, -0.2), (1, -0.2), (2.1, -0.2), (0.8, -2.02), (1.5, -2.02)))]
        world.append(self.arm())
        text = f"""<mujoco model="kitchen">
  <option timestep="0.002" integrator="implicitfast" cone="elliptic"/>
  <default><joint damping="2" armature="0.01" frictionloss="0.2"/><geom type="mesh" density="500"/>
    <default class="visual"><geom contype="0" conaffinity="0" group="2" mass="0"/></default></default>
  <asset>{"".join(self.assets)}</asset>
  <worldbody>{"".join(world)}</worldbody>
  <actuator>{"".join(self.actuators)}</actuator>
</mujoco>
"""
        (self.folder / "model.xml").write_text(text)
        fused = self.folder.with_name(f"{self.folder.name}_fused")
        fused.mkdir(exist_ok=True)
        text = text.replace("<option", '<compiler fusestatic="true"/><option', 1)
        (fused / "model.xml").write_text(text.replace('file="', f'file="../{self.folder.name}/'))


if __name__ == "__main__":
    Kitchen(pathlib.Path(sys.argv[1]) / "kitchen").write()
