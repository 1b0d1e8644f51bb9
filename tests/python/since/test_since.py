"""Models with words of later releases, held against release 4.0.0 in every public array."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import pytest
from models import models

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = Path(__file__).parent
TEXTS = models()

# how results of iterations and of convex collision differ between right answers
ITERATED = frozenset(
    """
    efc_force qfrc_constraint qacc qacc_warmstart sensordata cacc cfrc_int cfrc_ext energy
    efc_vel efc_aref contact.dist contact.pos contact.frame efc_pos
    """.split()
)
# what docs/differences.md names: shapes
KNOWN = ("opt.disableflags", "nJ", "flexelem_krot")
# sizes and arrays that are each engine's own business, or that only 3.3.7 or Condyle has
OWN = tuple(
    """
    buffer arena parena pbase pstack maxuse narena nbuffer solver nsolver signature names paths
    nnames npaths bvh nbvh body_bvh mesh_bvh flex_bvh oct noct qH
    qDeriv qLU qLD M_ B_ D_ mapM mapD mapB iM iLD iefc moment_ efc_J efc_AR efc_Y efc_KBIP efc_b
    efc_state map_ warning timer nC nB nD nM nJmom nY nA threadpool iacc ifrc
    tex_data cnd_ behaviour opt.behaviour idof actuator_moment
    plugin efm_K efm_L efm_t efm_a nefmK nefmL nefmT nefmA nefmcon efm_con
    """.split()
)


def _python_of_reference() -> Path | None:
    """Return the folder with release 4.0.0 that run.sh has installed."""
    folder = Path(os.environ.get("CONDYLE_RELEASE_4", Path.cwd() / "release_4"))
    return folder if (folder / "mujoco").is_dir() else None


def _probe(folder: Path, engine: str) -> Mapping[str, object]:
    texts, out = folder / "models.json", folder / f"{engine}.pickle"
    texts.write_text(json.dumps(TEXTS))
    environment = dict(os.environ)
    release = _python_of_reference()
    if engine == "reference" and release:
        environment["PYTHONPATH"] = str(release)
    command = [sys.executable, str(HERE / "probe.py"), str(texts), str(out)]
    subprocess.run(command + ["condyle"] * (engine == "condyle"), check=True, env=environment)
    with out.open("rb") as file:
        return pickle.load(file)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Mapping, Mapping]:
    if not _python_of_reference():
        pytest.skip("release 4.0.0 of the reference is missing (no package index)")
    folder = tmp_path_factory.mktemp("since")
    return _probe(folder, "condyle"), _probe(folder, "reference")


def _differences(ours: Mapping, theirs: Mapping, model: str) -> list[str]:
    # cells of cages turn by an iteration
    cage = model.startswith("cage")
    found = []
    for name, b in theirs.items():
        short = name.split(".", 1)[1]
        if short.startswith(OWN) or short in KNOWN:
            continue
        if name not in ours:
            found.append(f"{name} is missing")
            continue
        a = ours[name]
        if a.shape != b.shape:
            found.append(f"{name} has shape {a.shape}, not {b.shape}")
        elif b.size:
            scale = max(float(numpy.abs(b).max()), 1e-6)
            error = float(numpy.nan_to_num(numpy.abs(a - b), nan=numpy.inf).max()) / scale
            after_steps = name[0].isdigit()
            if error > (1e-6 if cage or short in ITERATED or after_steps else 1e-9):
                found.append(f"{name} differs by {error:.1e} of {scale:.3g}")
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_is_as_in_release_4(both: tuple[Mapping, Mapping], name: str) -> None:
    ours, theirs = both[0][name], both[1][name]
    assert not isinstance(theirs, str), theirs
    assert not isinstance(ours, str), ours
    assert not _differences(ours, theirs, name)


# native windows, Filament and the parts of a page, which docs/differences.md and sysid.md name
ABSENT_MODULES = (
    "mujoco.studio",
    "mujoco.mjrf",
    "mujoco.rendering.filament",
    "mujoco.cgl.cgl",
    "mujoco.sysid.report.sections",
)
_FIND = """
import importlib.util, json, sys
import condyle
condyle.install_as_mujoco("4.0")
names = json.load(sys.stdin)
print(json.dumps([name for name in names if importlib.util.find_spec(name) is None]))
"""


def test_the_recorded_names_are_those_of_the_installed_release() -> None:
    release = _python_of_reference()
    if not release:
        pytest.skip("release 4.0.0 of the reference is missing (no package index)")
    tests = HERE.parent
    walk = [sys.executable, str(tests / "support/record_surface.py")]
    environment = {**os.environ, "PYTHONPATH": str(release), "MUJOCO_GL": "egl"}
    done = subprocess.run(walk, capture_output=True, text=True, check=True, env=environment)
    found = done.stdout.splitlines()
    recorded = (tests / "later/surface.txt").read_text().splitlines()
    # the toolbox can't be imported where the packages that it needs are missing
    if not any(line.startswith("mujoco.sysid") for line in found):
        recorded = [line for line in recorded if not line.startswith("mujoco.sysid")]
    assert sorted(found) == sorted(recorded)


def test_every_public_module_of_the_installed_release_is_there() -> None:
    release = _python_of_reference()
    if not release:
        pytest.skip("release 4.0.0 of the reference is missing (no package index)")
    files = [
        path.relative_to(release).with_suffix("")
        for path in (release / "mujoco").rglob("*.py")
        if (path.parent / "__init__.py").exists()
    ]
    parts = [file.parts[:-1] if file.name == "__init__" else file.parts for file in files]
    names = {
        ".".join(name)
        for name in parts
        if not any(part.startswith("_") or part.endswith(("_test", "tests")) for part in name)
    }
    wanted = sorted(name for name in names if not name.startswith(ABSENT_MODULES))
    assert len(wanted) > 20
    done = subprocess.run(
        [sys.executable, "-c", _FIND],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == []
