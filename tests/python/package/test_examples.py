"""Runs every example of examples/python, briefly, and checks what its last line promises."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import condyle

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "python"

# example: parts of condyle and packages that it needs, pattern of its last line
PROMISES: dict[str, tuple[tuple[str, ...], str]] = {
    "pendulum_energy": ((), r"order: Euler (1\.\d), RK4 ([345]\.\d)"),
    "hard_contacts": (
        (),
        r"contacts of the stack: 0\.[56789]\d* mm deep if soft, 0\.0\d+ mm if hard",
    ),
    "humanoid_rollout": (
        (),
        r"0 numbers of [1-9]\d+ depend on the number of threads",
    ),
    "identify": (
        ("condyle.autodiff",),
        r"masses and damping are 0\.\d+ % off at most",
    ),
    "mpc_exact": (
        (),
        r"after 6 s and a push the pole is [0-4]\.\d degrees off upright",
    ),
    "ray_rollout": (
        ("ray", "condyle.ray"),
        r"0 of [1-9]\d+ numbers differ from one process",
    ),
    "edit_model": (
        (),
        r"in 1 s it walks 0\.[012]\d m, with longer legs 0\.[012]\d m",
    ),
    "ray_worlds": (
        ("ray", "condyle.ray"),
        r"0 of [1-9]\d+ numbers differ from one process",
    ),
    "train_walker": (
        ("gymnasium", "condyle.Batch"),
        r"it walks at -?\d+ % of the command, \d+ % of worlds within a fifth of it, \d+ % fall",
    ),
    "train_cheetah": (
        ("gymnasium", "condyle.Batch"),
        r"in lanes: return -?[01]\.\d after 24000 steps, .* s",
    ),
}


def missing(name: str) -> bool:
    """Tell whether a module, or a name of a module, is not here."""
    parent, _, last = name.rpartition(".")
    if parent == "condyle" and hasattr(condyle, last):
        return False
    try:
        return importlib.util.find_spec(name) is None
    except (ModuleNotFoundError, ValueError):  # its parent is missing, or it is a stand-in
        return True


def run(name: str, *arguments: str) -> list[str]:
    """Run an example and return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), "--fast", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )
    assert done.returncode == 0, f"{name} ended with {done.returncode}:\n{done.stderr}"
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_the_last_line_of_an_example_says_what_it_shows(name: str) -> None:
    assert name in PROMISES, f"{name} promises nothing: add its last line to PROMISES"
    needs, promise = PROMISES[name]
    for need in needs:
        if missing(need):
            pytest.skip(f"{name} needs {need}")
    if not hasattr(condyle, "_condyle"):
        pytest.skip("the compiled part of condyle is not built")
    last = run(name)[-1]
    assert re.fullmatch(promise, last), f"{name} ends with {last!r}, not {promise!r}"


def test_the_pendulum_is_drawn_as_well_formed_svg(tmp_path: Path) -> None:
    if not hasattr(condyle, "_condyle"):
        pytest.skip("the compiled part of condyle is not built")
    import xml.etree.ElementTree as xml

    run("pendulum_energy", "--svg", str(tmp_path / "energy.svg"))
    drawing = xml.parse(tmp_path / "energy.svg").getroot()
    curves = [part for part in drawing.iter() if part.get("fill") == "none"]
    assert len(curves) == 4, f"{len(curves)} curves for 4 integrators"


def test_every_example_stands_in_the_gallery() -> None:
    files = {path.stem for path in EXAMPLES.glob("*.py")}
    shown = set(re.findall(r"^\| \[(\w+)\.py\]", (EXAMPLES / "README.md").read_text(), re.M))
    assert files == shown, f"files {sorted(files)}, in README.md {sorted(shown)}"
