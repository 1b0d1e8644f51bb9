"""Programs of users of release 4.0.0: they say the same where condyle is mujoco of that version.

Beside each file of programs/ is what it printed with 4.0.0 (support/run_programs.py).
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
RUNNER = HERE.parent / "support" / "run_programs.py"
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


def sections(text: str) -> dict[str, str]:
    """What each program printed, by its name."""
    # warnings of the engine are printed in one of the two only
    text = re.sub(r"^WARNING: .*\n\n", "", text, flags=re.MULTILINE)
    parts = re.split(r"^== (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@functools.cache
def ours(file: str) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, str(RUNNER), str(HERE / "programs" / f"{file}.py")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MUJOCO_GL": "egl"},
    )
    assert done.returncode == 0, done.stderr
    return sections(done.stdout)


def recorded() -> list[tuple[str, str, str]]:
    return [
        (file.stem, name, text)
        for file in sorted((HERE / "programs").glob("*.txt"))
        for name, text in sections(file.read_text()).items()
    ]


@pytest.mark.parametrize(("file", "name", "text"), [pytest.param(*r, id=r[1]) for r in recorded()])
def test_program_says_what_it_says_there(file: str, name: str, text: str) -> None:
    said = ours(file)[name]
    assert NUMBER.sub("#", said) == NUMBER.sub("#", text), said
    numbers = [[float(x) for x in NUMBER.findall(part)] for part in (said, text)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-8, abs=2e-9)


def test_all_programs_are_recorded() -> None:
    files = sorted((HERE / "programs").glob("*.py"))
    assert {f.stem for f in files} == {file for file, _, _ in recorded()}
