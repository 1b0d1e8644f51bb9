"""Loading robots as their makers ship them: URDF, and xacro that makes one."""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from condyle import _condyle, _specs

__all__ = ["load_robot", "robot_spec"]

Actuators = Literal["position", "velocity", "motor", "none"]
Exclude = Literal["initial", "all", "none"]
Packages = Mapping[str, "str | os.PathLike[str]"] | Iterable["str | os.PathLike[str]"]


def _places(packages: Packages) -> list[str]:
    """Packages as the engine takes them: "NAME=DIR", or a folder that is or holds some."""
    if isinstance(packages, (str, os.PathLike)):
        packages = [packages]
    if isinstance(packages, Mapping):
        return [f"{name}={os.fspath(folder)}" for name, folder in packages.items()]
    return [os.fspath(folder) for folder in packages]


def _xacro_program() -> str | None:
    """Where pip puts it if the environment isn't activated, else the one on the PATH."""
    beside = Path(sys.executable).parent / "xacro"
    return str(beside) if not shutil.which("xacro") and beside.is_file() else None


def robot_spec(
    path: str | os.PathLike[str],
    *,
    floating: bool | None = None,
    actuators: Actuators | None = None,
    visuals: bool = True,
    packages: Packages = (),
    exclude: Exclude = "initial",
    simplify: bool = False,
    scene: bool = False,
    xacro: Mapping[str, object] | None = None,
) -> _specs.MjSpec:
    """Read a robot as a spec, to be changed before it is compiled.

    The arguments are those of :func:`load_robot`. What was left out or changed is in the
    attribute ``diagnostics`` of the spec, and is logged as warnings of the logger "condyle".
    """
    words = [f"{name}:={value}" for name, value in (xacro or {}).items()]
    spec = _condyle.MjSpec._from_robot(
        path,
        -1 if floating is None else int(bool(floating)),
        actuators,
        bool(visuals),
        exclude,
        bool(simplify),
        bool(scene),
        _places(packages),
        words,
        _xacro_program(),
    )
    _tell(spec)
    return spec


def load_robot(
    path: str | os.PathLike[str],
    *,
    floating: bool | None = None,
    actuators: Actuators | None = None,
    visuals: bool = True,
    packages: Packages = (),
    exclude: Exclude = "initial",
    simplify: bool = False,
    scene: bool = False,
    xacro: Mapping[str, object] | None = None,
) -> _condyle.MjModel:
    """Load a robot from URDF or xacro.

    Args:
        path: the file; packages that it names are looked for in the folders above it, in
            ``packages``, ROS_PACKAGE_PATH and AMENT_PREFIX_PATH.
        floating: is the base free? None: as the file says, which is fixed unless it has a
            floating joint.
        actuators: the kind for every joint; None: for joints with a transmission, of its kind.
        visuals: keep shapes that are only seen (group 2); those that collide are in group 3.
        packages: folders that are or hold packages, or a dict of their names.
        exclude: pairs of links that never collide: those that touch in the zero pose, all, none.
        simplify: hulls of collision meshes have at most 64 vertices, and what is equal in every
            number is made once.
        scene: add a floor and a light; a free base stands on the floor.
        xacro: arguments of a xacro file, by name.

    Raises:
        ModelError: what is wrong, with its place in the file.
    """
    spec = robot_spec(
        path,
        floating=floating,
        actuators=actuators,
        visuals=visuals,
        packages=packages,
        exclude=exclude,
        simplify=simplify,
        scene=scene,
        xacro=xacro,
    )
    model = spec.compile()
    _tell(spec)
    return model


def _tell(spec: _specs.MjSpec) -> None:
    for problem in spec.diagnostics:
        if problem.severity == "warning":
            logging.getLogger("condyle").warning("%s", problem)
