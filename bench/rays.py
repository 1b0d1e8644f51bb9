"""Times the rays of two engines alternately; prints a table, writes rays.json beside the programs.

usage: rays.py DIRECTORY MODEL ...     (DIRECTORY holds the programs `rays_condyle` and `rays_reference`)
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
    print(f"\n{'10,000 rays':16} {'geoms':>6} {'triangles':>10} {'hits':>6} {'call':>12} {'reference ns':>14} {'condyle ns':>12} {'ref/ours':>9}")
    for model in sys.argv[2:]:
        best = {}
        for _ in range(ROUNDS):
            for engine in engines:
                run = subprocess.run([directory / f"rays_{engine}", model], capture_output=True, text=True, check=True)
                now = json.loads(run.stdout)
                best[engine] = {key: min(value, best.get(engine, now)[key]) for key, value in now.items()}
        ours, theirs = best["condyle"], best["reference"]
        if ours["hits"] != theirs["hits"] or abs(ours["sum"] - theirs["sum"]) > 1e-6 * abs(theirs["sum"]):
            sys.exit(f"{model}: the engines see different things: {ours}, {theirs}")
        name = pathlib.Path(model).stem
        report[name] = best
        for call in ("mj_ray", "mj_multiRay"):
            print(f"{name:16} {ours['geoms']:6} {ours['triangles']:10} {ours['hits']:6} {call:>12} "
                  f"{theirs[call]:14.0f} {ours[call]:12.0f} {theirs[call] / ours[call]:9.2f}", flush=True)
    (directory / "rays.json").write_text(json.dumps(report, indent=2) + "\n")


main()
