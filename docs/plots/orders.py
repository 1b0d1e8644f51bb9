#!/usr/bin/env python3
"""Draws docs/theory/img/rkmk.svg: the error of a tumbling box's orientation after 1 s over the time step, by both rules of RK4.

usage: orders.py [CONDYLE], the program; build/release/bin/condyle if none is given
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS = (10, 20, 40, 80, 160)  # in a second
FINE = 2560
RULES = [("disable", "3.3.7", "#c0392b"), ("enable", "rkmk", "#1e8449")]
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 520, 320, 70, 20, 70, 45
LOW, HIGH = -12, 0  # powers of ten, rad


def orientation(program, rule, steps):
    """The quaternion after a second."""
    text = f"""<mujoco><option timestep="{1 / steps!r}" gravity="0 0 0" integrator="RK4"><behaviour rkmk="{rule}"/></option>
      <worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody>
      <keyframe><key qvel="0 0 0 3 .2 2"/></keyframe></mujoco>"""
    with tempfile.TemporaryDirectory() as folder:
        path, out = pathlib.Path(folder, "box.xml"), pathlib.Path(folder, "out.csv")
        path.write_text(text, encoding="utf-8")
        subprocess.run([program, "simulate", path, "--key", "0", "--steps", str(steps), "--out", out],
                       check=True, stdout=subprocess.DEVNULL)
        with out.open(encoding="utf-8") as file:
            last = list(csv.DictReader(file))[-1]
    return [float(last[f"qpos{i}"]) for i in range(3, 7)]


def errors(program, rule):
    """Pairs of time step and angle."""
    exact = orientation(program, "enable", FINE)
    found = []
    for steps in STEPS:
        q = orientation(program, rule, steps)
        sign = math.copysign(1, sum(a * b for a, b in zip(q, exact)))
        found.append((1 / steps, 2 * math.dist(exact, [sign * a for a in q])))
    return found


def place(step, error):
    x = LEFT + (WIDTH - LEFT - RIGHT) * math.log(step * STEPS[-1]) / math.log(STEPS[-1] / STEPS[0])
    power = min(max(math.log10(max(error, 1e-300)), LOW), HIGH)
    return x, TOP + (HEIGHT - TOP - BOTTOM) * (HIGH - power) / (HIGH - LOW)


def draw(program):
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="13"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for power in range(LOW, HIGH + 1, 3):
        x, y = place(1 / STEPS[-1], 10.0 ** power)
        parts.append(f'<path d="M{x} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{x - 8}" y="{y + 4:.1f}" '
                     f'text-anchor="end">10<tspan dy="-5" font-size="9">{power}</tspan></text>')
    for steps in STEPS:
        x, y = place(1 / steps, 10.0 ** LOW)
        parts.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{1000 / steps:g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">time step, ms</text>')
    parts.append(f'<text transform="translate(16 {HEIGHT / 2 - 10}) rotate(-90)" text-anchor="middle">error, rad</text>')
    for rule, name, color in RULES:
        points = [place(*pair) for pair in errors(program, rule)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        x, y = points[0]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>'
                     f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{color}">{name}</text>')
    return "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    binary = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/bin/condyle"
    (ROOT / "docs/theory/img/rkmk.svg").write_text(draw(binary), encoding="utf-8")
