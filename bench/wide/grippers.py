"""Writes grippers whose meshes touch for good.   usage: grippers.py DIRECTORY

gripper_deep    four fingers of five links each; every link reaches into the one two before it, as linkages of parallel grippers do: twelve pairs
                of hulls that overlap in every pose
gripper_flush   prisms with flat sides in a row on slides, each face to face with the next at distance zero
arm_grazing     a seven-axis arm on which one pair of hulls touches with hardly any depth, all others are apart

The same bytes every time.
"""

import itertools
import math
import pathlib
import sys

from robots import Noise, numbers, shell, write_stl


class Parts:
    def __init__(self, folder, seed):
        self.folder, self.noise = folder, Noise(seed)
        self.assets, self.actuators, self.names = [], [], itertools.count()
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, vertices, faces):
        name = f"part_{next(self.names):02}"
        write_stl(self.folder / f"{name}.stl", vertices, faces)
        self.assets.append(f'<mesh name="{name}" file="{name}.stl"/>')
        return name

    def shell(self, place, half, rings=9, sectors=12, more=""):
        """A geom of a new uneven shell; (rings - 1) * sectors + 2 vertices are on its hull."""
        name = self.add(*shell(half, rings, sectors, 0.55, 0.08, self.noise))
        return f'<geom type="mesh" mesh="{name}" pos="{numbers(place)}" {more}/>'

    def prism(self, place, sides, radius, half, more=""):
        """A geom of a new prism with its axis along y."""
        ring = [(radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides)) for i in range(sides)]
        vertices = [(x, y, z) for y in (-half, half) for x, z in ring] + [(0, -half, 0), (0, half, 0)]
        faces = []
        for i in range(sides):
            a, b = i, (i + 1) % sides
            faces += [(a, b, sides + a), (b, sides + b, sides + a), (2 * sides, b, a), (2 * sides + 1, sides + a, sides + b)]
        name = self.add(vertices, faces)
        return f'<geom type="mesh" mesh="{name}" pos="{numbers(place)}" {more}/>'

    def write(self, option, world):
        (self.folder / "model.xml").write_text(f"""<mujoco model="{self.folder.name}">
  <option timestep="0.002" {option}/>
  <default><joint damping="0.5" armature="0.01"/><geom density="700"/></default>
  <asset>{"".join(self.assets)}</asset>
  <worldbody>{world}</worldbody>
  <actuator>{"".join(self.actuators)}</actuator>
</mujoco>
""")


def gripper_deep(folder):
    parts = Parts(folder, 7)

    def finger(name, y):
        inner = ""
        for i in reversed(range(5)):
            joint = f'<joint name="{name}_{i}" axis="1 0 0" range="-25 25" stiffness="2"/>'
            long = parts.shell((0, 0, 0.012), (0.016, 0.011, 0.052))
            inner = f'<body name="{name}_link_{i}" pos="0 {y if i == 0 else 0:.6g} 0.036">{joint}{long}{inner}</body>'
            parts.actuators.append(f'<position joint="{name}_{i}" kp="2" ctrlrange="-0.3 0.3"/>')
        return inner

    fingers = "".join(finger(f"finger_{k}", 0.04 * (k - 1.5)) for k in range(4))
    palm = parts.shell((0, 0, -0.02), (0.03, 0.08, 0.05), 11, 16)
    turn = '<joint name="wrist" axis="0 0 1" range="-90 90" damping="2"/>'
    parts.actuators.append('<position joint="wrist" kp="20" dampratio="1" ctrlrange="-1 1"/>')
    parts.write('gravity="0 0 0" cone="elliptic"', f'<body name="palm" pos="0 0 0.3">{turn}{palm}{fingers}</body>')


def gripper_flush(folder):
    parts = Parts(folder, 8)
    bodies, y = [], 0
    for i, sides in enumerate((4, 6, 8, 12, 16, 24, 32, 4, 8, 16, 12, 6)):
        joint = f'<joint name="slide_{i}" type="slide" axis="0 1 0" damping="20" stiffness="200"/>'
        geom = parts.prism((0, 0, 0), sides, 0.05, 0.03125)
        bodies.append(f'<body name="block_{i}" pos="0 {y:.6g} 0.2">{joint}{geom}</body>')
        y += 0.0625
    parts.write('gravity="0 0 0"', "".join(bodies))


def arm_grazing(folder):
    parts = Parts(folder, 9)
    inner = ""
    for i in reversed(range(7)):
        joint = f'<joint name="axis_{i}" axis="{"0 0 1" if i % 2 == 0 else "0 1 0"}" range="-120 120" damping="5"/>'
        geoms = parts.shell((0, 0, 0.06), (0.04, 0.04, 0.055))
        if i in (4, 6):
            # brackets of two links that are no neighbours, side by side along their shared axis
            geoms += parts.prism((0.1, 0.02 if i == 4 else -0.02, 0.2 if i == 4 else -0.06), 24, 0.03, 0.020005)
        inner = f'<body name="link_{i}" pos="0 0 {0.13 if i else 0.1}">{joint}{geoms}{inner}</body>'
        parts.actuators.append(f'<position joint="axis_{i}" kp="{(200, 200, 100, 100, 5, 5, 5)[i]}" dampratio="1" ctrlrange="-0.02 0.02"/>')
    parts.write('integrator="implicitfast"', '<geom type="plane" size="2 2 0.1"/>' + inner)


def main():
    out = pathlib.Path(sys.argv[1])
    for make in (gripper_deep, gripper_flush, arm_grazing):
        make(out / make.__name__)


if __name__ == "__main__":
    main()
