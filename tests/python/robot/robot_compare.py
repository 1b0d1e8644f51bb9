"""Compares a loaded robot with the independent reading of its file, in random poses.

    python robot_compare.py robot.urdf ...    prints a line for each: loaded, right, or what differs

`differences` is what the tests call.
"""

from __future__ import annotations

import logging
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

import condyle

sys.path.insert(0, str(Path(__file__).parent))
from robot_reader import Reading  # noqa: E402


def differences(
    m: condyle.MjModel, path: Path, *, poses: int = 3, limit: float = 1e-6, frames: bool = True
) -> list[str]:
    """What is not as in the file: joints that are missing, M, places of links."""
    reading = Reading(path)
    d = condyle.MjData(m)
    wrong: list[str] = []
    ids = [condyle.mj_name2id(m, condyle.mjtObj.mjOBJ_JOINT, j.name) for j in reading.movable]
    missing = [j.name for j, i in zip(reading.movable, ids, strict=True) if i < 0]
    if missing or not reading.has_only_single_joints():
        return [f"missing joints: {missing}"]
    if not ids:
        return []
    random = np.random.default_rng(1)
    dofs = m.jnt_dofadr[ids]
    for _ in range(poses):
        q = {j.name: random.uniform(-1, 1) for j in reading.movable}
        for joint, i in zip(reading.movable, ids, strict=True):
            d.qpos[m.jnt_qposadr[i]] = q[joint.name]
        condyle.mj_forward(m, d)
        M = np.zeros((m.nv, m.nv))
        condyle.mj_fullM(m, M, d.qM)
        own, read = M[np.ix_(dofs, dofs)] - np.diag(m.dof_armature[dofs]), reading.inertia(q)
        worst = np.abs(own - read).max() / max(1.0, np.abs(read).max())
        if not worst <= limit:
            wrong.append(f"M differs by {worst:.3g}")
        for name, pose in reading.places(q).items():
            body = condyle.mj_name2id(m, condyle.mjtObj.mjOBJ_BODY, name)
            site = condyle.mj_name2id(m, condyle.mjtObj.mjOBJ_SITE, name)
            if body < 0 and site < 0:
                if frames:
                    wrong.append(f"no link '{name}'")
                continue
            at = d.xpos[body] if body >= 0 else d.site_xpos[site]
            turned = (d.xmat[body] if body >= 0 else d.site_xmat[site]).reshape(3, 3)
            error = max(np.abs(at - pose[:3, 3]).max(), np.abs(turned - pose[:3, :3]).max())
            if not error <= limit:
                wrong.append(f"link '{name}' is off by {error:.3g}")
    return wrong


def main() -> None:
    logging.disable(logging.WARNING)
    count = {"robot": [0, 0], "xml": [0, 0]}
    files = [Path(name) for name in sys.argv[1:]]
    for path in files:
        for door in count:
            try:
                m = (
                    condyle.load_robot(path)
                    if door == "robot"
                    else condyle.MjModel.from_xml_path(str(path))
                )
            except ValueError as error:
                print(f"{door:5} fails {path}: {str(error).splitlines()[0][:200]}")
                continue
            count[door][0] += 1
            try:
                wrong = differences(m, path, frames=door == "robot")
            except (ET.ParseError, ValueError, AttributeError) as error:
                wrong = [f"the reading ends in {error!r}"]
            count[door][1] += not wrong
            if wrong:
                print(f"{door:5} wrong {path}: {wrong[0]} (and {len(wrong) - 1} more)")
    for door, (loaded, right) in count.items():
        print(f"{door}: {loaded} of {len(files)} load, {right} are right")


if __name__ == "__main__":
    main()
