"""Robots are what their files say: compared with a reading that shares nothing with the engine."""

from __future__ import annotations

import logging
import os
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

import condyle

sys.path.insert(0, str(Path(__file__).parent))
from robot_compare import differences  # noqa: E402
from robot_reader import Reading  # noqa: E402

ARM = Path(__file__).parent / "arm.urdf"


def test_both_doors_agree_with_the_reading() -> None:
    assert differences(condyle.load_robot(ARM), ARM, limit=1e-9) == []
    m = condyle.MjModel.from_xml_path(str(ARM))
    assert differences(m, ARM, frames=False) == []


def test_the_comparison_sees_a_wrong_mass() -> None:
    m = condyle.load_robot(ARM)
    m.body_mass[m.body("upper").id] += 0.001
    assert any(line.startswith("M differs") for line in differences(m, ARM))


def test_the_reading_agrees_with_pinocchio() -> None:
    pin = pytest.importorskip("pinocchio")
    model = pin.buildModelFromUrdf(str(ARM))
    reading = Reading(ARM)
    q = {"pan": 0.7, "lift": -0.4, "grip": 0.03}
    at = np.array([np.cos(q["pan"]), np.sin(q["pan"]), q["lift"], q["grip"]])
    M = pin.crba(model, model.createData(), at)
    np.testing.assert_allclose(np.triu(reading.inertia(q)), np.triu(M), atol=1e-12)


def test_files_are_found_in_any_case_and_packages_where_they_are_said_to_be(tmp_path: Path) -> None:
    robot = tmp_path / "elsewhere" / "arm.urdf"
    robot.parent.mkdir()
    robot.write_text(ARM.read_text())
    with pytest.raises(condyle.ModelError, match="it was looked for in .*elsewhere/arm_parts"):
        condyle.load_robot(robot)
    parts = ARM.parent / "arm_parts"
    for packages in ([parts], [ARM.parent], {"arm_parts": parts}):
        m = condyle.load_robot(robot, packages=packages)
        assert m.nmesh == 2


def test_what_was_changed_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "condyle"):
        condyle.load_robot(ARM)
    assert any("finger" in r.message and "A + B >= C" in r.message for r in caplog.records)


def test_options_make_drives_and_a_free_base() -> None:
    spec = condyle.robot_spec(ARM, actuators="position", floating=True)
    m = spec.compile()
    assert (m.nu, m.nq) == (3, 10)
    assert (m.jnt_type[0], m.geom_group.tolist()) == (0, [2, 3])


@pytest.mark.skipif(os.name != "posix", reason="a program made of a shell script")
def test_xacro_is_run_with_its_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "xacro"
    program.write_text(
        '#!/bin/sh\n[ "$2" = "name:=a b;c" ] || { echo "wrong: $2" >&2; exit 1; }\n'
        "echo \"<robot name='made'><link name='a'/></robot>\"\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    source = tmp_path / "r.xacro"
    source.write_text("<robot/>")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    m = condyle.load_robot(source, xacro={"name": "a b;c"})
    assert m.nbody == 2
    with pytest.raises(condyle.ModelError, match="xacro: wrong: name:=d"):
        condyle.load_robot(source, xacro={"name": "d"})
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(condyle.ModelError, match="pip install xacro"):
        condyle.load_robot(source)
