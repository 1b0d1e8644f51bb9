#!/usr/bin/env python3
"""Steps per second of a core of Gymnasium's tasks: condyle.gym beside SyncVectorEnv and EnvPool.

usage: gym.py [--worlds 64] [--seconds 4] [--rounds 3] [TASK ...]

Each measurement is a process of its own on one processor, with one thread that steps. Time is that
of the processor, so that others on a busy machine count little; rounds take turns and the best of
each counts. A step is an action of one world; actions are random, episodes begin anew by
themselves. "worlds" is what the process grows by making
and stepping them, "process" its peak. What is not installed is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

TASKS = ("HalfCheetah-v5", "Ant-v5", "Humanoid-v5", "Hopper-v5")
SIDES = ("condyle.gym", "SyncVectorEnv", "EnvPool")


def make(side: str, task: str, worlds: int) -> Any:
    """Return worlds of a task."""
    if side == "condyle.gym":
        from condyle.gym import make_vec

        return make_vec(task, worlds, num_threads=1)
    if side == "SyncVectorEnv":
        import gymnasium

        return gymnasium.make_vec(task, num_envs=worlds, vectorization_mode="sync")
    import envpool  # type: ignore[import-not-found, unused-ignore]

    return envpool.make_gymnasium(task, num_envs=worlds, num_threads=1, seed=0)


def load(side: str) -> None:
    """Import what a side needs, so that it doesn't count as memory of worlds."""
    if side == "condyle.gym":
        import condyle.gym  # noqa: F401
    elif side == "SyncVectorEnv":
        import gymnasium.envs.mujoco  # noqa: F401
    else:
        import envpool  # noqa: F401


def resident() -> float:
    """Return the memory of the process now, MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def measure(side: str, task: str, worlds: int, seconds: float) -> dict[str, float]:
    """Step worlds for some seconds."""
    load(side)
    before = resident()
    env = make(side, task, worlds)
    env.reset()
    space = env.action_space if side != "EnvPool" else None
    if space is None:
        one = env.action_space
        low, high, width = one.low, one.high, one.shape[-1]
    else:
        low, high, width = space.low, space.high, space.shape[-1]
    rng = np.random.default_rng(0)
    actions = rng.uniform(low, high, (50, worlds, width)).astype(np.asarray(low).dtype)
    for row in actions:
        env.step(row)
    count, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        for row in actions[:10]:
            env.step(row)
        count += 10 * worlds
    rate = count / (time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    return {"rate": rate, "grown": resident() - before, "peak": peak}


def run(side: str, task: str, arguments: argparse.Namespace) -> dict[str, float] | None:
    """Measure in a process of its own; None if it can't."""
    command = [sys.executable, __file__, task, "--side", side]
    command += ["--worlds", str(arguments.worlds), "--seconds", str(arguments.seconds)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"{side} {task}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", default=list(TASKS), metavar="TASK")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        one = measure(arguments.side, arguments.tasks[0], arguments.worlds, arguments.seconds)
        print(json.dumps(one))
        return
    print(
        f"{'task':20s} {'side':14s} {'steps/s/core':>12s} {'ratio':>6s} {'worlds, MB':>11s} process"
    )
    for task in arguments.tasks:
        best: dict[str, dict[str, float]] = {}
        sides = list(SIDES)
        for _ in range(arguments.rounds):
            for side in list(sides):
                result = run(side, task, arguments)
                if result is None:
                    sides.remove(side)
                elif side not in best or result["rate"] > best[side]["rate"]:
                    best[side] = result
        for side, result in best.items():
            ratio = best[SIDES[0]]["rate"] / result["rate"] if SIDES[0] in best else float("nan")
            print(
                f"{task:20s} {side:14s} {result['rate']:12.0f} {ratio:6.2f} "
                f"{result['grown']:11.1f} {result['peak']:7.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
