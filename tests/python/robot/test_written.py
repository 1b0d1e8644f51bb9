"""URDF that is written has the same links and the same inertia matrix as the model."""

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

sys.path.insert(0, str(Path(__file__).parent))
from robot_reader import Reading  # noqa: E402

MODELS = Path(__file__).parents[3] / "models"


def write(model: Path, out: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "condyle", "compile", str(model), "-o", str(out)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr


def compare(model: Path, out: Path) -> condyle.MjModel:
    """Write a model; compare frames of bodies, and M of hinges and slides, in random poses."""
    write(model, out)
    m = condyle.MjModel.from_xml_path(str(model))
    d = condyle.MjData(m)
    reading = Reading(out)
    roots = [name for name in reading.links if name not in reading.above]
    assert len(roots) == 1 and len(reading.above) == len(reading.joints), roots
    names = {m.joint(j).name or f"joint_{j}": j for j in range(m.njnt)}
    hinges = [names[joint.name] for joint in reading.movable]
    assert len(hinges) == np.count_nonzero(m.jnt_type >= condyle.mjtJoint.mjJNT_SLIDE)
    rows = m.jnt_dofadr[hinges]
    bodies = {m.body(b).name or f"body_{b}": b for b in range(m.nbody)}
    free = m.jnt_bodyid[m.jnt_type == condyle.mjtJoint.mjJNT_FREE].tolist()
    afloat = [name for name, b in bodies.items() if b in free]
    rng = np.random.default_rng(3)
    for _ in range(5):
        d.qpos[:] = m.qpos0 + rng.uniform(-1, 1, m.nq)
        condyle.mj_normalizeQuat(m, d.qpos)
        condyle.mj_forward(m, d)
        q = {m.joint(j).name or f"joint_{j}": d.qpos[m.jnt_qposadr[j]] for j in hinges}
        poses = {name: np.eye(4) for name in bodies}
        for name, b in bodies.items():
            poses[name][:3] = np.column_stack([d.xmat[b].reshape(3, 3), d.xpos[b]])
        floating = {name: poses[name] for name in [*roots, *afloat]}
        places = reading.places(q, floating)
        for name, pose in poses.items():
            if name != "world" or name in reading.links:
                np.testing.assert_allclose(places[name], pose, rtol=0, atol=1e-12)
        M = np.zeros((m.nv, m.nv))
        condyle.mj_fullM(m, M, d.qM)
        M -= np.diag(m.dof_armature)
        np.testing.assert_allclose(
            reading.inertia(q, floating), M[np.ix_(rows, rows)], rtol=1e-9, atol=1e-11
        )
    return m


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
    m = compare(model, tmp_path / "out.urdf")
    root = ET.parse(tmp_path / "out.urdf").getroot()
    links = {link.get("name"): link for link in root.findall("link")}
    joints: dict[str | None, Any] = {joint.get("name"): joint for joint in root.findall("joint")}
    b = joints["b"]
    assert (b.get("type"), float(b.find("limit").get("lower"))) == ("revolute", -1)
    dynamics = joints["a"].find("dynamics")
    assert (float(dynamics.get("damping")), float(dynamics.get("friction"))) == (0.3, 0.1)
    assert float(joints["d"].find("limit").get("effort")) == 60
    # f = .1 - 2 (a - .4)
    mimic = joints["f"].find("mimic")
    assert (mimic.get("joint"), float(mimic.get("multiplier"))) == ("a", -2)
    assert float(mimic.get("offset")) == pytest.approx(0.9)
    # only looked at, and only felt
    other, held = links["other"], links["held"]
    assert other.find("visual") is not None and other.find("collision") is None
    assert held.find("visual") is None and held.find("collision") is not None
    # the mesh is the model's
    name = next(it.get("filename") for it in links["body_2"].iter("mesh"))
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
