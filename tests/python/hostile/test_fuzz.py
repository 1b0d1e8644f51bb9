"""The module never ends the process, whatever it is called with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import condyle

_SCRIPT = Path(__file__).with_name("fuzz.py")


@pytest.mark.parametrize("seed", [1, 2])
def test_random_calls_do_not_end_the_process(seed: int, tmp_path: Path) -> None:
    package = str(Path(condyle.__file__).parents[1])
    environment = os.environ | {"FUZZ_FOLDER": str(tmp_path), "PYTHONPATH": package}
    done = subprocess.run(
        [sys.executable, str(_SCRIPT), str(seed), "5000"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=1200,  # under the address sanitizer on a busy machine
        check=False,
    )
    last = (tmp_path / "last").read_text(errors="replace").strip()
    assert done.returncode == 0 and last == "done", f"{last}\n{done.stderr[-2000:]}"
