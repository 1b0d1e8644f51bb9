#!/usr/bin/env python3
"""Draws docs/theory/img/bounces.svg: a ball that falls 1 m on hard ground, and where it should turn, for some restitutions.

usage: bounces.py [CONDYLE], the program; build/release/bin/condyle if none is given
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RADIUS, FALL, GRAVITY, SECONDS = 0.05, 1, 9.81, 2.5
RESTITUTIONS = [(0, "#7f8c8d"), (0.3, "#8e44ad"), (0.5, "#c0392b"), (0.8, "#2471a3"), (1, "#1e8449")]
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 330, 60, 20, 70, 45
MODEL = f"""<mujoco><option timestep="0.001" gravity="0 0 -{GRAVITY}"/><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 {FALL + RADIUS}"><freejoint/><geom size="{RADIUS}"/></body></worldbody></mujoco>"""


def fall(program, restitution):
    """Pairs of time and height over the ground."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = pathlib.Path(folder, "ball.xml"), pathlib.Path(folder, "out.csv")
        path.write_text(MODEL, encoding="utf-8")
        subprocess.run([program, "simulate", path, "--contact", "hard", "--restitution", str(restitution), "--time", str(SECONDS),
                        "--out", out], check=True, stdout=subprocess.DEVNULL)
        with out.open(encoding="utf-8") as file:
            return [(float(row["time"]), float(row["qpos2"]) - RADIUS) for row in csv.DictReader(file)]


def turns(restitution):
    """Where it should turn: after k bounces at e^2k h, e^k of the time of the fall after the last of them."""
    once = math.sqrt(2 * FALL / GRAVITY)
    ground, power, points = once, restitution, []
    while 0.05 < power and ground + power * once < SECONDS:
        points.append((ground + power * once, power * power * FALL))
        ground += 2 * power * once
        power *= restitution
    return points


def place(time, height):
    return LEFT + (WIDTH - LEFT - RIGHT) * time / SECONDS, TOP + (HEIGHT - TOP - BOTTOM) * (1 - height / FALL)


def draw(program):
    """The plot, and by how much the turns of the simulation are off."""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="13"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for tenth in range(0, 11, 2):
        x, y = place(0, FALL * tenth / 10)
        parts.append(f'<path d="M{x} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{x - 8}" y="{y + 4:.1f}" '
                     f'text-anchor="end">{FALL * tenth / 10:g}</text>')
    for half in range(int(SECONDS * 2) + 1):
        x, y = place(half / 2, 0)
        parts.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{half / 2:g}</text>')
    x, y = place(SECONDS / 2, 0)
    parts.append(f'<text x="{x}" y="{y + 36:.1f}" text-anchor="middle">time, s</text>')
    parts.append(f'<text transform="translate(16 {HEIGHT / 2 - 10}) rotate(-90)" text-anchor="middle">height, m</text>')
    for number, (restitution, color) in enumerate(RESTITUTIONS):
        path = fall(program, restitution)
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*pair) for pair in path[::5]))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>'
                     f'<text x="{WIDTH - RIGHT + 8}" y="{TOP + 20 + 18 * number}" fill="{color}">e = {restitution:g}</text>')
        for time, height in turns(restitution):
            x, y = place(time, height)
            near = max(at for when, at in path if abs(when - time) < 0.01)
            print(f"e = {restitution:g}: {near:.6f} m, should be {height:.6f} m")
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="none" stroke="{color}"/>')
    return "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    binary = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/bin/condyle"
    (ROOT / "docs/theory/img/bounces.svg").write_text(draw(binary), encoding="utf-8")
