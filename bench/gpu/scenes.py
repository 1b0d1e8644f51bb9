"""Scenes like those that GPUs are timed on, each of our own.   usage: scenes.py DIRECTORY

humanoid          models/humanoid.xml on the floor, 27 dofs
three_humanoids   three of them side by side, 81 dofs
biped_flat        29 servos and a free base of capsules, feet of four capsules each; implicitfast, pyramids
biped_field       the same on a height field
muscle_arm        38 dofs from the collar bone to the fingers, 63 muscles around spheres and cylinders
pot               two arms of six servos and a gripper each lift a pot by its handles
clutter           the same arms among twelve meshes in a tray
gripper           four fingers of meshes around a mesh

The same bytes every time. ``write`` returns the names of files.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np

import condyle

ROOT = Path(__file__).resolve().parents[2]
HOME = ' <keyframe><key name="home" qpos="{qpos}" ctrl="{ctrl}"/></keyframe>'


def numbers(*values: float) -> str:
    """Return numbers as an attribute."""
    return " ".join(f"{value:.6g}" for value in values)


def three_humanoids() -> str:
    """Return three copies of the humanoid side by side."""
    path = str(ROOT / "models" / "humanoid.xml")
    world = condyle.MjSpec.from_file(path)
    for k, place in enumerate(((0, 1.2, 0), (0, -1.2, 0))):
        other = condyle.MjSpec.from_file(path)
        for geom in list(other.worldbody.geoms):
            other.delete(geom)
        for light in list(other.worldbody.lights):
            other.delete(light)
        for key in list(other.keys):
            other.delete(key)
        frame = world.worldbody.add_frame(pos=place)
        world.attach(other, prefix=f"other{k}_", frame=frame)
    world.compile()
    return str(world.to_xml())


def leg(side: str, s: int) -> str:
    """Return a leg of six joints on a foot of four capsules."""
    soles = "".join(
        f'<geom class="sole" fromto="{numbers(-0.06, s * y, -0.04, 0.13, s * y, -0.04)}"/>'
        for y in (-0.036, -0.012, 0.012, 0.036)
    )
    return f"""
    <body pos="{numbers(0, 0.1 * s, -0.08)}"><joint name="{side}_hip_pitch" axis="0 1 0" range="-2 1.5"/>
     <geom type="sphere" size="0.05" mass="1.3"/>
     <body><joint name="{side}_hip_roll" axis="1 0 0" range="-0.5 0.5"/><geom type="sphere" size="0.04" mass="1.5"/>
      <body><joint name="{side}_hip_yaw" axis="0 0 1" range="-1 1"/><geom size="0.05" fromto="0 0 0 0 0 -0.3" mass="1.7"/>
       <body pos="0 0 -0.3"><joint name="{side}_knee" axis="0 1 0" range="0 2.5"/>
        <geom size="0.04" fromto="0 0 -0.05 0 0 -0.26" mass="1.9"/>
        <body pos="0 0 -0.3"><joint name="{side}_ankle_pitch" axis="0 1 0" range="-0.8 0.6"/>
         <geom type="sphere" size="0.03" mass="0.1"/>
         <body><joint name="{side}_ankle_roll" axis="1 0 0" range="-0.3 0.3"/>{soles}</body>
        </body></body></body></body></body>"""


def arm_of_biped(side: str, s: int) -> str:
    """Return an arm of seven joints."""
    return f"""
    <body pos="{numbers(0, 0.1 * s, 0.24)}"><joint name="{side}_shoulder_pitch" axis="0 1 0" range="-3 2.6"/>
     <geom type="sphere" size="0.04" mass="0.7"/>
     <body pos="{numbers(0, 0.04 * s, 0)}"><joint name="{side}_shoulder_roll" axis="1 0 0" range="-2 2"/>
      <geom type="sphere" size="0.04" mass="0.6"/>
      <body><joint name="{side}_shoulder_yaw" axis="0 0 1" range="-2 2"/>
       <geom size="0.035" fromto="{numbers(0, 0.03 * s, -0.05, 0, 0.03 * s, -0.2)}" mass="0.7"/>
       <body pos="{numbers(0, 0.03 * s, -0.2)}"><joint name="{side}_elbow" axis="0 1 0" range="-2 1"/>
        <geom size="0.03" fromto="0 0 0 0.1 0 0" mass="0.6"/>
        <body pos="0.1 0 0"><joint name="{side}_wrist_roll" axis="1 0 0" range="-2 2"/>
         <geom type="sphere" size="0.025" mass="0.1"/>
         <body><joint name="{side}_wrist_pitch" axis="0 1 0" range="-1.6 1.6"/><geom type="sphere" size="0.025" mass="0.4"/>
          <body><joint name="{side}_wrist_yaw" axis="0 0 1" range="-1.6 1.6"/>
           <geom size="0.025" fromto="0.03 0 0 0.1 0 0" mass="0.25"/></body></body></body></body></body></body></body>"""


def biped(field: bool) -> str:
    """Return a biped of 35 dofs."""
    rng = np.random.default_rng(1)
    heights = numbers(*rng.uniform(0, 1, 80 * 80).round(3)) if field else ""
    asset = f'<hfield name="field" nrow="80" ncol="80" size="8 8 0.06 0.1" elevation="{heights}"/>' if field else ""
    floor = 'type="hfield" hfield="field"' if field else 'type="plane" size="0 0 1"'
    joints = [f"{side}_{name}" for side in ("left", "right") for name in (
        "hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll")]
    joints += ["waist_yaw", "waist_roll", "waist_pitch"]
    joints += [f"{side}_{name}" for side in ("left", "right") for name in (
        "shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow", "wrist_roll", "wrist_pitch", "wrist_yaw")]
    pose = {"hip_pitch": -0.3, "knee": 0.6, "ankle_pitch": -0.3, "elbow": 0.6, "shoulder_pitch": 0.2}
    angles = [pose.get(name.split("_", 1)[1], 0) for name in joints]
    servos = "".join(f'<position joint="{name}"/>' for name in joints)
    base = (0, 0, 0.74 + 0.06 * field, 1, 0, 0, 0)
    return f"""<mujoco model="biped of 35 dofs">
 <compiler angle="radian"/>
 <option timestep="0.005" integrator="implicitfast"/>
 <asset>{asset}</asset>
 <default><geom type="capsule" contype="0" conaffinity="0"/><joint damping="1" armature="0.02" frictionloss="0.1"/>
  <position kp="100" kv="2" inheritrange="1" forcerange="-90 90"/>
  <default class="sole"><geom size="0.012" conaffinity="1" mass="0.15" friction="0.8"/></default></default>
 <worldbody>
  <geom name="floor" {floor} contype="1" conaffinity="0" friction="0.8"/>
  <body pos="0 0 0.8"><freejoint/><geom type="sphere" size="0.08" mass="3.8"/>{leg("left", 1)}{leg("right", -1)}
   <body><joint name="waist_yaw" axis="0 0 1" range="-2 2"/><geom type="sphere" size="0.04" mass="0.2"/>
    <body><joint name="waist_roll" axis="1 0 0" range="-0.5 0.5"/><geom type="sphere" size="0.04" mass="0.2"/>
     <body><joint name="waist_pitch" axis="0 1 0" range="-0.5 0.5"/>
      <geom size="0.1" fromto="0 0 0.08 0 0 0.25" mass="9"/><geom type="sphere" size="0.08" pos="0 0 0.43" mass="1"/>
      {arm_of_biped("left", 1)}{arm_of_biped("right", -1)}</body></body></body>
  </body>
 </worldbody>
 <actuator>{servos}</actuator>
{HOME.format(qpos=numbers(*base, *angles), ctrl=numbers(*angles))}
</mujoco>"""


class Muscles:
    """Sites on bodies by name, and the tendons and muscles between them."""

    def __init__(self) -> None:
        self.sites: dict[str, list[str]] = {}
        self.tendons: list[str] = []
        self.count = 0

    def add(self, force: float, *path: tuple[str, float, float, float] | str) -> None:
        """Add a muscle through points (body, x, y, z) and around geoms."""
        parts = []
        for k, part in enumerate(path):
            if isinstance(part, str):
                parts.append(f'<geom geom="{part}"/>')
                continue
            body, *place = part
            name = f"m{self.count}_{k}"
            self.sites.setdefault(body, []).append(f'<site name="{name}" pos="{numbers(*place)}"/>')
            parts.append(f'<site site="{name}"/>')
        self.tendons.append((f'<spatial name="m{self.count}">{"".join(parts)}</spatial>', force))
        self.count += 1

    def at(self, body: str) -> str:
        """Return the sites of a body."""
        return "".join(self.sites.get(body, []))


def muscle_arm() -> str:
    """Return an arm of 38 dofs and 63 muscles."""
    m = Muscles()
    # shoulder: 20, around the head of the humerus
    for k in range(12):
        turn = 2 * math.pi * k / 12
        x, z = 0.06 * math.cos(turn), 0.06 * math.sin(turn)
        m.add(600, ("torso", x, 0.06, z), "head", ("humerus", 0.3 * x, -0.02 * math.sin(turn), -0.13 + 0.02 * math.cos(turn)))
    for k in range(8):
        turn = 2 * math.pi * k / 8
        m.add(500, ("torso", 0.08 * math.cos(turn), 0.14, 0.1 * math.sin(turn) - 0.05), ("scapula", 0.03 * math.cos(turn), 0.02, 0.03 * math.sin(turn)))
    # elbow and forearm: 11
    for k, y in enumerate((-0.012, 0, 0.012)):
        m.add(500, ("scapula", 0.02, y, 0.035), ("humerus", 0.035, y, -0.2), ("ulna", 0.015, y, -0.045))
        m.add(500, ("humerus", 0.02, y, -0.16), ("ulna", 0.012, y, -0.03))
        m.add(500, ("humerus", -0.02, y, -0.1), ("humerus", -0.03, y, -0.2), "elbow", ("ulna", -0.025, y, -0.01))
    for y in (-0.015, 0.015):
        m.add(300, ("ulna", 0.02 if y > 0 else -0.02, y, -0.06), ("radius", -0.02 if y > 0 else 0.02, y, -0.05))
    # wrist: 8, around it
    for k in range(8):
        turn = 2 * math.pi * k / 8
        x, y = 0.02 * math.cos(turn), 0.02 * math.sin(turn)
        m.add(300, ("radius", x, y, -0.02), ("radius", 0.9 * x, 0.9 * y, -0.2), ("hand", 0.8 * x, 1.2 * y, -0.03))
    # fingers: 4 of 5, thumb: 4
    fingers = [("f0", 0.03), ("f1", 0.01), ("f2", -0.01), ("f3", -0.03)]
    for name, y in fingers:
        m.add(150, ("radius", 0.015, y / 3, -0.05), ("hand", 0.012, y, -0.03), f"{name}_a_wrap", (f"{name}_b", 0.008, 0, -0.015))
        m.add(150, ("radius", 0.012, y / 3, -0.08), ("hand", 0.01, y, -0.03), f"{name}_a_wrap", (f"{name}_b", 0.008, 0, -0.02), (f"{name}_c", 0.007, 0, -0.01))
        m.add(150, ("radius", -0.015, y / 3, -0.05), ("hand", -0.012, y, -0.03), (f"{name}_a", -0.01, 0, -0.02), (f"{name}_b", -0.008, 0, -0.012), (f"{name}_c", -0.007, 0, -0.008))
        m.add(80, ("hand", 0, y + 0.012, -0.04), (f"{name}_a", 0.003, 0.009, -0.012))
        m.add(80, ("hand", 0, y - 0.012, -0.04), (f"{name}_a", 0.003, -0.009, -0.012))
    for x, y in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)):
        m.add(150, ("radius", x, 0.01 + y, -0.12), ("t0", x, y, -0.012), ("t1", x, y, -0.012))
    hinge = '<joint axis="{}" range="{} {}"/>'.format
    finger_xml = ""
    for name, y in fingers:
        finger_xml += f"""<body name="{name}_m" pos="0 {y:g} -0.04">{hinge("1 0 0", -0.1, 0.1)}
         <geom type="capsule" size="0.007" fromto="0 0 0 0 0 -0.04" mass="0.03"/>{m.at(name + "_m")}
         <body name="{name}_a" pos="0 0 -0.045">{hinge("0 -1 0", -0.3, 1.5)}{hinge("1 0 0", -0.3, 0.3)}
          <geom name="{name}_a_wrap" class="wrap" size="0.008 0.012" euler="1.5708 0 0"/>
          <geom type="capsule" size="0.008" fromto="0 0 -0.005 0 0 -0.035" mass="0.02"/>{m.at(name + "_a")}
          <body name="{name}_b" pos="0 0 -0.04">{hinge("0 -1 0", 0, 1.7)}<geom type="capsule" size="0.007" fromto="0 0 0 0 0 -0.02" mass="0.012"/>{m.at(name + "_b")}
           <body name="{name}_c" pos="0 0 -0.025">{hinge("0 -1 0", 0, 1.4)}<geom type="capsule" size="0.006" fromto="0 0 0 0 0 -0.018" mass="0.008"/>{m.at(name + "_c")}</body></body></body></body>"""
    thumb = f"""<body name="t0" pos="0.01 0.035 -0.01">{hinge("0 -1 0", -0.6, 0.6)}{hinge("1 0 0", -0.6, 0.6)}{hinge("0 0 1", -0.4, 0.4)}
       <geom type="capsule" size="0.009" fromto="0 0 0 0 0.02 -0.03" mass="0.03"/>{m.at("t0")}
       <body name="t1" pos="0 0.02 -0.035">{hinge("1 0 0", -1, 0.3)}{hinge("0 -1 0", -0.2, 0.4)}<geom type="capsule" size="0.008" fromto="0 0 0 0 0.01 -0.02" mass="0.02"/>{m.at("t1")}
        <body name="t2" pos="0 0.01 -0.025">{hinge("1 0 0", -1.2, 0.2)}<geom type="capsule" size="0.007" fromto="0 0 0 0 0 -0.02" mass="0.01"/></body></body></body>"""
    return f"""<mujoco model="arm of 63 muscles">
 <compiler angle="radian"/>
 <option timestep="0.002" integrator="implicitfast"/>
 <default><geom contype="0" conaffinity="0"/><joint damping="0.1" armature="0.002" limited="true" stiffness="0.3"/>
  <site size="0.003"/><default class="wrap"><geom type="cylinder" mass="0"/></default></default>
 <worldbody>
  <body name="torso" pos="0 0 1.4"><geom type="box" size="0.08 0.1 0.2" pos="0 0.2 -0.2"/>{m.at("torso")}
   <body name="clavicle" pos="0 0.15 0">{hinge("0 0 1", -0.3, 0.3)}{hinge("1 0 0", -0.3, 0.3)}<geom type="capsule" size="0.01" fromto="0 0 0 0 -0.13 0" mass="0.2"/>
    <body name="scapula" pos="0 -0.14 0">{hinge("1 0 0", -0.3, 0.3)}{hinge("0 1 0", -0.3, 0.3)}{hinge("0 0 1", -0.3, 0.3)}<geom type="box" size="0.01 0.03 0.05" mass="0.3"/>{m.at("scapula")}
     <body name="humerus" pos="0 -0.03 0">{hinge("0 -1 0", -0.6, 2)}{hinge("-1 0 0", -0.3, 1.8)}{hinge("0 0 1", -0.9, 0.9)}
      <geom name="head" class="wrap" type="sphere" size="0.028"/><geom name="elbow" class="wrap" size="0.02 0.03" pos="0 0 -0.29" euler="1.5708 0 0"/>
      <geom type="capsule" size="0.018" fromto="0 0 -0.02 0 0 -0.28" mass="2"/>{m.at("humerus")}
      <body name="ulna" pos="0 0 -0.29">{hinge("0 -1 0", 0.05, 2.4)}<geom type="capsule" size="0.012" fromto="0 0.01 0 0 0.01 -0.22" mass="0.6"/>{m.at("ulna")}
       <body name="radius">{hinge("0 0 1", -1.4, 1.4)}<geom type="capsule" size="0.012" fromto="0 -0.01 0 0 -0.01 -0.22" mass="0.6"/>{m.at("radius")}
        <body name="hand" pos="0 0 -0.24">{hinge("0 -1 0", -1, 1)}{hinge("1 0 0", -0.4, 0.4)}<geom type="box" size="0.01 0.035 0.03" pos="0 0 -0.03" mass="0.3"/>{m.at("hand")}
         {finger_xml}{thumb}</body></body></body></body></body></body></body>
 </worldbody>
 <tendon>{"".join(t for t, _ in m.tendons)}</tendon>
 <actuator>{"".join(f'<muscle tendon="m{k}" force="{f}" ctrlrange="0 1" lengthrange="0.1 {1 + 0.001 * k}"/>' for k, (_, f) in enumerate(m.tendons))}</actuator>
</mujoco>"""


def with_ranges(text: str) -> str:
    """Return a model whose muscles have the least and greatest lengths of 2,000 random poses."""
    model = condyle.MjModel.from_xml_string(text)
    with condyle.Batch(model, 2000, 1) as batch:
        lengths = batch.expose("ten_length")
        low, high = model.jnt_range.T
        batch.qpos = low + (high - low) * np.random.default_rng(3).uniform(0, 1, (2000, model.nq))
        batch.forward()
        limits = zip(lengths.min(axis=0), lengths.max(axis=0), strict=True)
    for k, (least, most) in enumerate(limits):
        text = text.replace(f'lengthrange="0.1 {1 + 0.001 * k}"', f'lengthrange="{least:.4f} {most:.4f}"')
    return text


def table_arm(name: str, x: float, turn: float) -> str:
    """Return an arm of six servos with a gripper of two mesh fingers."""
    fingers = "".join(
        f'<body name="{name}_{side}" pos="0.09 {0.04 * s:g} 0"><joint name="{name}_{side}" type="slide" axis="0 {-s} 0" '
        f'range="0 0.038" damping="5" armature="0.1"/><geom type="mesh" mesh="finger" pos="0.04 0 0" mass="0.05" class="hit"/></body>'
        for side, s in (("left", 1), ("right", -1))
    )
    j = '<joint name="{}_{}" axis="{}" range="{} {}"/>'.format
    return f"""<body name="{name}" pos="{x:g} 0 0.02" euler="0 0 {turn:g}"><geom class="hit" type="cylinder" size="0.06 0.02" mass="1"/>
   <body pos="0 0 0.08">{j(name, "waist", "0 0 1", -3, 3)}<geom type="cylinder" size="0.05 0.04" mass="0.8"/>
    <body pos="0 0 0.05">{j(name, "shoulder", "0 1 0", -1.9, 1.3)}<geom class="hit" type="capsule" size="0.035" fromto="0 0 0 0.05 0 0.3" mass="0.9"/>
     <body pos="0.05 0 0.3">{j(name, "elbow", "0 1 0", -1.8, 1.6)}<geom class="hit" type="capsule" size="0.03" fromto="0.05 0 0 0.25 0 0" mass="0.6"/>
      <body pos="0.25 0 0">{j(name, "roll", "1 0 0", -3, 3)}<geom type="capsule" size="0.03" fromto="0 0 0 0.05 0 0" mass="0.3"/>
       <body pos="0.05 0 0">{j(name, "pitch", "0 1 0", -1.8, 2.2)}<geom type="sphere" size="0.03" mass="0.3"/>
        <body pos="0.03 0 0">{j(name, "turn", "1 0 0", -3, 3)}<geom class="hit" type="box" size="0.03 0.06 0.025" pos="0.05 0 0" mass="0.3"/>{fingers}
       </body></body></body></body></body></body></body>"""


def grasp(reach: float, height: float) -> tuple[float, float, float]:
    """Return shoulder, elbow and pitch that hold the gripper level, its wrist there from the shoulder.

    Links a from (0, 0) to (0.05, 0.3) and b of 0.3 level in the arm's pose at 0; angles tilt forward.
    """
    a, b, far = math.hypot(0.05, 0.3), 0.3, math.hypot(reach, height)
    inner = math.acos((a * a + b * b - far * far) / (2 * a * b))
    near = math.acos((a * a + far * far - b * b) / (2 * a * far))
    upper = math.atan2(height, reach) + near  # of link a over the horizontal
    shoulder = math.atan2(0.3, 0.05) - upper
    elbow = -(upper - math.pi + inner) - shoulder
    return shoulder, elbow, -shoulder - elbow


def arms(scene: str) -> str:
    """Return two arms at a table with a pot or a tray full of meshes."""
    rng = np.random.default_rng(2)
    shapes = ("8 1 1", "6 0.7 0.9", "8 0.4 0.5", "6 0.3 0.3")
    asset = "".join(f'<mesh name="thing{k}" builtin="supersphere" params="{s}" scale="0.035 0.028 0.024"/>' for k, s in enumerate(shapes))
    if scene == "pot":
        walls = ""
        for k in range(12):
            turn = 2 * math.pi * k / 12
            walls += (f'<geom class="hit" type="box" size="0.004 0.032 0.05" pos="{numbers(0.11 * math.cos(turn), 0.11 * math.sin(turn), 0.05)}" '
                      f'euler="0 0 {turn:.4f}" mass="0.03"/>')
        handles = "".join(
            f'<geom class="hit" type="capsule" size="0.008" fromto="{numbers(s * 0.15, -0.04, 0.08, s * 0.15, 0.04, 0.08)}" mass="0.02"/>'
            + "".join(f'<geom class="hit" type="capsule" size="0.006" fromto="{numbers(s * 0.11, y, 0.08, s * 0.15, y, 0.08)}" mass="0.01"/>' for y in (-0.04, 0.04))
            for s in (1, -1))
        things = (f'<body name="pot" pos="0 0 0.001"><freejoint/><geom class="hit" type="cylinder" size="0.11 0.004" pos="0 0 0.004" mass="0.1"/>{walls}{handles}</body>')
    else:
        things = "".join(
            f'<body pos="{numbers(*((k % 4 - 1.5) * 0.09, (k // 4 - 1) * 0.09, 0.06 + 0.02 * rng.uniform()))}"><freejoint/>'
            f'<geom class="hit" type="mesh" mesh="thing{k % 4}" density="700"/></body>' for k in range(12))
        things += "".join(f'<geom class="hit" type="box" size="{size}" pos="{pos}"/>' for size, pos in (
            ("0.2 0.005 0.03", "0 0.17 0.03"), ("0.2 0.005 0.03", "0 -0.17 0.03"), ("0.005 0.17 0.03", "0.2 0 0.03"), ("0.005 0.17 0.03", "-0.2 0 0.03")))
    joints = [(side, name) for side in ("left", "right") for name in ("waist", "shoulder", "elbow", "roll", "pitch", "turn", "left", "right")]
    equal = "".join(f'<joint joint1="{s}_left" joint2="{s}_right"/>' for s in ("left", "right"))
    servos = "".join(
        f'<position joint="{side}_{name}" kp="{2000 if name in ("left", "right") else 300}" kv="{40 if name in ("left", "right") else 15}" inheritrange="1"/>'
        for side, name in joints if name != "right")
    if scene == "pot":
        # level hands, a finger above and one below each handle, ordered up by a few centimetres
        shoulder, elbow, pitch = grasp(0.245, -0.07)
        pose = (0, shoulder, elbow, 0, pitch, math.pi / 2, 0.022, 0.022)
        order = (0, shoulder - 0.15, elbow, 0, pitch, math.pi / 2, 0.036)
        key = HOME.format(qpos=numbers(*pose, *pose, 0, 0, 0.001, 1, 0, 0, 0), ctrl=numbers(*order, *order))
    else:
        key = ""
    return f"""<mujoco model="two arms and a {scene}">
 <compiler angle="radian"/>
 <option timestep="0.004" integrator="implicitfast"/>
 <asset><mesh name="finger" builtin="supersphere" params="8 0.3 0.4" scale="0.045 0.008 0.014"/>{asset}</asset>
 <default><geom contype="0" conaffinity="0" friction="1"/><joint damping="1" armature="0.05"/>
  <default class="hit"><geom contype="1" conaffinity="1"/></default></default>
 <worldbody><geom class="hit" type="plane" size="2 2 0.1"/>
  {table_arm("left", -0.55, 0)}{table_arm("right", 0.55, math.pi)}
  {things}
 </worldbody>
 <equality>{equal}</equality>
 <actuator>{servos}</actuator>
{key}
</mujoco>"""


def gripper() -> str:
    """Return four fingers of two meshes each around a mesh, with a wrist of three joints."""
    fingers = ""
    for k in range(4):
        turn = math.pi / 2 * k
        fingers += f"""<body pos="{numbers(0.04 * math.cos(turn), 0.04 * math.sin(turn), -0.03)}" euler="0 0 {turn:.4f}">
     <joint name="f{k}_a" axis="0 1 0" range="-0.8 0.9"/><geom type="mesh" mesh="link" pos="0 0 -0.025" mass="0.03"/>
     <body pos="0 0 -0.05"><joint name="f{k}_b" axis="0 1 0" range="-0.3 1.2"/><geom type="mesh" mesh="tip" pos="0 0 -0.02" mass="0.02"/></body></body>"""
    servos = "".join(f'<position joint="f{k}_{part}" kp="3" kv="0.1" forcerange="-2 2" inheritrange="1"/>' for k in range(4) for part in "ab")
    servos += "".join(f'<position joint="{name}" kp="200" kv="10" inheritrange="1"/>' for name in ("lift", "tilt", "spin"))
    return f"""<mujoco model="gripper of meshes">
 <compiler angle="radian"/>
 <option timestep="0.004" integrator="implicitfast"/>
 <asset><mesh name="base" builtin="supersphere" params="8 0.4 0.5" scale="0.05 0.05 0.03"/>
  <mesh name="link" builtin="supersphere" params="8 0.4 0.5" scale="0.009 0.012 0.026"/>
  <mesh name="tip" builtin="supersphere" params="8 0.6 0.7" scale="0.008 0.011 0.022"/>
  <mesh name="thing" builtin="supersphere" params="10 0.6 0.8" scale="0.03 0.026 0.026"/></asset>
 <default><geom friction="1"/><joint damping="0.05" armature="0.002"/></default>
 <worldbody><geom type="plane" size="1 1 0.1"/>
  <body name="wrist" pos="0 0 0.14"><joint name="lift" type="slide" axis="0 0 1" range="-0.01 0.2" damping="5" armature="0.1"/>
   <joint name="tilt" axis="1 0 0" range="-0.3 0.3"/><joint name="spin" axis="0 0 1" range="-1 1"/>
   <geom type="mesh" mesh="base" mass="0.6"/>{fingers}</body>
  <body name="thing" pos="0 0 0.03"><freejoint/><geom type="mesh" mesh="thing" density="500"/></body>
 </worldbody>
 <actuator>{servos}</actuator>
{HOME.format(qpos=numbers(*[0] * 11, 0, 0, 0.03, 1, 0, 0, 0), ctrl=numbers(*[0.35, 0.2] * 4, 0.06, 0, 0))}
</mujoco>"""


def write(folder: Path) -> list[Path]:
    """Write all scenes into a folder."""
    texts = {
        "humanoid": (ROOT / "models" / "humanoid.xml").read_text(encoding="utf-8"),
        "three_humanoids": three_humanoids(),
        "biped_flat": biped(field=False),
        "biped_field": biped(field=True),
        "muscle_arm": with_ranges(muscle_arm()),
        "pot": arms("pot"),
        "clutter": arms("clutter"),
        "gripper": gripper(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in texts.items():
        paths.append(folder / f"{name}.xml")
        paths[-1].write_text(text, encoding="utf-8")
    return paths


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for path in write(Path(sys.argv[1])):
        print(path)
