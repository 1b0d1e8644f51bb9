"""MjSpec.encode: MJCF, archives, binary models and text by the ending of a name; archives read."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

import condyle

PLAIN = (
    "<mujoco><worldbody><body><freejoint/><geom name='g' size='.1'/></body></worldbody></mujoco>"
)
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


@pytest.mark.parametrize("name", ["m.xml", "m.mjz", "m.zip", "m.mjb", "m.txt"])
def test_the_length_of_the_file_is_returned(tmp_path: Path, name: str) -> None:
    spec = condyle.MjSpec.from_string(PLAIN)
    model = spec.compile()
    size = spec.encode(tmp_path / name, model)
    assert size == os.path.getsize(tmp_path / name)
    assert size > 0


def test_the_content_type_says_what_a_name_does_not(tmp_path: Path) -> None:
    spec = condyle.MjSpec.from_string(PLAIN)
    spec.compile()
    spec.encode(tmp_path / "q", content_type="text/xml")
    assert "<mujoco" in (tmp_path / "q").read_text()


# texts of MuJoCo 4.0.0
def test_what_can_not_be_encoded_is_a_fatal_error(tmp_path: Path) -> None:
    spec = condyle.MjSpec.from_string(PLAIN)
    with pytest.raises(condyle.FatalError, match="Only compiled model can be written"):
        spec.encode(tmp_path / "m.xml")
    model = spec.compile()
    for name, text in (
        ("m.mjb", "^model is required for MJB encoding$"),
        ("m.txt", "^model is required for TXT encoding$"),
        ("m.zzz", "^no encoder found$"),
        ("none/m.xml", "^Error writing resource '"),
    ):
        with pytest.raises(condyle.FatalError, match=text):
            spec.encode(tmp_path / name)
    wrong: Any = 5
    with pytest.raises(TypeError):
        spec.encode(wrong)
    with pytest.raises(TypeError):
        spec.encode(tmp_path / "m.xml", wrong)
    other = condyle.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(ValueError, match="not compiled from this spec"):
        spec.encode(tmp_path / "m.xml", other)
    assert spec.encode(tmp_path / "m.xml", model) > 0


def test_an_archive_holds_the_model_and_its_assets(tmp_path: Path) -> None:
    text = PLAIN.replace(
        "<worldbody>", '<asset><mesh name="m" file="sub/m.obj"/></asset><worldbody>'
    )
    spec = condyle.MjSpec.from_string(text, assets={"sub/m.obj": OBJ})
    model = spec.compile()
    model.geom("g").size[0] = 0.25
    spec.encode(tmp_path / "robot.mjz", model)
    with zipfile.ZipFile(tmp_path / "robot.mjz") as archive:
        assert archive.testzip() is None
        assert sorted(archive.namelist()) == ["model.xml", "sub/m.obj"]
        assert archive.read("sub/m.obj") == OBJ
    read = condyle.MjSpec.from_file(tmp_path / "robot.mjz").compile()
    assert read.nmesh == 1
    assert read.geom("g").size[0] == 0.25
    assert condyle.MjModel.from_xml_path(tmp_path / "robot.mjz").nmesh == 1


def test_an_archive_of_any_zip_program_is_read(tmp_path: Path) -> None:
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(tmp_path / "arm.zip", "w", method) as archive:
            archive.writestr("arm/arm.xml", PLAIN)
        assert condyle.MjSpec.from_file(tmp_path / "arm.zip").compile().ngeom == 1


def test_a_broken_archive_is_a_model_error_with_its_reason(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "evil.mjz", "w") as archive:
        archive.writestr("model.xml", PLAIN)
        archive.writestr("../evil.xml", PLAIN)
    with pytest.raises(ValueError, match=r"evil\.mjz.*outside"):
        condyle.MjSpec.from_file(tmp_path / "evil.mjz")
    (tmp_path / "cut.mjz").write_bytes((tmp_path / "evil.mjz").read_bytes()[:100])
    with pytest.raises(ValueError, match="cut off"):
        condyle.MjModel.from_xml_path(tmp_path / "cut.mjz")
    with pytest.raises(ValueError, match=r"none\.mjz"):
        condyle.MjSpec.from_file(tmp_path / "none.mjz")
