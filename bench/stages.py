"""Times the stages of a step of two engines alternately; prints a table for each model, writes stages.json beside the programs.

usage: stages.py DIRECTORY [STAGE] MODEL ...     (DIRECTORY holds the programs `stages_condyle` and `stages_reference`)

With a STAGE, that alone is timed: one table with a row for each model, and the geometric mean.
"""

import json
import math
import pathlib
import subprocess
import sys

ROUNDS = 3
ENGINES = ("condyle", "reference")


def measure(directory, model, stage):
    """Fastest nanoseconds of each stage on each engine."""
    best = {engine: {} for engine in ENGINES}
    for _ in range(ROUNDS):
        for engine in ENGINES:
            program = directory / f"stages_{engine}"
            run = subprocess.run([program, model, *stage], capture_output=True, text=True, check=True)
            for name, ns in json.loads(run.stdout.splitlines()[-1]).items():  # warnings come before
                best[engine][name] = min(ns, best[engine].get(name, ns))
    return best


def print_row(name, best, stage):
    theirs, ours = best["reference"][stage], best["condyle"][stage]
    print(f"{name:24} {theirs:14.0f} {ours:12.0f} {theirs / ours:9.2f}", flush=True)
    return theirs / ours


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    stage = [word for word in sys.argv[2:] if not word.endswith(".xml")]
    header = f"{'reference ns':>14} {'condyle ns':>12} {'ref/ours':>9}"
    report, ratios = {}, []
    if stage:
        print(f"\n{stage[0]:24} {header}")
    for model in sys.argv[2 + len(stage):]:
        name = pathlib.Path(model).stem
        report[name] = best = measure(directory, model, stage)
        nv = best["condyle"].pop("nv")
        if stage:
            ratios.append(print_row(name, best, stage[0]))
            continue
        print(f"\n{f'{name}, {nv} dofs':24} {header}")
        for key in best["condyle"]:
            print_row(key, best, key)
    if stage:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of reference / condyle: {mean:.2f}")
    (directory / f"{'_'.join(['stages', *stage])}.json").write_text(json.dumps(report, indent=2) + "\n")


main()
