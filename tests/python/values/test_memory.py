"""Repeated work leaves nothing behind. CONDYLE_LONG=1 repeats it a hundred thousand times."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("condyle._condyle")

from endurance import WORK, growth, resident

LONG = bool(os.environ.get("CONDYLE_LONG"))
COUNT = 100_000 if LONG else 200

# what arenas of threads and caches of the interpreter take once is not what each repetition loses
TRIES = 4
BYTES, BLOCKS = 8.0, 0.9
RESIDENT = 16 << 20
# the address sanitizer keeps what is freed for a while
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")


@pytest.mark.parametrize("name", WORK)
def test_repeated_work_leaves_nothing_behind(name: str) -> None:
    before = resident()
    for _ in range(TRIES):
        stays, blocks = growth(WORK[name], COUNT)
        if stays < BYTES and blocks < BLOCKS:
            break
    else:
        pytest.fail(f"each of {COUNT} repetitions keeps {stays:.1f} bytes, {blocks:.1f} blocks")
    grown = resident() - before
    assert grown < RESIDENT or SANITIZED, (
        f"{COUNT} repetitions grew the process by {grown >> 10} KiB"
    )
