"""The names of release 4.0.0: all are there where condyle is mujoco of that version.

surface.txt was written by support/record_surface.py with 4.0.0.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent

# what docs/differences.md says is not there
ABSENT = {
    # a native window
    "mujoco.viewer MAX_SYNC_MISALIGN",
    "mujoco.viewer PERCENT_REALTIME",
    "mujoco.viewer SIM_REFRESH_FRACTION",
    # how a module is made
    "mujoco.introspect.ast_nodes C_INVALID_TYPE_NAMES",
    "mujoco.introspect.mjxmacro MJDATA_S",
    "mujoco.introspect.mjxmacro MJMODEL_S",
    "mujoco.introspect.mjxmacro field",
    "mujoco.introspect.mjxmacro structs",
    "mujoco.introspect.type_parsing ast_nodes",
}

# values that belong to this package or engine
OWN_VALUES = {"mjNEQDATA"}

_WALK = """
import importlib, json, sys
sys.path.insert(0, {support!r})
import condyle
mujoco = condyle.install_as_mujoco("4.0")
from record_surface import describe, kind
lines = {{}}
for module, name in json.load(sys.stdin):
    value = getattr(importlib.import_module(module), name, None)
    if value is not None or name in dir(importlib.import_module(module)):
        lines[module + " " + name] = describe(value, "._" not in module)
print(json.dumps(lines))
"""


def recorded() -> dict[str, str]:
    lines = (HERE / "surface.txt").read_text().splitlines()
    split = [line.split(" ", 2) for line in lines]
    return {f"{module} {name}": rest for module, name, rest in split}


@pytest.fixture(scope="module")
def ours() -> dict[str, str]:
    """The same lines of condyle as version 4.0, in a process of its own."""
    names = [key.split(" ") for key in recorded()]
    code = _WALK.format(support=str(HERE.parent / "support"))
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(names),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MUJOCO_GL": "egl"},
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_no_name_is_missing(ours: dict[str, str]) -> None:
    assert [key for key in recorded() if key not in ours and key not in ABSENT] == []


def test_names_stand_for_the_same_kind_of_thing(ours: dict[str, str]) -> None:
    different = {
        key: (ours[key].split(" ")[0], line.split(" ")[0])
        for key, line in recorded().items()
        if key in ours and ours[key].split(" ")[0] != line.split(" ")[0]
    }
    assert different == {}


def test_no_member_of_a_class_is_missing(ours: dict[str, str]) -> None:
    missing = []
    for key, line in recorded().items():
        kind, *members = line.split(" ")
        if kind == "class" and key in ours:
            name = key.split(" ")[1]
            there = set(ours[key].split(" "))
            missing += [
                f"{name}.{member}"
                for member in members
                if member not in there and f"{name}.{member}" not in ABSENT
            ]
    assert missing == []


def test_enums_have_the_members_and_numbers(ours: dict[str, str]) -> None:
    different = []
    for key, line in recorded().items():
        if line.startswith("enum ") and key in ours:
            there = ours[key].split(" ")
            different += [f"{key} {word}" for word in line.split(" ") if word not in there]
    assert different == []


def test_values_are_the_same(ours: dict[str, str]) -> None:
    different = {
        key: (ours[key], line)
        for key, line in recorded().items()
        if line.startswith("value ") and key in ours and ours[key] != line
    }
    assert {k: v for k, v in different.items() if k.split(" ")[1] not in OWN_VALUES} == {}


def test_what_is_absent_is_still_absent(ours: dict[str, str]) -> None:
    members = {
        f"{key.split(' ')[1]}.{member}" for key, line in ours.items() for member in line.split(" ")
    }
    assert sorted(name for name in ABSENT if name in ours or name in members) == []
