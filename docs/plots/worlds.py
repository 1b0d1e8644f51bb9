#!/usr/bin/env python3
"""Draws docs/worlds.svg: steps per second and core against the number of worlds, from the table in docs/performance.md.

usage: worlds.py
"""
import math
import pathlib

DOCS = pathlib.Path(__file__).resolve().parents[1]
COLORS = ["#2471a3", "#8e44ad", "#17a589", "#b9770e", "#7f8c8d"]
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 790, 360, 60, 20, 260, 45
LOWEST, HIGHEST = 80, 3000  # thousand steps per second


def table():
    """Names of the columns behind the first, and the rows of numbers."""
    text = (DOCS / "performance.md").read_text(encoding="utf-8").split("## Many worlds", 1)[1]
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    rows = []
    for line in lines[2:]:
        if not line[0].isdigit():
            break
        rows.append([float(cell.replace(",", "")) for cell in line])
    return lines[0][1:], rows


def place(worlds, rate, most):
    x = LEFT + (WIDTH - LEFT - RIGHT) * math.log(worlds) / math.log(most)
    return x, TOP + (HEIGHT - TOP - BOTTOM) * math.log(HIGHEST / rate) / math.log(HIGHEST / LOWEST)


def draw():
    names, rows = table()
    most = rows[-1][0]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="13"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for rate in (100, 200, 500, 1000, 2000):
        x, y = place(1, rate, most)
        parts.append(f'<path d="M{x} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{x - 8}" y="{y + 4:.1f}" '
                     f'text-anchor="end">{rate:,}</text>')
    for row in rows[::2]:
        x, y = place(row[0], LOWEST, most)
        parts.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{row[0]:.0f}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">worlds</text>'
                 f'<text transform="translate(14 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
                 f"thousand steps per second and core</text>")
    for k, (name, color) in enumerate(zip(names, COLORS)):
        points = " ".join("{:.1f},{:.1f}".format(*place(row[0], row[1 + k], most)) for row in rows)
        x, y = WIDTH - RIGHT + 16, TOP + 20 + 22 * k
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>'
                     f'<path d="M{x} {y}h20" stroke="{color}" stroke-width="2"/><text x="{x + 26}" y="{y + 4}">{name}</text>')
    return "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    (DOCS / "worlds.svg").write_text(draw(), encoding="utf-8")
