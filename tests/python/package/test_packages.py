"""A few tasks of packages that import mujoco, compared with the reference by tests/packages."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packages"))

import compare

TASKS = {
    "gymnasium": ["Ant-v5", "Hopper-v4", "HumanoidStandup-v5", "Swimmer-v5"],
    "mink": ["humanoid:com+posture:configuration:daqp", "ant:frame+posture:free:daqp"],
}
REFERENCE = "3.3.7"


@pytest.fixture(scope="module")
def workers() -> Iterator[list[compare.Worker]]:
    pytest.importorskip("condyle._condyle")
    try:
        found = importlib.metadata.version("mujoco")
    except importlib.metadata.PackageNotFoundError:
        found = ""
    if found != REFERENCE:
        pytest.skip(f"no mujoco {REFERENCE}")
    pair = [
        compare.Worker("condyle", REFERENCE, Path()),
        compare.Worker("mujoco", REFERENCE, Path()),
    ]
    yield pair
    for worker in pair:
        worker.stop()


@pytest.mark.parametrize(
    ("package", "name"), [(package, name) for package in TASKS for name in TASKS[package]]
)
def test_a_task_shows_the_same(package: str, name: str, workers: list[compare.Worker]) -> None:
    # found, not imported: that would load the original in this process
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"no {package}")
    result = compare.compare_task(package, name, workers, 0)
    assert result["verdict"] == "equal", compare.show(result)
    assert result["free"] < 1e-9, compare.show(result)
