#!/usr/bin/env python3
"""Writes a model: a robot of few dofs that stands on a plane or is mounted on it.   usage: robot.py ant|quadruped|arm"""
import itertools
import math
import re
import sys


def leg(joints, place, turn):
    """A leg of hinges (axis, length of the link below): motors turn them, its foot is a sphere."""
    text = f'<body pos="{place}" euler="0 0 {turn}">'
    for i, (axis, length, range_) in enumerate(joints):
        text += f'<joint axis="{axis}" range="{range_}"/><geom type="capsule" size=".03" fromto="0 0 0 {length}"/>'
        text += f'<body pos="{length}">' if i + 1 < len(joints) else f'<geom size=".04" pos="{length}"/></body>'
    return text + "</body>" * (len(joints) - 1)


def floating(height, size, legs):
    return f'<body pos="0 0 {height}"><freejoint/><geom type="box" size="{size}" mass="5"/>{"".join(legs)}</body>'


def ant():
    joints = (("0 0 1", ".2 0 0", "-40 40"), ("0 1 0", ".2 0 -.2", "-30 60"))
    places = ((math.sin(a) * 0.2, math.cos(a) * 0.2, 90 - math.degrees(a)) for a in (math.pi / 4 * k for k in (1, 3, 5, 7)))
    return floating(0.25, ".15 .15 .05", [leg(joints, f"{x:.3f} {y:.3f} 0", f"{turn:.0f}") for x, y, turn in places])


def quadruped():
    joints = (("1 0 0", "0 .06 0", "-50 50"), ("0 1 0", "-.14 0 -.14", "-60 90"), ("0 1 0", ".14 0 -.14", "-60 60"))
    return floating(0.31, ".25 .1 .06", [leg(joints, f"{x} {y} 0", "0") for x in (0.2, -0.2) for y in (0.1, -0.1)])


def arm():
    text = depth = ""
    for i, length in enumerate((0.15, 0.2, 0.2, 0.2, 0.2, 0.1, 0.1)):
        axis = "0 0 1" if i % 2 == 0 else "0 1 0"
        text += (f'<body pos="0 0 {depth or .1}"><joint axis="{axis}" range="-160 160"/>'
                 f'<geom type="capsule" size=".04" fromto="0 0 0 0 0 {length}"/>')
        depth = length
    fingers = "".join(f'<body pos="0 {side * .05} .12"><joint type="slide" axis="0 {-side} 0" range="0 .06"/>'
                      '<geom type="box" size=".02 .01 .05" pos="0 0 .05"/></body>' for side in (1, -1))
    return text + fingers + "</body>" * 7 + '<body pos=".4 0 .05"><freejoint/><geom type="box" size=".04 .04 .04"/></body>'


count = itertools.count()
body = re.sub("<joint ", lambda _: f'<joint name="{next(count)}" ', {"ant": ant, "quadruped": quadruped, "arm": arm}[sys.argv[1]]())
motors = "".join(f'<motor joint="{i}" gear="20" ctrlrange="-1 1"/>' for i in range(next(count)))
print(f"""<mujoco model="{sys.argv[1]}">
  <option timestep=".004" integrator="implicitfast"/>
  <default><joint damping=".5" armature=".01" limited="true"/><geom friction=".8" density="500"/></default>
  <worldbody><geom type="plane" size="5 5 1"/>{body}</worldbody>
  <actuator>{motors}</actuator>
</mujoco>""")
