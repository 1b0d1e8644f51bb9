"""Many worlds on workers of Ray, which may live on other machines, and what is lost by it.

    python examples/python/ray_worlds.py [MODEL.xml] [--workers N] [--worlds N] [--fast]

Each worker holds a part of the worlds and steps them in lanes; with each call controls go there and
states come back. The states have the bits of one process, and the processors' time for the steps is
that of one process: what a cluster loses is the way of the numbers, which the example tells, too.
Needs the package ray.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import ray

import condyle
from condyle.ray import Batches

MODEL = Path(__file__).resolve().parents[2] / "models" / "humanoid.xml"
NSTEP = 10  # steps of each call


def here(model: Any, calls: Any, n: int) -> tuple[Any, float]:
    """Return states at the end and processor time, in one process on one thread."""
    with condyle.Batch(model, n, 1, lanes=True) as batch:
        batch.step(calls[0], NSTEP)
        begin = time.process_time()
        for ctrl in calls[1:]:
            batch.step(ctrl, NSTEP)
        return np.hstack([batch.qpos, batch.qvel]), time.process_time() - begin


def there(model: Any, calls: Any, n: int, workers: int) -> tuple[Any, Any]:
    """Return the same from workers of one thread each: the time of steps, and with messages."""
    with Batches(model, n, workers, fields=("qpos", "qvel")) as batches:
        batches.step(calls[0], NSTEP)  # workers are started by the first call
        begin = batches.busy()
        for ctrl in calls[1:]:
            seen = batches.step(ctrl, NSTEP)
        spent = batches.busy() - begin
        return np.hstack([seen["qpos"], seen["qvel"]]), spent.sum(axis=0)


def main() -> None:
    """Step, compare, and tell what is lost."""
    parser = argparse.ArgumentParser(description="Worlds on workers of Ray.")
    parser.add_argument("model", nargs="?", default=str(MODEL))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--worlds", type=int, default=512)
    parser.add_argument("--fast", action="store_true", help="few worlds")
    options = parser.parse_args()
    n, count, rounds = (32, 3, 1) if options.fast else (options.worlds, 20, 3)

    model = condyle.MjModel.from_xml_path(options.model)
    calls = 0.3 * np.random.default_rng(1).standard_normal((count, n, model.nu))
    ray.init(num_cpus=options.workers, include_dashboard=False, log_to_driver=False)
    alone, shared = [], []
    for _ in range(rounds):
        states, spent = here(model, calls, n)
        alone.append(spent)
        dealt, spent = there(model, calls, n, options.workers)
        shared.append(spent)
    ray.shutdown()
    steps = n * (count - 1) * NSTEP
    print(f"{n} worlds, {1e6 * min(alone) / steps:.2f} us of a processor per step in one process")
    engine, process = 1e6 * np.min(shared, axis=0) / steps
    ratio = engine * steps / 1e6 / min(alone)
    print(
        f"{engine:.2f} us on {options.workers} workers, {ratio:.2f} times as much, and "
        f"{process - engine:.2f} us for messages"
    )
    both = 8 * (model.nu + model.nq + model.nv)
    print(f"each call sends {both * n / 1e3:.0f} kB, {both} bytes for {NSTEP} steps of a world")
    print(f"{np.count_nonzero(dealt != states)} of {states.size} numbers differ from one process")


if __name__ == "__main__":
    main()
