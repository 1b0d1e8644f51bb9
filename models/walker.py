"""Writes a humanoid robot of 36 dofs on feet with hard contact points, as MJCF.

usage: walker.py POINTS [euler|rk4] [hard|soft|stick]      (POINTS of both feet together, even, 2 to 60)

6 dofs of the pelvis, 2 of the waist, 5 of each arm, 6 of each leg, and 3 sprung ones under each ankle, like rubber bushes:
vertical, pitch, roll (Nakaoka et al. 2007). The actuators are servos; controls are reference angles.
"""

import sys

SOLE = (0.11, 0.06)  # half length and width, m
BALL = 0.004

HEAD = """<mujoco model="robot of 36 dofs on {points} contact points">
  <option timestep="0.001" integrator="{integrator}"/>
  <custom>
    <text name="condyle.contact" data="{contact}"/>
  </custom>
  <default>
    <geom type="box" contype="0" conaffinity="0"/>
    <joint armature="0.2" damping="150"/>
    <position kp="10000" ctrlrange="-3 3"/>
    <default class="point">
      <geom type="sphere" size="{ball}" conaffinity="1" mass="0" friction="0.8"/>
    </default>
    <default class="bush">
      <joint armature="0" damping="6" stiffness="2000"/>
    </default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" contype="1" conaffinity="0" friction="0.8"/>
    <body name="pelvis" pos="0 0 {height:.6g}">
      <freejoint/>
      <geom size="0.07 0.12 0.05" mass="8"/>
      <body name="torso" pos="0 0 0.1">
        <joint name="waist_yaw" axis="0 0 1"/>
        <joint name="waist_pitch" axis="0 1 0"/>
        <geom size="0.08 0.14 0.18" pos="0 0 0.2" mass="18"/>
        <geom type="sphere" size="0.08" pos="0 0 0.48" mass="3"/>
"""

ARM = """        <body name="{side}_upper_arm" pos="0 {y:.6g} 0.33">
          <joint name="{side}_shoulder_pitch" axis="0 1 0"/>
          <joint name="{side}_shoulder_roll" axis="1 0 0"/>
          <joint name="{side}_shoulder_yaw" axis="0 0 1"/>
          <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.25" mass="2"/>
          <body name="{side}_forearm" pos="0 0 -0.25">
            <joint name="{side}_elbow" axis="0 1 0"/>
            <joint name="{side}_wrist" axis="0 0 1"/>
            <geom type="capsule" size="0.035" fromto="0 0 0 0 0 -0.25" mass="1.5"/>
          </body>
        </body>
"""

LEG = """      <body name="{side}_thigh" pos="0 {y:.6g} -0.05">
        <joint name="{side}_hip_yaw" axis="0 0 1"/>
        <joint name="{side}_hip_roll" axis="1 0 0"/>
        <joint name="{side}_hip_pitch" axis="0 1 0"/>
        <geom type="capsule" size="0.06" fromto="0 0 0 0 0 -0.32" mass="5"/>
        <body name="{side}_shin" pos="0 0 -0.32">
          <joint name="{side}_knee" axis="0 1 0"/>
          <geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.32" mass="3.5"/>
          <body name="{side}_ankle" pos="0 0 -0.32">
            <joint name="{side}_ankle_pitch" axis="0 1 0"/>
            <joint name="{side}_ankle_roll" axis="1 0 0"/>
            <geom size="0.05 0.04 0.02" mass="1"/>
            <body name="{side}_sole" pos="0 0 -0.04">
              <joint name="{side}_bush_z" class="bush" type="slide" axis="0 0 1" stiffness="200000" damping="1200"/>
              <joint name="{side}_bush_pitch" class="bush" axis="0 1 0"/>
              <joint name="{side}_bush_roll" class="bush" axis="1 0 0"/>
              <geom size="{length} {width} 0.015" mass="1.5"/>
{points}            </body>
          </body>
        </body>
      </body>
"""

SERVOED = ("waist_yaw", "waist_pitch")
ARM_JOINTS = ("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow", "wrist")
LEG_JOINTS = ("hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll")


def foot_points(count):
    """Corners first, then always the point of a grid that is farthest from those chosen."""
    columns, rows = 6, 5
    grid = [(2 * i / (columns - 1) - 1, 2 * k / (rows - 1) - 1) for i in range(columns) for k in range(rows)]
    grid = [(x * SOLE[0], y * SOLE[1]) for x, y in grid]
    chosen = [grid[0], grid[-1], grid[rows - 1], grid[-rows]][:count]
    while len(chosen) < count:
        chosen.append(max((p for p in grid if p not in chosen),
                          key=lambda p: min((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 for q in chosen)))
    return chosen


def main():
    count = int(sys.argv[1])
    integrator = {"rk4": "RK4", "euler": "Euler"}[sys.argv[2] if len(sys.argv) > 2 else "euler"]
    contact = sys.argv[3] if len(sys.argv) > 3 else "hard"
    if count % 2 or not 2 <= count <= 60:
        sys.exit("walker.py: POINTS is an even number of 2 to 60")
    height = 0.05 + 0.32 + 0.32 + 0.04 + 0.015 + BALL - 5e-5
    out = [HEAD.format(points=count, integrator=integrator, contact=contact, ball=BALL, height=height)]
    for side, sign in (("left", 1), ("right", -1)):
        out.append(ARM.format(side=side, y=0.2 * sign))
    out.append("      </body>\n")
    for side, sign in (("left", 1), ("right", -1)):
        points = "".join(f'              <geom class="point" pos="{x:.6g} {y:.6g} -0.015"/>\n'
                         for x, y in foot_points(count // 2))
        out.append(LEG.format(side=side, y=0.09 * sign, length=SOLE[0], width=SOLE[1], points=points))
    out.append("    </body>\n  </worldbody>\n  <actuator>\n")
    joints = SERVOED + tuple(f"{side}_{name}" for side in ("left", "right") for name in ARM_JOINTS + LEG_JOINTS)
    out += [f'    <position name="{name}" joint="{name}"/>\n' for name in joints]
    out.append("  </actuator>\n</mujoco>\n")
    print("".join(out), end="")


main()
