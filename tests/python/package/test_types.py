"""The package and a program that uses all of it satisfy type checkers, at their strictest."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import condyle

pytest.importorskip("condyle._condyle")

_PACKAGE = Path(condyle.__file__).parent
_ROOT = Path(__file__).resolve().parents[3]
_PROGRAM = Path(__file__).with_name("typed_program.py")

# how others find the package: mypy looks into site-packages by itself, and refuses to be sent there
_FOUND = (
    {}
    if _PACKAGE.parent.name == "site-packages"
    else {"MYPYPATH": str(_PACKAGE.parent), "PYTHONPATH": str(_PACKAGE.parent)}
)

# what a checker must refuse: a line, and a part of its message
_WRONG = """
import condyle
m = condyle.MjModel.from_xml_string("<mujoco/>")
d = condyle.MjData(m)
m.nq = 3
d.tiem = 1
condyle.mj_stepp(m, d)
condyle.mj_step(d, m)
m.body("x").masss
condyle.MjSpec().worldbody.add_geom(siz=[1])
condyle.mjtGeom.mjGEOM_BOXX
condyle.mju_zero([0.0])
"""


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The outcome of a program or checker that finds the package that this process has."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, **_FOUND},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_program_runs(tmp_path: Path) -> None:
    done = run(str(_PROGRAM), folder=tmp_path)
    assert done.returncode == 0, done.stderr


needs_mypy = pytest.mark.skipif(
    importlib.util.find_spec("mypy") is None, reason="mypy is not installed"
)


@needs_mypy
def test_mypy_accepts_the_package_and_the_program(tmp_path: Path) -> None:
    # as the interpreter that runs: packages are installed for it, and so are their annotations
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    config = ("--config-file", str(_ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path))
    config += ("--python-version", version)
    done = run("-m", "mypy", *config, "-p", "condyle", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("-m", "mypy", *config, str(_PROGRAM), folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = tmp_path / "wrong.py"
    wrong.write_text(_WRONG)
    done = run("-m", "mypy", *config, str(wrong), folder=tmp_path)
    found = {int(line.split(":")[1]) for line in done.stdout.splitlines() if "error:" in line}
    assert found == set(range(5, 1 + len(_WRONG.strip().splitlines()) + 1)), done.stdout


@pytest.mark.skipif(
    importlib.util.find_spec("basedpyright") is None, reason="basedpyright is not installed"
)
def test_pyright_accepts_the_program(tmp_path: Path) -> None:
    config = tmp_path / "pyrightconfig.json"
    wrong = tmp_path / "wrong.py"
    wrong.write_text(_WRONG)
    settings = {
        "include": [str(_PROGRAM), str(wrong)],
        "extraPaths": [str(_PACKAGE.parent)],
        "typeCheckingMode": "strict",
        "reportUnusedExpression": False,
    }
    config.write_text(json.dumps(settings))
    command = (
        "-m",
        "basedpyright",
        "--pythonpath",
        sys.executable,
        "-p",
        str(config),
        "--outputjson",
    )
    done = run(*command, folder=tmp_path)
    found: dict[str, set[int]] = {}
    for problem in json.loads(done.stdout)["generalDiagnostics"]:
        name = Path(problem["file"]).name
        found.setdefault(name, set()).add(problem["range"]["start"]["line"] + 1)
    assert found.get("typed_program.py") is None, done.stdout
    assert found["wrong.py"] == set(range(5, 1 + len(_WRONG.strip().splitlines()) + 1)), done.stdout
