"""The converter of old mesh files: numbers, corners, refusals."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from condyle import msh2obj

POSITIONS = [0.0, 0.0, 0.0, 1.0, 0.0, 0.5, 0.0, 2.0, 0.0]
NORMALS = [0.0, 0.0, 1.0] * 3
TEXCOORDS = [0.0, 0.25, 1.0, 0.0, 0.5, 1.0]
FACES = [0, 1, 2, 2, 1, 0]


def write(
    path: Path,
    normals: list[float],
    texcoords: list[float],
    faces: list[int],
    extra: bytes = b"",
) -> Path:
    counts = (3, len(normals) // 3, len(texcoords) // 2, len(faces) // 3)
    floats = POSITIONS + normals + texcoords
    data = struct.pack("<4i", *counts) + struct.pack(f"<{len(floats)}f", *floats)
    path.write_bytes(data + struct.pack(f"<{len(faces)}i", *faces) + extra)
    return path


def test_a_mesh_becomes_text(tmp_path: Path) -> None:
    file = write(tmp_path / "a.msh", NORMALS, TEXCOORDS, FACES)
    assert msh2obj.msh_to_obj(file).splitlines() == [
        "v 0.0 0.0 0.0",
        "v 1.0 0.0 0.5",
        "v 0.0 2.0 0.0",
        "vn 0.0 0.0 1.0",
        "vn 0.0 0.0 1.0",
        "vn 0.0 0.0 1.0",
        "vt 0.0 0.75",
        "vt 1.0 1.0",
        "vt 0.5 0.0",
        "f 1/1/1 2/2/2 3/3/3",
        "f 3/3/3 2/2/2 1/1/1",
    ]
    msh = msh2obj.Msh.create(file)
    assert msh.vertex_texcoords.dtype == np.float32
    assert msh.face_vertex_indices.tolist() == [[0, 1, 2], [2, 1, 0]]


@pytest.mark.parametrize(
    ("normals", "texcoords", "line"),
    [([], [], "f 1 2 3"), (NORMALS, [], "f 1//1 2//2 3//3"), ([], TEXCOORDS, "f 1/1 2/2 3/3")],
)
def test_corners_name_only_what_the_file_has(
    tmp_path: Path, normals: list[float], texcoords: list[float], line: str
) -> None:
    file = write(tmp_path / "a.msh", normals, texcoords, FACES[:3])
    assert msh2obj.msh_to_obj(str(file)).splitlines()[-1] == line


def test_files_that_do_not_fit_their_counts_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.msh"
    with pytest.raises(FileNotFoundError, match="does not exist"):
        msh2obj.msh_to_obj(file)
    write(file, NORMALS, TEXCOORDS, FACES, b"more")
    with pytest.raises(ValueError, match="take 136 bytes, but the file has 140"):
        msh2obj.msh_to_obj(file)
    file.write_bytes(file.read_bytes()[:50])
    with pytest.raises(ValueError, match="but the file has 50"):
        msh2obj.msh_to_obj(file)
    file.write_bytes(b"short")
    with pytest.raises(ValueError, match="5 bytes, fewer than the 16 of counts"):
        msh2obj.msh_to_obj(file)
    file.write_bytes(struct.pack("<4i", -1, 0, 0, 0))
    with pytest.raises(ValueError, match="negative count"):
        msh2obj.msh_to_obj(file)
    write(file, NORMALS[:6], [], FACES)
    with pytest.raises(ValueError, match="2 normals for 3 vertices"):
        msh2obj.msh_to_obj(file)
    write(file, [], [], [0, 1, 3])
    with pytest.raises(ValueError, match="vertices 0 to 3, but there are 3, numbered from 0"):
        msh2obj.msh_to_obj(file)


def test_the_command_line_writes_a_file_or_says_why_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = write(tmp_path / "a.msh", [], [], FACES), tmp_path / "a.obj"
    assert msh2obj.main(["-i", str(source), "-o", str(target)]) == 0
    assert target.read_text() == msh2obj.msh_to_obj(source)
    target.unlink()
    assert msh2obj.main(["-i", str(tmp_path / "b.msh"), "-o", str(target)]) == 1
    assert "b.msh does not exist." in capsys.readouterr().err
    assert not target.exists()


def test_the_module_runs_without_the_compiled_part(tmp_path: Path) -> None:
    source = write(tmp_path / "a.msh", [], [], FACES)
    script = Path(msh2obj.__file__)
    command = [sys.executable, str(script), "--input", str(source), "--output", str(tmp_path / "o")]
    assert subprocess.run(command, check=False).returncode == 0
    assert (tmp_path / "o").read_text().endswith("f 3 2 1\n")
