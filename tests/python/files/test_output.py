"""Files that can't be written to their end: the old one stays, and the error says why."""

from __future__ import annotations

import errno
import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import condyle
from condyle import msh2obj
from condyle._support import output
from condyle._viewer import notebook

MODEL = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"


@contextmanager
def full_disk() -> Iterator[None]:
    """No file may have more than 64 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def save_page(path: Path) -> None:
    notebook.Shown("page" * 100, None, "", ("1", 1)).save(path)


def save_zip(path: Path) -> None:
    condyle.MjSpec.from_string(MODEL).to_zip(path)


def save_text(path: Path) -> None:
    spec = condyle.MjSpec.from_string(MODEL)
    spec.compile()
    spec.to_file(str(path))


def write_bytes(path: Path) -> None:
    output.write_file(path, bytes(1000))


@pytest.mark.parametrize("save", [save_page, save_zip, write_bytes])
def test_a_full_disk_leaves_the_old_file_and_says_why(
    save: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    with full_disk(), pytest.raises(OSError, match="File too large") as caught:
        save(path)
    assert caught.value.errno == errno.EFBIG and caught.value.filename == str(path)
    assert path.read_text() == "before" and os.listdir(tmp_path) == ["file"]
    save(path)
    assert path.stat().st_size > 100 and os.listdir(tmp_path) == ["file"]


def test_a_spec_leaves_the_old_file_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "file.xml"
    path.write_text("before")
    with full_disk(), pytest.raises(Exception, match="file.xml.*File too large"):
        save_text(path)
    assert path.read_text() == "before" and os.listdir(tmp_path) == ["file.xml"]


def test_meshes_leave_the_old_file_and_say_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "a.msh", tmp_path / "a.obj"
    # nine vertices and a face take more than what a full disk still has
    source.write_bytes(
        np.array([9, 0, 0, 1], np.int32).tobytes()
        + np.ones(27, np.float32).tobytes()
        + np.arange(3, dtype=np.int32).tobytes()
    )
    target.write_text("before")
    with full_disk():
        assert msh2obj.main(["-i", str(source), "-o", str(target)]) == 1
    error = capsys.readouterr().err
    assert "File too large" in error and str(target) in error
    assert target.read_text() == "before" and len(os.listdir(tmp_path)) == 2


def test_what_breaks_off_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    with pytest.raises(ZeroDivisionError), output.writing(path) as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert path.read_text() == "before" and os.listdir(tmp_path) == ["file"]


def test_rights_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    output.write_file(link, b"after")
    assert path.read_text() == "after" and link.is_symlink()
    assert path.stat().st_mode & 0o7777 == 0o640


def test_devices_and_pipes_are_written_directly(tmp_path: Path) -> None:
    output.write_file("/dev/null", b"x")
    with pytest.raises(OSError, match="/dev/full") as caught:
        output.write_file("/dev/full", b"x")
    assert caught.value.errno == errno.ENOSPC
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    output.write_file(pipe, b"x")
    assert os.read(reader, 9) == b"x"
    os.close(reader)


def test_a_folder_that_is_not_there_is_the_reason(tmp_path: Path) -> None:
    path: Any = tmp_path / "no" / "file"
    with pytest.raises(FileNotFoundError) as caught:
        output.write_file(path, b"x")
    assert caught.value.filename == str(path)
