#!/usr/bin/env python3
"""Draws docs/theory/img/sticking.svg: how far a plate on a slope gets in 100 s with soft, sticking and hard contacts.

usage: sticking.py [CONDYLE], the program; build/release/bin/condyle if none is given
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FRICTION, PART, SECONDS, START = 0.5, 0.9, 100, 1
MODES = [("soft", "#c0392b"), ("stick", "#2471a3"), ("hard", "#1e8449")]
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 330, 70, 20, 80, 45
LOW, HIGH = -18, 0  # powers of ten, m


def model():
    angle = math.atan(PART * FRICTION)
    return f"""<mujoco><option timestep="0.002" cone="elliptic"
      gravity="{9.81 * math.sin(angle)} 0 {-9.81 * math.cos(angle)}"/><default><geom friction="{FRICTION}"/></default>
      <worldbody><geom type="plane" size="9 9 1"/><body pos="0 0 .02"><freejoint/>
      <geom type="box" size=".2 .2 .02"/></body></worldbody></mujoco>"""


def drift(program, mode):
    """Pairs of time and distance from where the plate was after the first second."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = pathlib.Path(folder, "slope.xml"), pathlib.Path(folder, "out.csv")
        path.write_text(model(), encoding="utf-8")
        subprocess.run([program, "simulate", path, "--contact", mode, "--time", str(SECONDS), "--out", out],
                       check=True, stdout=subprocess.DEVNULL)
        with out.open(encoding="utf-8") as file:
            rows = [[float(row[key]) for key in ("time", "qpos0", "qpos1", "qpos2")] for row in csv.DictReader(file)]
    rows = [row for row in rows if row[0] >= START]
    begin = rows[0][1:]
    return [(row[0], math.dist(row[1:], begin)) for row in rows[1::100]]


def place(time, distance):
    x = LEFT + (WIDTH - LEFT - RIGHT) * time / SECONDS
    power = min(max(math.log10(max(distance, 1e-300)), LOW), HIGH)
    return x, TOP + (HEIGHT - TOP - BOTTOM) * (HIGH - power) / (HIGH - LOW)


def draw(program):
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="13"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for power in range(LOW, HIGH + 1, 3):
        x, y = place(0, 10.0 ** power)
        parts.append(f'<path d="M{x} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{x - 8}" y="{y + 4:.1f}" '
                     f'text-anchor="end">10<tspan dy="-5" font-size="9">{power}</tspan></text>')
    for time in range(0, SECONDS + 1, 20):
        x, y = place(time, 10.0 ** LOW)
        parts.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{time}</text>')
    x, y = place(SECONDS / 2, 10.0 ** LOW)
    parts.append(f'<text x="{x}" y="{y + 36:.1f}" text-anchor="middle">time, s</text>')
    parts.append(f'<text transform="translate(16 {HEIGHT / 2 - 10}) rotate(-90)" text-anchor="middle">drift, m</text>')
    for mode, color in MODES:
        points = [place(*pair) for pair in drift(program, mode)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        x, y = points[-1]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>'
                     f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{color}">{mode}</text>')
    return "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    binary = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/bin/condyle"
    (ROOT / "docs/theory/img/sticking.svg").write_text(draw(binary), encoding="utf-8")
