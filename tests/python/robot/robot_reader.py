"""A reading of URDF that shares nothing with the engine: places of links, joint-space inertia.

It is as short as the format's definition. Only movable joints count, those that mimic included,
each with its own coordinate. M is the sum over links of J' I J with the Jacobian of each link's
centre.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import numpy as np


def _numbers(text: str | None, count: int, otherwise: list[float]) -> np.ndarray:
    words = (text or "").replace(",", " ").split()
    return np.array([float(word) for word in words] if len(words) == count else otherwise)


def _rotation(rpy: np.ndarray) -> np.ndarray:
    (cx, cy, cz), (sx, sy, sz) = np.cos(rpy), np.sin(rpy)
    x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return z @ y @ x


def _origin(node: ET.Element | None) -> np.ndarray:
    pose = np.eye(4)
    origin = None if node is None else node.find("origin")
    if origin is not None:
        pose[:3, 3] = _numbers(origin.get("xyz"), 3, [0, 0, 0])
        pose[:3, :3] = _rotation(_numbers(origin.get("rpy"), 3, [0, 0, 0]))
    return pose


def _turn(axis: np.ndarray, angle: float) -> np.ndarray:
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


@dataclass
class Joint:
    name: str
    type: str
    parent: str
    child: str
    origin: np.ndarray
    axis: np.ndarray


class Reading:
    """Links and joints of a file."""

    def __init__(self, path: Path) -> None:
        # prefixes that no file of this kind declares
        text = re.sub(rb"(</?|\s)\w+:(?=\w+[\s=/>])", rb"\1", path.read_bytes())
        root = ET.fromstring(text)
        self.links: dict[str, tuple[float, np.ndarray, np.ndarray]] = {}
        self.joints: list[Joint] = []
        for link in root.findall("link"):
            inertial = link.find("inertial")
            mass = None if inertial is None else inertial.find("mass")
            tensor = None if inertial is None else inertial.find("inertia")
            values = {} if tensor is None else {k: float(v) for k, v in tensor.attrib.items()}
            entry = [[values.get("i" + "".join(sorted(a + b)), 0.0) for b in "xyz"] for a in "xyz"]
            kilograms = 0.0 if mass is None else float(mass.get("value", "0"))
            self.links[link.get("name", "")] = (kilograms, np.array(entry), _origin(inertial))
        for joint in root.findall("joint"):
            axis = joint.find("axis")
            along = _numbers(None if axis is None else axis.get("xyz"), 3, [1, 0, 0])
            length = np.linalg.norm(along)
            self.joints.append(
                Joint(
                    joint.get("name", ""),
                    joint.get("type", ""),
                    joint.find("parent").get("link", ""),
                    joint.find("child").get("link", ""),
                    _origin(joint),
                    along / length if length > 0 else np.array([1.0, 0, 0]),
                )
            )
        self.above = {joint.child: joint for joint in self.joints}
        self.movable = [j for j in self.joints if j.type in ("revolute", "continuous", "prismatic")]

    def has_only_single_joints(self) -> bool:
        return all(j.type in ("revolute", "continuous", "prismatic", "fixed") for j in self.joints)

    def places(
        self, q: dict[str, float], floating: dict[str, np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """Pose of every link in that of its root.

        floating: poses of links that float or are no child, which stay at the root without one
        """
        done = dict(floating or {})

        def place(link: str) -> np.ndarray:
            if link not in done:
                joint = self.above.get(link)
                if joint is None:
                    done[link] = np.eye(4)
                else:
                    motion = np.eye(4)
                    if joint.type in ("revolute", "continuous"):
                        motion[:3, :3] = _turn(joint.axis, q[joint.name])
                    elif joint.type == "prismatic":
                        motion[:3, 3] = q[joint.name] * joint.axis
                    done[link] = place(joint.parent) @ joint.origin @ motion
            return done[link]

        for link in self.links:
            place(link)
        return done

    def inertia(
        self, q: dict[str, float], floating: dict[str, np.ndarray] | None = None
    ) -> np.ndarray:
        """M, rows in the order of `movable`."""
        places = self.places(q, floating)
        number = {joint.name: i for i, joint in enumerate(self.movable)}
        M = np.zeros((len(number), len(number)))
        for name, (mass, tensor, inertial) in self.links.items():
            pose = places[name] @ inertial
            turn, linear = np.zeros((3, len(number))), np.zeros((3, len(number)))
            joint = self.above.get(name)
            while joint is not None:
                if joint.name in number:
                    frame = places[joint.child]
                    axis = frame[:3, :3] @ joint.axis
                    i = number[joint.name]
                    if joint.type == "prismatic":
                        linear[:, i] = axis
                    else:
                        turn[:, i] = axis
                        linear[:, i] = np.cross(axis, pose[:3, 3] - frame[:3, 3])
                joint = self.above.get(joint.parent)
            world = pose[:3, :3] @ tensor @ pose[:3, :3].T
            M += mass * linear.T @ linear + turn.T @ world @ turn
        return M
