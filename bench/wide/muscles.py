"""Writes an arm of muscles.   usage: muscles.py DIRECTORY

arm_48      seven joints from shoulder to wrist, a hand of five fingers with two joints each; 48 muscles on tendons
            that wrap around a cylinder or a sphere at a joint, under changing activations
"""

import math
import pathlib
import sys

# name, length and axes of the joints at its beginning, limits, radius of what tendons wrap around, muscles over it
LINKS = (("upper", 0.30, ("1 0 0", "0 1 0", "0 0 1"), 70, 0.035, 14), ("fore", 0.26, ("0 1 0", "0 0 1"), 75, 0.025, 8),
         ("palm", 0.09, ("0 1 0", "1 0 0"), 50, 0.018, 6))
FINGERS = 5


def place(k, n):
    """Where muscle k of n passes a bone: turned around it."""
    angle = 2 * math.pi * k / n
    return math.cos(angle), math.sin(angle)


class Arm:
    """Writes bones from the shoulder down, and collects the tendons that cross each joint."""

    def __init__(self):
        self.tendons = []
        self.lengths = []  # with straight joints

    def muscle(self, origin, wrap, side, insertion, length):
        name = f"m{len(self.tendons)}"
        around = f'<geom geom="{wrap}"' + (f' sidesite="{side}"' if side else "") + "/>"
        self.tendons.append(f'<spatial name="{name}" width="0.002"><site site="{origin}"/>{around}<site site="{insertion}"/></spatial>')
        self.lengths.append(length)

    def joints(self, axes, limit):
        return "".join(f'<joint axis="{axis}" range="{-limit} {limit}"/>' for axis in axes)

    def link(self, index, before):
        """A bone below one of length `before`; the sites of muscles over its joint lie on both."""
        name, length, axes, limit, radius, muscles = LINKS[index]
        sites, own = "", ""
        for k in range(muscles):
            c, s = place(k, muscles)
            r = 1.4 * radius
            sites += f'<site name="{name}_o{k}" pos="{r * c:.4f} {r * s:.4f} {-0.6 * before:.4f}"/>'
            own += f'<site name="{name}_i{k}" pos="{r * c:.4f} {r * s:.4f} {-0.35 * length:.4f}"/>'
            side = f"{name}_s{k}" if k % 2 else ""
            if side:
                own += f'<site name="{side}" pos="{1.2 * r * c:.4f} {1.2 * r * s:.4f} 0"/>'
            self.muscle(f"{name}_o{k}", f"{name}_wrap", side, f"{name}_i{k}", 0.4 * before + 0.35 * length)
        wrap = f'<geom name="{name}_wrap" type="sphere" size="{0.8 * radius:.4f}" contype="0" conaffinity="0" group="3"/>'
        below = self.link(index + 1, length) if index + 1 < len(LINKS) else self.fingers(length)
        return (f'{sites}<body name="{name}" pos="0 0 {-before:.3f}">{self.joints(axes, limit)}{wrap}'
                f'<geom type="capsule" fromto="0 0 -0.03 0 0 {-length + 0.02:.3f}" size="{radius:.3f}"/>{own}{below}</body>')

    def finger(self, f, parent_length):
        y = 0.018 * (f - (FINGERS - 1) / 2)
        out, inner = "", ""
        for k, x in enumerate((0.012, -0.012)):
            out += f'<site name="f{f}_o{k}" pos="{x} {y:.3f} {-0.6 * parent_length:.4f}"/>'
            out += f'<site name="f{f}_p{k}" pos="{x} {y:.3f} {-0.3 * parent_length:.4f}"/>'
            inner += f'<site name="f{f}_i{k}" pos="{0.8 * x} 0 -0.015"/><site name="f{f}_s{k}" pos="{1.5 * x} 0 0"/>'
            for start, share in ("o", 0.4), ("p", 0.7):
                self.muscle(f"f{f}_{start}{k}", f"f{f}_wrap", f"f{f}_s{k}", f"f{f}_i{k}", share * parent_length + 0.015)
        tip = ('<body pos="0 0 -0.03"><joint axis="0 1 0" range="-80 5" stiffness="0.05"/>'
               '<geom type="capsule" fromto="0 0 0 0 0 -0.02" size="0.006"/></body>')
        return (f'{out}<body pos="0 {y:.3f} {-parent_length:.3f}"><joint axis="0 1 0" range="-80 10"/>'
                f'<geom name="f{f}_wrap" type="cylinder" size="0.007 0.008" euler="90 0 0" contype="0" conaffinity="0" group="3"/>'
                f'<geom type="capsule" fromto="0 0 -0.004 0 0 -0.026" size="0.007"/>{inner}{tip}</body>')

    def fingers(self, length):
        return "".join(self.finger(f, length) for f in range(FINGERS))

    def xml(self):
        strong = sum(link[-1] for link in LINKS)  # those of the arm, before those of the fingers
        bones = self.link(0, 0.1)
        motors = "".join(f'<muscle tendon="m{k}" force="{60 if k < strong else 4}" lengthrange="{0.6 * length:.4f} {1.3 * length:.4f}"/>'
                         for k, length in enumerate(self.lengths))
        return f"""<mujoco model="arm_48">
  <option timestep="0.002"/>
  <default><joint damping="0.08" armature="0.001"/><geom density="1000"/></default>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    <body pos="0 0 0.62">{bones}</body>
  </worldbody>
  <tendon>{"".join(self.tendons)}</tendon>
  <actuator>{motors}</actuator>
</mujoco>
"""


def main():
    folder = pathlib.Path(sys.argv[1]) / "arm_48"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.xml").write_text(Arm().xml())


if __name__ == "__main__":
    main()
