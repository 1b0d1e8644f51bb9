#!/usr/bin/env python3
"""Steps per second and core against the number of worlds: in lanes, one by one, the reference.

usage: worlds.py MODEL.xml [--most 1024] [--seconds 0.4] [-o FILE.csv]

Each measurement steps all worlds from the model's initial state, 20 steps at a time under random
controls of their own; processor time counts, so that others on a busy machine matter little, and
the best of the rounds. The reference steps by its rollout. `condyle plot FILE.csv --x log2_worlds`
draws the result.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import condyle

try:
    import mujoco
    import mujoco.rollout
except ImportError:
    mujoco = None

NSTEP = 20


def rate(call: Callable[[], Any], steps: int, seconds: float) -> float:
    """Return steps per second of processor time: the best of three rounds."""
    call()
    best = 0.0
    for _ in range(3):
        count, begin = 0, time.process_time()
        while time.process_time() - begin < seconds:
            call()
            count += 1
        best = max(best, count * steps / (time.process_time() - begin))
    return best


def batch_rate(model: Any, n: int, seconds: float, nthread: int = 1, **options: Any) -> float:
    """Return what a Batch makes."""
    with condyle.Batch(model, n, nthread, **options) as batch:
        controls = 0.3 * np.random.default_rng(1).normal(size=(n, model.nu))
        start = batch.get_state()

        def run() -> None:
            batch.set_state(start)
            batch.step(controls, nstep=NSTEP)
            batch.step(nstep=NSTEP)

        return rate(run, 2 * NSTEP * n, seconds)


def reference_rate(file: str, n: int, seconds: float) -> float:
    """Return what the reference's rollout makes on one thread."""
    if mujoco is None:
        return float("nan")
    model = mujoco.MjModel.from_xml_path(file)
    data = mujoco.MjData(model)
    bits = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.empty(mujoco.mj_stateSize(model, bits))
    mujoco.mj_getState(model, data, start, bits)
    controls = 0.3 * np.random.default_rng(1).normal(size=(n, 1, model.nu))
    controls = np.repeat(controls, 2 * NSTEP, axis=1)
    starts = np.tile(start, (n, 1))
    with mujoco.rollout.Rollout(nthread=0) as pool:
        return rate(lambda: pool.rollout(model, data, starts, controls), 2 * NSTEP * n, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--most", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    model = condyle.MjModel.from_xml_path(options.model)
    cores = os.cpu_count() or 1
    with open(options.output, "w", newline="") if options.output else sys.stdout as file:
        table = csv.writer(file)
        table.writerow(
            ["log2_worlds", "lanes", "lanes_single", f"lanes_{cores}_threads", "one_by_one"]
            + (["reference"] if mujoco else [])
        )
        n = 1
        while n <= options.most:
            row = [
                batch_rate(model, n, options.seconds),
                batch_rate(model, n, options.seconds, precision="single"),
                batch_rate(model, n, options.seconds, cores),
                batch_rate(model, n, options.seconds, lanes=False),
            ]
            if mujoco:
                row.append(reference_rate(options.model, n, options.seconds))
            table.writerow([int(np.log2(n)), *(round(x) for x in row)])
            file.flush()
            n *= 2


if __name__ == "__main__":
    main()
