"""Times two engines alternately on the same models; prints a table, writes bench.json beside the programs.

usage: compare.py DIRECTORY MODEL:STEPS ...     (DIRECTORY holds the programs `condyle` and `reference`)
"""

import json
import math
import pathlib
import subprocess
import sys

ROUNDS = 5


def measure(program, model, steps):
    result = subprocess.run([program, model, steps], capture_output=True, text=True, check=True)
    return json.loads(result.stdout.splitlines()[-1])  # warnings come before


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    engines = ("condyle", "reference")
    rows = []
    print(f"{'model':16} {'dofs':>5} {'contacts':>9} {'rows':>8} {'reference ns':>14} {'condyle ns':>14} {'ratio':>7}")
    for argument in sys.argv[2:]:
        model, steps = argument.rsplit(":", 1)
        runs = {engine: [] for engine in engines}
        for _ in range(ROUNDS):
            for engine in engines:
                runs[engine].append(measure(directory / engine, model, steps))
        best = {engine: min(runs[engine], key=lambda run: run["ns"]) for engine in engines}
        ratio = best["reference"]["ns"] / best["condyle"]["ns"]
        rows.append({"model": pathlib.Path(model).stem, "steps": int(steps), "ratio": ratio, **best})
        ours = best["condyle"]
        print(f"{rows[-1]['model']:16} {ours['nv']:5} {ours['contacts']:9.1f} {ours['rows']:8.1f} "
              f"{best['reference']['ns']:14.0f} {ours['ns']:14.0f} {ratio:7.2f}", flush=True)
    mean = math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
    print(f"geometric mean of reference / condyle: {mean:.2f}")
    report = directory / "bench.json"
    report.write_text(json.dumps({"models": rows, "geometric_mean": mean}, indent=2) + "\n")


main()
