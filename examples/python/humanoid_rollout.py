"""Rollouts of a humanoid on all cores: time per step, and the same bits on any number of threads.

    python examples/python/humanoid_rollout.py [MODEL.xml] [--fast]

Each trajectory starts from the same state and gets other random controls. A rollout needs one
MjData for each thread; the model is shared.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np

import condyle
from condyle import rollout

MODEL = Path(__file__).resolve().parents[2] / "models" / "humanoid.xml"


def main() -> None:
    parser = argparse.ArgumentParser(description="Rollouts on threads.")
    parser.add_argument("model", nargs="?", default=str(MODEL))
    parser.add_argument("--fast", action="store_true", help="few trajectories")
    options = parser.parse_args()
    trajectories, steps = (16, 50) if options.fast else (256, 500)

    model = condyle.MjModel.from_xml_path(options.model)
    data = condyle.MjData(model)
    spec = condyle.mjtState.mjSTATE_FULLPHYSICS
    start = np.empty(condyle.mj_stateSize(model, spec))
    condyle.mj_getState(model, data, start, spec)
    controls = 0.3 * np.random.default_rng(1).standard_normal((trajectories, steps, model.nu))

    cores = os.cpu_count() or 1
    counts = sorted({1, *(2**k for k in range(1, cores.bit_length()) if 2**k < cores), cores})
    print(f"{trajectories} trajectories of {steps} steps, {model.nv} dofs, {cores} cores")
    print("threads   us per step    times as fast")
    first, single, differences = None, 0.0, 0
    for count in counts:
        workers = [condyle.MjData(model) for _ in range(count)]
        with rollout.Rollout(nthread=count) as pool:
            begin = time.perf_counter()
            states, _ = pool.rollout(model, workers, start, controls)
            elapsed = time.perf_counter() - begin
        single = single or elapsed
        print(
            f"{count:7}{1e6 * elapsed / (trajectories * steps):14.2f}{single / elapsed:17.2f}",
            flush=True,
        )
        if first is None:
            first = states
        differences += int(np.count_nonzero(states != first))

    assert first is not None
    heights = first[:, -1, 3]  # state: time, then qpos
    print(f"height of the torso at the end: {heights.min():.2f} .. {heights.max():.2f} m")
    print(f"{differences} numbers of {first.size} depend on the number of threads")


if __name__ == "__main__":
    main()
