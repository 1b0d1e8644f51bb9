"""Rollouts of a humanoid on workers of Ray, which may live on other machines.

    python examples/python/ray_rollout.py [MODEL.xml] [--workers N] [--fast]

The model is sent to each worker once; rollouts are dealt out and come back with the bits that one
process gives. Needs the package ray.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import ray

import condyle
from condyle import rollout
from condyle.ray import Rollouts

MODEL = Path(__file__).resolve().parents[2] / "models" / "humanoid.xml"


def main() -> None:
    parser = argparse.ArgumentParser(description="Rollouts on workers of Ray.")
    parser.add_argument("model", nargs="?", default=str(MODEL))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--fast", action="store_true", help="few trajectories")
    options = parser.parse_args()
    trajectories, steps = (16, 50) if options.fast else (128, 200)

    model = condyle.MjModel.from_xml_path(options.model)
    data = condyle.MjData(model)
    spec = condyle.mjtState.mjSTATE_FULLPHYSICS
    start = np.empty(condyle.mj_stateSize(model, spec))
    condyle.mj_getState(model, data, start, spec)
    controls = 0.3 * np.random.default_rng(1).standard_normal((trajectories, steps, model.nu))

    ray.init(num_cpus=options.workers, include_dashboard=False, log_to_driver=False)
    with Rollouts(model, options.workers) as rollouts:
        rollouts.rollout(start, controls[:, :1])  # workers are started by the first call
        begin = time.perf_counter()
        states, _ = rollouts.rollout(start, controls)
        elapsed = time.perf_counter() - begin
    ray.shutdown()
    print(f"{trajectories} trajectories of {steps} steps on {options.workers} workers")
    print(f"{1e6 * elapsed / (trajectories * steps):.2f} us per step, states sent back included")

    here, _ = rollout.rollout(model, data, start, controls, lanes=False)
    print(f"{np.count_nonzero(states != here)} of {here.size} numbers differ from one process")


if __name__ == "__main__":
    main()
