#!/usr/bin/env python3
"""Steps per second of a core on scenes like those that GPUs are timed on, and cores that make a GPU.

usage: rates.py [--worlds 256] [--rounds 6] [--seconds 0.5] [SCENE ...]

Every world has a state of its own, from a run under random controls, and new random controls with
each call of four steps. Lanes and one by one take turns, each from the same states; time is that of
the thread that steps, and the best of the rounds counts, so that others on a busy machine count
little. "threads" is the time of all processors for the same work with one thread and with as many as
asked for by --threads: what threads cost beyond waiting. Memory is what the process grows by from 64 worlds to 4,096.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from scenes import write

import condyle

# steps per second of 8,192 worlds on one GPU, as published: docs/batch.md, Scale
PUBLISHED = {"humanoid": 2.7e6, "muscle_arm": 1.07e6, "pot": 1.98e6, "clutter": 0.48e6}
NSTEP = 4
SETTLE = 60  # calls before the states that are timed


def controls(model: Any, n: int, rng: np.random.Generator) -> Any:
    """Return random controls (n, nu): around the keyframe, or the middle of their range."""
    low, high = model.actuator_ctrlrange.T
    limited = model.actuator_ctrllimited.astype(bool)
    low, high = np.where(limited, low, -1), np.where(limited, high, 1)
    if model.nkey:
        return np.clip(model.key_ctrl[0] + rng.uniform(-0.2, 0.2, (n, model.nu)), low, high)
    return (low + high) / 2 + (high - low) / 4 * rng.uniform(-1, 1, (n, model.nu))


def resident() -> float:
    """Return the memory of the process now, kB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e3


def memory(file: str) -> float:
    """Return kB for each world."""
    model = condyle.MjModel.from_xml_path(file)
    rng = np.random.default_rng(1)
    sizes = []
    for n in (64, 4096):
        with condyle.Batch(model, n, 1, lanes=True) as batch:
            batch.step(controls(model, n, rng), 1)
            sizes.append(resident())
    return (sizes[1] - sizes[0]) / (4096 - 64)


def measure(file: str, n: int, rounds: int, seconds: float, threads: int) -> None:
    """Print a row of the table."""
    model = condyle.MjModel.from_xml_path(file)
    rng = np.random.default_rng(1)
    ways = {"lanes": (1, True), "one by one": (1, False), "threads": (threads, True)}
    batches = {k: condyle.Batch(model, n, nthread, lanes=lanes) for k, (nthread, lanes) in ways.items()}
    first = batches["lanes"]
    if model.nkey:
        first.reset(keyframe=0)
    for _ in range(SETTLE):
        first.step(controls(model, n, rng), NSTEP)
        if "biped" in file:  # one that falls begins anew, as learners have it
            first.reset(first.qpos[:, 2] < 0.55, 0)
    start = first.get_state(condyle.mjtState.mjSTATE_INTEGRATION)
    calls = [controls(model, n, rng) for _ in range(4)]
    best = dict.fromkeys(ways, np.inf)
    left = 0
    for _ in range(rounds):
        for name, batch in batches.items():
            spent, count = 0.0, 0
            while spent < seconds:
                batch.set_state(start, condyle.mjtState.mjSTATE_INTEGRATION)
                begin = time.process_time()
                for ctrl in calls:
                    batch.step(ctrl, NSTEP)
                    left = max(left, batch.left) if name == "lanes" else left
                spent += time.process_time() - begin
                count += 1
            best[name] = min(best[name], spent / (count * len(calls) * NSTEP * n))
    name = Path(file).stem
    rate, alone = 1 / best["lanes"], 1 / best["one by one"]
    gpu = PUBLISHED.get(name)
    cells = [
        name, f"{model.nv}", f"{model.nu}", f"{rate:,.0f}", f"{alone:,.0f}", f"{rate / alone:.1f}",
        f"{100 * left / n:.0f} %", f"{memory(file):.1f}",
        f"{100 * (best['threads'] / best['lanes'] - 1):.0f} %",
        f"{gpu / 1e6:.2f}" if gpu else "", f"{gpu / rate:.1f}" if gpu else "",
    ]
    why = "" if first.lanes else f"  ({first.why})"
    print(f"| {' | '.join(cells)} |{why}", flush=True)


def main() -> None:
    """Measure each scene in a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--file", help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.file:
        measure(a.file, a.worlds, a.rounds, a.seconds, a.threads)
        return
    heads = ("scene", "dofs", "controls", "steps/s and core", "one by one", "gain", "left to mj_step",
             "kB per world", "threads", "GPU, million steps/s", "cores for it")
    print(f"| {' | '.join(heads)} |\n|---{'|--:' * (len(heads) - 1)}|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for path in write(Path(folder)):
            if a.scenes and path.stem not in a.scenes:
                continue
            options = [f"--{k}={getattr(a, k)}" for k in ("worlds", "rounds", "seconds", "threads")]
            subprocess.run([sys.executable, __file__, "--file", str(path), *options], check=True)


if __name__ == "__main__":
    main()
