#!/usr/bin/env python3
"""Draws docs/ilqr.svg: how the cost falls in examples/ilqr, on exact derivatives and on differences.

usage: ilqr.py [ILQR [HUMANOID.xml]], the program and the one who stands up; build/release/tests/ilqr and models/humanoid.xml
if not given. Prints iterations, seconds, last cost and height of each run.
"""
import csv
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODES = [("exact", "#2471a3"), ("forward", "#c0392b")]
AXES = [("iteration", "iteration"), ("seconds", "processor time, s")]
PANEL_WIDTH, PANEL_HEIGHT, LEFT, TOP, GAP_X, GAP_Y = 330, 210, 70, 40, 70, 75


def run(program, task, model, mode):
    """Rows of numbers, by the names of the columns."""
    text = subprocess.run([program, task, model, mode], check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(text.splitlines())]
    end = rows[-1]
    up = max((row["time"] for row in rows if row["begin_height"] < 0.95), default=0)
    print(f"{task} {mode}: {end['iteration']:.0f} iterations, {end['seconds']:.2f} s, cost {end['cost']:.6g}, below 95% "
          f"of the height until {up:.2f} s, at the end {end['end_height']:.4f}, speed {end['begin_speed']:.4f}")
    return rows


def round_step(top):
    """1, 2 or 5 times a power of ten, of which about five fit below the top."""
    power = 10.0 ** math.floor(math.log10(top / 5))
    return next(f * power for f in (1, 2, 5, 10) if f * power >= top / 5)


def panel(runs, axis, label, left, top):
    """One diagram: cost, in powers of ten, over iterations or time."""
    costs = [row["cost"] for rows in runs.values() for row in rows]
    low, high = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))
    right = max(rows[-1][axis] for rows in runs.values())

    def place(row):
        x = left + PANEL_WIDTH * row[axis] / right
        return x, top + PANEL_HEIGHT * (high - math.log10(row["cost"])) / (high - low)

    parts = []
    for power in range(low, high + 1):
        y = top + PANEL_HEIGHT * (high - power) / (high - low)
        parts.append(f'<path d="M{left} {y:.1f}h{PANEL_WIDTH}" stroke="#ddd"/><text x="{left - 8}" y="{y + 4:.1f}" '
                     f'text-anchor="end">10<tspan dy="-5" font-size="9">{power}</tspan></text>')
    step = round_step(right)
    for i in range(int(right / step) + 1):
        x = left + PANEL_WIDTH * i * step / right
        parts.append(f'<text x="{x:.1f}" y="{top + PANEL_HEIGHT + 18}" text-anchor="middle">{i * step:g}</text>')
    parts.append(f'<text x="{left + PANEL_WIDTH / 2}" y="{top + PANEL_HEIGHT + 36}" text-anchor="middle">{label}</text>')
    for number, (mode, color) in reversed(list(enumerate(MODES))):
        line = " ".join("{:.1f},{:.1f}".format(*place(row)) for row in runs[mode])

        # the exact one is above, and thinner where both are the same
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="{1.3 + 1.7 * number}"/>'
                     f'<text x="{left + PANEL_WIDTH - 6}" y="{top + 16 + 16 * number}" fill="{color}" '
                     f'text-anchor="end">{mode}</text>')
    return parts


def draw(program, tasks):
    width, height = LEFT + 2 * PANEL_WIDTH + GAP_X + 30, TOP + len(tasks) * (PANEL_HEIGHT + GAP_Y)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             f'font-size="13"><rect width="{width}" height="{height}" fill="white"/>']
    for i, (task, model, title) in enumerate(tasks):
        runs = {mode: run(program, task, model, mode) for mode, _ in MODES}
        top = TOP + i * (PANEL_HEIGHT + GAP_Y)
        parts.append(f'<text x="{LEFT}" y="{top - 14}" font-weight="bold">{title}</text>')
        for j, (axis, label) in enumerate(AXES):
            parts += panel(runs, axis, label, LEFT + j * (PANEL_WIDTH + GAP_X), top)
    return "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    binary = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/tests/ilqr"
    humanoid = sys.argv[2] if len(sys.argv) > 2 else ROOT / "models/humanoid.xml"
    picture = draw(binary, [("cart_pole", ROOT / "examples/ilqr/cart_pole.xml", "cart-pole, cost of the whole swing"),
                            ("stand_up", humanoid, "humanoid, cost of the window of 0.6 s that moves on with it")])
    (ROOT / "docs/ilqr.svg").write_text(picture, encoding="utf-8")
