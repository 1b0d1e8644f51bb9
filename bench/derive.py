"""Times derivatives of a step on two engines alternately: differences of both, exact ones and their adjoint of Condyle.

usage: derive.py DIRECTORY MODEL ...     (DIRECTORY holds the programs `derive_condyle` and `derive_reference`)
"""

import json
import math
import pathlib
import subprocess
import sys

ROUNDS = 5
ENGINES = ("condyle", "reference")


def measure(directory, model):
    """Least microseconds of each kind on each engine."""
    best = {engine: {} for engine in ENGINES}
    for _ in range(ROUNDS):
        for engine in ENGINES:
            run = subprocess.run([directory / f"derive_{engine}", model], capture_output=True, text=True, check=True)
            for name, us in json.loads(run.stdout.splitlines()[-1]).items():  # warnings come before
                best[engine][name] = min(us, best[engine].get(name, us))
    return best


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    ratios = {"differences": [], "exact": []}
    print("us, forward differences of the reference (FD) over ours; the adjoint also in steps of ours")
    print(f"{'':16} {'dofs':>5} {'rows':>5} {'reference FD':>13} {'our FD':>9} {'ratio':>6} {'exact':>9} {'ratio':>6} "
          f"{'adjoint':>9} {'steps':>6}")
    for model in sys.argv[2:]:
        best = measure(directory, model)
        ours, reference = best["condyle"], best["reference"]["differences"]
        for kind, all_of in ratios.items():
            all_of.append(reference / ours[kind])
        print(f"{pathlib.Path(model).stem:16} {ours['nv']:5} {ours['rows']:5} {reference:13.0f} {ours['differences']:9.0f} "
              f"{ratios['differences'][-1]:6.2f} {ours['exact']:9.1f} {ratios['exact'][-1]:6.1f} {ours['adjoint']:9.1f} "
              f"{ours['adjoint'] / ours['step']:6.2f}", flush=True)
    means = (math.exp(sum(map(math.log, all_of)) / len(all_of)) for all_of in ratios.values())
    print("geometric means: {:.2f} by differences, {:.1f} by exact derivatives".format(*means))


main()
