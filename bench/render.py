"""Times pictures of two engines alternately: 640x480 pixels, four samples, shadows, read back.

usage: render.py DIRECTORY [MODEL.xml ...]     (DIRECTORY holds the programs `render_condyle` and `render_reference`)

Without models: floors with 10 to 5,000 shapes under one light, and models/humanoid.xml. The engines take turns, each in its own
process; the shorter of several times counts. It takes about three minutes on two cores of software Mesa.
"""

import json
import math
import pathlib
import subprocess
import sys
import time

ENGINES = ("condyle", "reference")
COUNTS = (10, 100, 1000, 5000)
TYPES = ("box", "sphere", "capsule", "cylinder", "ellipsoid")
SECONDS = 2.0  # of pictures in one process
ROUNDS = 3
ENOUGH = 20.0  # seconds of a model after which there are no more rounds
HUMANOID = pathlib.Path(__file__).resolve().parent.parent / "models" / "humanoid.xml"


def floor_with(count):
    """A model: a floor, a light that casts shadows, a square of `count` shapes of five kinds in several colors."""
    side = math.ceil(math.sqrt(count))
    geoms = (f'<geom type="{TYPES[k % 5]}" size=".1 .1 .1" pos="{0.4 * (k % side)} {0.4 * (k // side)} .2" '
             f'rgba="{0.3 + 0.1 * (k % 7)} .5 {0.9 - 0.1 * (k % 5)} 1"/>' for k in range(count))
    middle = 0.2 * side
    return (f'<mujoco><worldbody><light pos="{middle} {middle} {4 + side / 4}" dir="0 0 -1"/><geom type="plane" size="0 0 1"/>'
            f'{"".join(geoms)}</worldbody></mujoco>')


def measure(directory, model):
    """Fastest milliseconds of each engine, and the number of shapes."""
    best, shapes, begin = {}, 0, time.monotonic()
    for turn in range(ROUNDS):
        if turn and time.monotonic() - begin > ENOUGH:
            break
        for engine in ENGINES:
            run = subprocess.run([directory / f"render_{engine}", model, str(SECONDS)], capture_output=True, text=True, check=True)
            answer = json.loads(run.stdout.splitlines()[-1])  # warnings come before
            best[engine] = min(answer["ms"], best.get(engine, math.inf))
            shapes = answer["shapes"]
    return best, shapes


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    directory = pathlib.Path(sys.argv[1]).resolve()
    models = [pathlib.Path(name) for name in sys.argv[2:]]
    if not models:
        models = [directory / f"floor_with_{count}.xml" for count in COUNTS]
        for count, path in zip(COUNTS, models):
            path.write_text(floor_with(count))
        models.append(HUMANOID)
    print("| scene | shapes | here, ms | reference, ms | ratio |\n|---|--:|--:|--:|--:|")
    report = {}
    for model in models:
        best, shapes = measure(directory, model)
        report[model.stem] = {"shapes": shapes, **best}
        here, reference = (best[engine] for engine in ENGINES)
        print(f"| {model.stem} | {shapes} | {here:.0f} | {reference:.0f} | {reference / here:.2f} |", flush=True)
    (directory / "render.json").write_text(json.dumps(report, indent=2) + "\n")


main()
