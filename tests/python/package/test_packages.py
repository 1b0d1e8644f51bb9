"""A few tasks of packages that import mujoco, compared with both releases by tests/packages."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
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
RELEASES = ("3.3.7", compare.NEWEST)


def _folder(version: str, place: Path) -> Path:
    """Return the folder of a release as tests/packages has it; a place for links."""
    if version == RELEASES[0]:
        try:
            found = importlib.metadata.version("mujoco")
        except importlib.metadata.PackageNotFoundError:
            found = ""
        if found != version:
            pytest.skip(f"no mujoco {version}")
        return Path()
    # as run.sh has installed it
    folder = Path(os.environ.get("CONDYLE_RELEASE_4", Path.cwd() / "release_4"))
    if not (folder / "mujoco").is_dir():
        pytest.skip(f"no mujoco {version}")
    (place / f"mujoco-{version}").symlink_to(folder.resolve())
    return place


@pytest.fixture(scope="module", params=RELEASES)
def workers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[compare.Worker]]:
    pytest.importorskip("condyle._condyle")
    folder = _folder(request.param, tmp_path_factory.mktemp("releases"))
    pair = [
        compare.Worker("condyle", request.param, folder),
        compare.Worker("mujoco", request.param, folder),
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
