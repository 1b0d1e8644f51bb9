"""Times the stages of a step of two engines alternately; prints a table for each model, writes stages.json beside the programs.

usage: stages.py DIRECTORY MODEL ...     (DIRECTORY holds the programs `stages_condyle` and `stages_reference`)
"""

import json
import pathlib
import subprocess
import sys

ROUNDS = 3


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    engines = ("condyle", "reference")
    report = {}
    for model in sys.argv[2:]:
        best = {engine: {} for engine in engines}
        for _ in range(ROUNDS):
            for engine in engines:
                program = directory / f"stages_{engine}"
                run = subprocess.run([program, model], capture_output=True, text=True, check=True)
                for stage, ns in json.loads(run.stdout).items():
                    best[engine][stage] = min(ns, best[engine].get(stage, ns))
        name = pathlib.Path(model).stem
        report[name] = best
        print(f"\n{name + ', ' + str(best['condyle'].pop('nv')) + ' dofs':24} {'reference ns':>14} {'condyle ns':>12} {'ours/ref':>9}")
        for stage, ours in best["condyle"].items():
            theirs = best["reference"][stage]
            print(f"{stage:24} {theirs:14.0f} {ours:12.0f} {ours / theirs:9.2f}", flush=True)
    (directory / "stages.json").write_text(json.dumps(report, indent=2) + "\n")


main()
