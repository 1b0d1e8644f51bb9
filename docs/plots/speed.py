#!/usr/bin/env python3
"""Draws docs/speed.svg: how many times as fast as MuJoCo's newest release Condyle is, from the first table in docs/performance.md.

usage: speed.py
"""
import pathlib

DOCS = pathlib.Path(__file__).resolve().parents[1]
WIDTH, LEFT, RIGHT, BAR, GAP, TOP = 720, 190, 70, 26, 14, 14
OURS, THEIRS, INK = "#2471a3", "#b0b8bf", "#333"


def table():
    """Pairs of what is done and how many times as fast."""
    text = (DOCS / "performance.md").read_text(encoding="utf-8").split("## At a glance", 1)[1]
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    rows = []
    for line in lines[2:]:
        if len(line) != 3 or line[0] == "family":
            break
        rows.append((line[0], float(line[1])))
    return rows


def draw(rows):
    most = max(times for _, times in rows)
    height = TOP * 2 + len(rows) * (BAR + GAP) + 22
    unit = (WIDTH - LEFT - RIGHT) / most
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
             f'font-size="14"><rect width="{WIDTH}" height="{height}" fill="white"/>']
    for i, (what, times) in enumerate(rows):
        y = TOP + i * (BAR + GAP)
        parts.append(f'<text x="{LEFT - 10}" y="{y + 18}" text-anchor="end" fill="{INK}">{what}</text>'
                     f'<rect x="{LEFT}" y="{y}" width="{times * unit:.1f}" height="{BAR * 0.62:.1f}" rx="2" fill="{OURS}"/>'
                     f'<rect x="{LEFT}" y="{y + BAR * 0.66:.1f}" width="{unit:.1f}" height="{BAR * 0.34:.1f}" rx="2" fill="{THEIRS}"/>'
                     f'<text x="{LEFT + times * unit + 8:.1f}" y="{y + 15}" fill="{INK}" font-weight="bold">{times:g}x</text>')
    y = TOP + len(rows) * (BAR + GAP) + 12
    parts.append(f'<rect x="{LEFT}" y="{y - 10}" width="12" height="12" fill="{OURS}"/><text x="{LEFT + 18}" y="{y + 1}" fill="{INK}">Condyle</text>'
                 f'<rect x="{LEFT + 100}" y="{y - 10}" width="12" height="12" fill="{THEIRS}"/><text x="{LEFT + 118}" y="{y + 1}" '
                 f'fill="{INK}">MuJoCo 4.0.0 (longer is faster)</text></svg>')
    return "\n".join(parts) + "\n"


def main():
    (DOCS / "speed.svg").write_text(draw(table()), encoding="utf-8")


main()
