"""Draws the time of a step per thing against the number of things.   usage: curves.py wide.json OUT.svg

The scenes are those of crowds.py, as compare.py has timed them: one panel for each kind, a line for each engine.
"""

import json
import math
import pathlib
import re
import sys

KINDS = {"boxes": "boxes at rest", "pile": "boxes in a bin", "swarm": "robots of ten dofs", "chain": "hinges of a chain"}
ENGINES = {"condyle": "#2471a3", "reference-3.3.7": "#7f8c8d", "reference-4.0.0": "#c0392b"}
PANEL, LEFT, TOP = (260, 170), 52, 34  # of one panel and its margins
FEW, MANY = 10, 3000  # things


def read(path):
    """{kind: {engine: [(n, us per thing)]}}"""
    curves = {kind: {engine: [] for engine in ENGINES} for kind in KINDS}
    for model in json.loads(path.read_text())["models"]:
        match = re.fullmatch(r"([a-z]+)_(\d+)", model["name"])
        if model["family"] == "crowds" and match and match[1] in KINDS:
            for engine in ENGINES.keys() & model["ns"].keys():
                ns = model["ns"][engine]
                curves[match[1]][engine].append((int(match[2]), ns / 1000 / int(match[2])))
    return {kind: {engine: sorted(points) for engine, points in engines.items()} for kind, engines in curves.items()}


def panel(x0, y0, title, engines):
    width, height = PANEL
    top = 1.15 * max((us for points in engines.values() for _, us in points), default=1)

    def x(n):
        return x0 + math.log(n / FEW) / math.log(MANY / FEW) * width

    def y(us):
        return y0 + height - us / top * height

    out = [f'<path d="M{x0} {y0} v{height} h{width}" fill="none" stroke="#808890"/>',
           f'<text x="{x0 + width / 2}" y="{y0 - 10}" text-anchor="middle">{title}</text>']
    for n in 10, 30, 100, 300, 1000, 3000:
        out.append(f'<text x="{x(n):.1f}" y="{y0 + height + 15}" text-anchor="middle" fill="#606870">{n}</text>')
    step = 10 ** math.floor(math.log10(top))
    step = step if top / step > 3 else step / 2
    for i in range(int(top / step) + 1):
        out.append(f'<text x="{x0 - 5}" y="{y(i * step) + 4:.1f}" text-anchor="end" fill="#606870">{i * step:g}</text>')
    for engine, points in engines.items():
        line = " ".join(f"{x(n):.1f},{y(us):.1f}" for n, us in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{ENGINES[engine]}" stroke-width="2"/>')
    return out


def plot(curves):
    width, height = PANEL
    out = []
    for k, (kind, title) in enumerate(KINDS.items()):
        out += panel(LEFT + k % 2 * (width + LEFT + 12), TOP + 16 + k // 2 * (height + TOP + 24), title, curves[kind])
    for k, (engine, colour) in enumerate(ENGINES.items()):
        name = engine.replace("reference-", "MuJoCo ").replace("condyle", "Condyle")
        out.append(f'<text x="{LEFT + 120 * k}" y="16" fill="{colour}">{name}</text>')
    out.append(f'<text x="{2 * (width + LEFT) - 130}" y="16" fill="#606870">µs of a step, per thing</text>')
    size = 2 * (width + LEFT + 12) + 12, 2 * (height + TOP + 24) + 24
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" font-family="sans-serif" font-size="12">'
    return "\n".join([head, *("  " + line for line in out), "</svg>\n"])


def main():
    pathlib.Path(sys.argv[2]).write_text(plot(read(pathlib.Path(sys.argv[1]))))


if __name__ == "__main__":
    main()
