"""Times mjv_updateScene of two engines alternately, with every flag, label and frame; writes scene.json beside the programs.

usage: scene.py DIRECTORY [MODEL.xml ...]     (DIRECTORY holds the programs `scene_condyle` and `scene_reference`)
       scene.py --model COUNT                 writes a model: COUNT geoms, ten of each body, some of them on the floor

Without models: those of 10 to 5,000 geoms. The table has the ratios, reference over Condyle: with the usual settings, with all flags,
the geometric mean of single flags, labels and frames, and the lowest of them.
"""

import json
import math
import pathlib
import subprocess
import sys

ROUNDS = 3
ENGINES = ("condyle", "reference")
COUNTS = (10, 100, 1000, 5000)
TYPES = ("box", "sphere", "capsule", "cylinder", "ellipsoid")


def crowd(count):
    """A model of bodies of ten geoms; one in ten touches the floor."""
    lines = ['<mujoco><option solver="CG" iterations="3"/><worldbody><light pos="0 0 9" castshadow="false"/>',
             '<geom type="plane" size="0 0 1"/>']
    side = math.ceil(math.sqrt(count / 10))
    for body in range(count // 10):
        height = 0.099 if body % 10 == 0 else 1
        geoms = (f'<geom type="{TYPES[k % 5]}" size=".1 .1 .1" pos="{0.3 * (k % 5)} {0.3 * (k // 5)} 0"/>' for k in range(10))
        lines.append(f'<body pos="{2 * (body % side)} {body // side} {height}"><freejoint/>{"".join(geoms)}<site/></body>')
    return "\n".join([*lines, "</worldbody></mujoco>"])


def measure(directory, model):
    """Fastest nanoseconds of each setting on each engine, and the number of shapes."""
    best = {engine: {} for engine in ENGINES}
    for _ in range(ROUNDS):
        for engine in ENGINES:
            run = subprocess.run([directory / f"scene_{engine}", model], capture_output=True, text=True, check=True)
            for name, ns in json.loads(run.stdout.splitlines()[-1]).items():  # warnings come before
                best[engine][name] = min(ns, best[engine].get(name, ns))
    shapes = {engine: best[engine].pop("shapes") for engine in ENGINES}
    return best, shapes["condyle"]


def main():
    if sys.argv[1] == "--model":
        print(crowd(int(sys.argv[2])))
        return
    directory = pathlib.Path(sys.argv[1]).resolve()
    models = sys.argv[2:]
    if not models:
        models = [str(directory / f"crowd_of_{count}.xml") for count in COUNTS]
        for count, path in zip(COUNTS, models):
            pathlib.Path(path).write_text(crowd(count))
    print("| model | shapes | usual, µs | usual | all flags | mean | lowest |\n|---|--:|--:|--:|--:|--:|---|")
    report = {}
    for model in models:
        best, shapes = measure(directory, model)
        name = pathlib.Path(model).stem
        report[name] = best
        ratio = {key: best["reference"][key] / ns for key, ns in best["condyle"].items()}
        usual, every = ratio.pop("usual"), ratio.pop("all flags")
        mean = math.exp(sum(map(math.log, ratio.values())) / len(ratio))
        lowest = min(ratio, key=ratio.get)
        print(f"| {name} | {shapes} | {best['condyle']['usual'] / 1000:.1f} | {usual:.2f} | {every:.2f} | {mean:.2f} | "
              f"{ratio[lowest]:.2f} {lowest} |", flush=True)
    (directory / "scene.json").write_text(json.dumps(report, indent=2) + "\n")


main()
