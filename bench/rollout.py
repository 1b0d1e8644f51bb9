"""Steps per second of condyle.rollout beside those of mujoco.rollout; prints a table.

usage: rollout.py [--worlds N] [--steps N] [--threads 1,2] MODEL.xml ...

Both packages must be importable. They take turns, so that a busy machine slows both, and the best
of each counts. Trajectories begin at the model's initial state, under the same random controls.
"""

from __future__ import annotations

import argparse
import pathlib
import time
from types import ModuleType
from typing import Any

import mujoco
import mujoco.rollout
import numpy as np

import condyle
import condyle.rollout

ROUNDS = 5


class Engine:
    """One package with a model, working memory and threads."""

    def __init__(self, package: ModuleType, file: str, nthread: int) -> None:
        self.package = package
        self.model = package.MjModel.from_xml_path(file)
        self.datas = [package.MjData(self.model) for _ in range(nthread)]
        self.pool = package.rollout.Rollout(nthread=nthread)
        self.best = float("inf")

    def start(self, n: int) -> Any:
        bits = self.package.mjtState.mjSTATE_FULLPHYSICS
        state = np.empty(self.package.mj_stateSize(self.model, bits))
        self.package.mj_getState(self.model, self.datas[0], state, bits)
        return np.tile(state, (n, 1))

    def run(self, start: Any, controls: Any) -> None:
        begin = time.perf_counter()
        self.pool.rollout(self.model, self.datas, start, controls)
        self.best = min(self.best, time.perf_counter() - begin)


def compare(file: str, nthread: int, n: int, steps: int) -> tuple[float, float]:
    """Return steps per second of the reference and of Condyle."""
    engines = [Engine(package, file, nthread) for package in (mujoco, condyle)]
    nu = engines[0].model.nu
    controls = np.random.default_rng(1).normal(scale=0.5, size=(n, steps, nu))
    for _ in range(ROUNDS):
        for engine in engines:
            engine.run(engine.start(n), controls)
            engine.package.mj_resetData(engine.model, engine.datas[0])
    for engine in engines:
        engine.pool.close()
    return n * steps / engines[0].best, n * steps / engines[1].best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=32)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    print(f"{'model':16} {'threads':>7} {'reference steps/s':>18} {'condyle steps/s':>16} ratio")
    for file in options.models:
        for nthread in map(int, options.threads.split(",")):
            theirs, ours = compare(file, nthread, options.worlds, options.steps)
            name = pathlib.Path(file).stem
            print(
                f"{name:16} {nthread:7} {theirs:18,.0f} {ours:16,.0f} {ours / theirs:5.2f}",
                flush=True,
            )


main()
