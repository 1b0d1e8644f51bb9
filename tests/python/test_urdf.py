"""URDF that is written has the same links and the same inertia matrix as the model.

It is read by a short reader of its own: a tree of joints, each a rotation or a shift along an axis
after its origin.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("condyle._condyle")

import condyle

MODELS = Path(__file__).parents[2] / "models"

Pose = tuple[np.ndarray, np.ndarray]  # rotation, position


def words(text: str) -> np.ndarray:
    return np.array([float(word) for word in text.split()])


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    """A rotation, by Rodrigues' formula."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def origin(element: Any) -> Pose:
    """Rz(yaw) Ry(pitch) Rx(roll), and the shift."""
    r, p, y = words(element.get("rpy"))
    x, z = np.eye(3)[0], np.eye(3)[2]
    return about(z, y) @ about(np.eye(3)[1], p) @ about(x, r), words(element.get("xyz"))


class Robot:
    """A URDF file."""

    def __init__(self, path: Path) -> None:
        root = ET.parse(path).getroot()
        self.links = {link.get("name"): link for link in root.findall("link")}
        self.joints = {j.get("name"): j for j in root.findall("joint")}
        self.above = {j.find("child").get("link"): j for j in self.joints.values()}
        roots = [name for name in self.links if name not in self.above]
        assert len(roots) == 1 and len(self.above) == len(self.joints), roots
        self.root = roots[0]
        assert len(self.links) == len(root.findall("link")), "two links of one name"

    def frames(self, q: dict[str, Any], base: Pose) -> dict[str, Any]:
        """Rotation, position, and the joints above with their world axis and anchor, of all links.

        q: the position of a joint; the pose of the link of a floating one
        """
        found: dict[str, Any] = {self.root: (*base, [])}
        waiting = [name for name in self.links if name != self.root]
        while waiting:
            name = waiting.pop(0)
            joint = self.above[name]
            parent = joint.find("parent").get("link")
            if parent not in found:
                waiting.append(name)
                continue
            R, x, above = found[parent]
            Ro, xo = origin(joint.find("origin"))
            R, x = R @ Ro, x + R @ xo
            if joint.get("type") == "floating":
                R, x = q[joint.get("name")]
            elif joint.get("type") != "fixed":
                axis = words(joint.find("axis").get("xyz"))
                kind, value = joint.get("type"), q[joint.get("name")]
                world = R @ axis
                above = [*above, (joint.get("name"), kind, world, x)]
                if kind == "prismatic":
                    x = x + value * world
                else:
                    R = R @ about(axis, value)
            found[name] = (R, x, above)
        return found

    def inertia(self, frames: dict[str, Any], dofs: list[str]) -> np.ndarray:
        """M = sum of m Jv' Jv + Jw' I Jw over the links, for the joints."""
        M = np.zeros((len(dofs), len(dofs)))
        for name, link in self.links.items():
            inertial = link.find("inertial")
            if inertial is None:
                continue
            R, x, above = frames[name]
            Ro, xo = origin(inertial.find("origin"))
            mass = float(inertial.find("mass").get("value"))
            i = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
            body = np.array(
                [
                    [i["ixx"], i["ixy"], i["ixz"]],
                    [i["ixy"], i["iyy"], i["iyz"]],
                    [i["ixz"], i["iyz"], i["izz"]],
                ]
            )
            v, w = np.zeros((3, len(dofs))), np.zeros((3, len(dofs)))
            for joint, kind, axis, anchor in above:
                k = dofs.index(joint)
                v[:, k] = axis if kind == "prismatic" else np.cross(axis, x + R @ xo - anchor)
                w[:, k] = 0 if kind == "prismatic" else axis
            R = R @ Ro
            M += mass * v.T @ v + w.T @ R @ body @ R.T @ w
        return M


def write(model: Path, out: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "condyle", "compile", str(model), "-o", str(out)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr


def compare(model: Path, out: Path) -> tuple[Any, Robot]:
    """Write a model; compare frames of bodies, and M of hinges and slides, in random poses."""
    write(model, out)
    m = condyle.MjModel.from_xml_path(str(model))
    d = condyle.MjData(m)
    robot = Robot(out)
    hinges = [j for j in range(m.njnt) if m.jnt_type[j] >= condyle.mjtJoint.mjJNT_SLIDE]
    names = [m.joint(j).name or f"joint_{j}" for j in hinges]
    rows = [m.jnt_dofadr[j] for j in hinges]
    rng = np.random.default_rng(3)
    for _ in range(5):
        d.qpos[:] = m.qpos0 + rng.uniform(-1, 1, m.nq)
        condyle.mj_normalizeQuat(m, d.qpos)
        condyle.mj_forward(m, d)
        q = {name: d.qpos[m.jnt_qposadr[j]] for j, name in zip(hinges, names, strict=True)}
        for j in np.flatnonzero(m.jnt_type == condyle.mjtJoint.mjJNT_FREE):
            body = m.jnt_bodyid[j]
            q[m.joint(j).name or f"joint_{j}"] = (d.xmat[body].reshape(3, 3), d.xpos[body])
        floats = robot.root != "world"
        base = (d.xmat[1].reshape(3, 3), d.xpos[1]) if floats else (np.eye(3), np.zeros(3))
        frames = robot.frames(q, base)
        for b in range(1 if floats else 0, m.nbody):
            R, x, _ = frames[m.body(b).name or f"body_{b}"]
            np.testing.assert_allclose(x, d.xpos[b], rtol=0, atol=1e-12)
            np.testing.assert_allclose(R.ravel(), d.xmat[b], rtol=0, atol=1e-12)
        M = np.zeros((m.nv, m.nv))
        condyle.mj_fullM(m, M, d.qM)
        M -= np.diag(m.dof_armature)
        np.testing.assert_allclose(
            robot.inertia(frames, names), M[np.ix_(rows, rows)], rtol=1e-9, atol=1e-11
        )
    return m, robot


@pytest.mark.parametrize("name", ["humanoid.xml", "hand.xml"])
def test_written_robots_have_the_frames_and_the_inertia_of_the_model(
    name: str, tmp_path: Path
) -> None:
    compare(MODELS / name, tmp_path / "robot.urdf")


# anchors beside the origin, several joints of a body, references, pitches of 90 degrees
UNKIND = """
<mujoco model="unkind"><compiler autolimits="true" angle="radian"/>
<asset><mesh name="a/b" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .3"/></asset>
<worldbody><geom type="plane" size="1 1 1"/>
  <body name="first" pos=".1 .2 .3" euler=".3 1.5707963267948966 .7">
    <joint name="a" axis="0 1 0" pos=".1 0 -.2" ref=".4" damping=".3" frictionloss=".1"/>
    <joint name="b" axis="1 1 0" pos="0 .3 0" range="-1 2"/>
    <joint name="c" type="slide" axis="0 0 1" ref="-.2" armature=".1"/>
    <geom type="box" size=".1 .2 .3"/><geom type="capsule" size=".05 .2" pos=".1 0 0"/>
    <body pos="0 0 .5" euler="0 -1.5707963267948966 0">
      <joint name="d" axis="1 0 0" ref=".3"/><joint name="e" type="slide" axis="0 1 1"/>
      <geom type="mesh" mesh="a/b"/><geom type="ellipsoid" size=".1 .2 .3"/>
      <body name="held" pos=".2 0 0" euler=".1 .2 .3"><geom size=".1" group="3"/></body>
    </body>
  </body>
  <body name="other" pos="1 0 0"><joint name="f" pos="0 0 .1"/>
    <geom size=".1" contype="0" conaffinity="0"/></body>
</worldbody>
<equality><joint joint1="f" joint2="a" polycoef=".1 -2 0 0 0"/></equality>
<actuator><motor name="drive" joint="d" gear="30" forcerange="-2 2"/></actuator></mujoco>
"""


def test_anchors_references_and_right_angles(tmp_path: Path) -> None:
    model = tmp_path / "unkind.xml"
    model.write_text(UNKIND)
    m, robot = compare(model, tmp_path / "out.urdf")
    b = robot.joints["b"]
    assert (b.get("type"), float(b.find("limit").get("lower"))) == ("revolute", -1)
    dynamics = robot.joints["a"].find("dynamics")
    assert (float(dynamics.get("damping")), float(dynamics.get("friction"))) == (0.3, 0.1)
    assert float(robot.joints["d"].find("limit").get("effort")) == 60
    # f = .1 - 2 (a - .4)
    mimic = robot.joints["f"].find("mimic")
    assert (mimic.get("joint"), float(mimic.get("multiplier"))) == ("a", -2)
    assert float(mimic.get("offset")) == pytest.approx(0.9)
    # only looked at, and only felt
    other, held = robot.links["other"], robot.links["held"]
    assert other.find("visual") is not None and other.find("collision") is None
    assert held.find("visual") is None and held.find("collision") is not None
    # the mesh is the model's
    name = next(it.get("filename") for it in robot.links["body_2"].iter("mesh"))
    stl = (tmp_path / name).read_bytes()
    (count,) = struct.unpack_from("<I", stl, 80)
    assert name == "meshes/a_b.stl" and count == m.mesh_facenum[0] and len(stl) == 84 + 50 * count
    corners = (
        np.frombuffer(stl, np.uint8, offset=84).reshape(count, 50)[:, 12:48].copy().view("<f4")
    )
    np.testing.assert_array_equal(corners.reshape(-1, 3), m.mesh_vert[m.mesh_face.ravel()])


def test_what_urdf_can_not_say_is_told(tmp_path: Path) -> None:
    model = tmp_path / "unkind.xml"
    model.write_text(UNKIND)
    told = write(model, tmp_path / "out.urdf")
    assert "URDF has no planes" in told and "armature of 1 joints" in told
    model.write_text(
        '<mujoco><worldbody><body><joint name="neck" type="ball"/><geom size="1"/></body>'
        "</worldbody></mujoco>"
    )
    done = subprocess.run(
        [sys.executable, "-m", "condyle", "compile", str(model), "-o", str(tmp_path / "ball.urdf")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1 and "<neck>: URDF has no ball joints" in done.stderr
    assert not (tmp_path / "ball.urdf").exists()
