"""Time of a step of the robot of 36 dofs against its number of contact points: a table, and with --svg FILE a plot.

usage: hard.py PROGRAM [--svg FILE]      (PROGRAM: bench/hard.c, built; h = 1 ms, one core, collisions not counted;
the fastest of three rounds)
"""

import json
import pathlib
import subprocess
import sys
import tempfile

POINTS = (4, 8, 12, 16, 24, 32, 40, 50, 60)
KINDS = (("rk4", "hard"), ("euler", "hard"), ("euler", "soft"), ("euler", "stick"))
COLOURS = ("#c0392b", "#2471a3", "#7f8c8d", "#229954")
STEPS = "500"
ROUNDS = 3


def measure(program, folder, points, integrator, contact):
    walker = pathlib.Path(__file__).resolve().parent.parent / "models" / "walker.py"
    text = subprocess.run([sys.executable, walker, str(points), integrator, contact], capture_output=True, text=True, check=True)
    model = folder / f"{integrator}_{contact}_{points}.xml"
    model.write_text(text.stdout)
    result = subprocess.run([program, model, STEPS], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def plot(results):
    """The times as an SVG; real time is the line at 1000 us."""
    width, height, left, bottom = 560, 340, 60, 290
    top = max(1200, max(run["us"] for runs in results.values() for run in runs.values()) * 1.05)
    x = lambda points: left + points / 64 * (width - left - 20)
    y = lambda us: bottom - us / top * (bottom - 20)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'  <path d="M{left} 20 V{bottom} H{width - 20}" fill="none" stroke="#808890"/>']
    for us in range(0, int(top), 500 if top < 5000 else 2000):
        out.append(f'  <text x="{left - 6}" y="{y(us) + 4:.1f}" text-anchor="end" fill="#606870">{us}</text>')
    for points in range(0, 61, 10):
        out.append(f'  <text x="{x(points):.1f}" y="{bottom + 16}" text-anchor="middle" fill="#606870">{points}</text>')
    out.append(f'  <text x="{(left + width) / 2:.0f}" y="{bottom + 36}" text-anchor="middle">contact points</text>')
    out.append('  <text x="8" y="14">µs per step</text>')
    out.append(f'  <path d="M{left} {y(1000):.1f} H{width - 20}" stroke="#808890" stroke-dasharray="4 4"/>')
    out.append(f'  <text x="{left + 6}" y="{y(1000) - 5:.1f}" fill="#606870">real time</text>')
    for place, (kind, colour) in enumerate(zip(results, COLOURS)):
        line = " ".join(f"{x(p):.1f},{y(run['us']):.1f}" for p, run in results[kind].items())
        out.append(f'  <polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'  <text x="{left + 90}" y="{34 + 16 * place}" fill="{colour}">{kind}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    results = {}
    with tempfile.TemporaryDirectory() as name:
        names = {"rk4": "RK4", "euler": "Euler"}
        print("us per step of the robot of 36 dofs, without collisions, by contact points (solver iterations)")
        print(f"{'':14}" + "".join(f"{points:>14}" for points in POINTS))
        for integrator, contact in KINDS:
            kind = f"{names[integrator]}, {contact}"
            rounds = [{p: measure(program, pathlib.Path(name), p, integrator, contact) for p in POINTS} for _ in range(ROUNDS)]
            results[kind] = {p: min((run[p] for run in rounds), key=lambda run: run["us"]) for p in POINTS}
            print(f"{kind:14}" + "".join(f"{run['us']:8.0f} ({run['iterations']:3.0f})" for run in results[kind].values()),
                  flush=True)
    if len(sys.argv) > 3 and sys.argv[2] == "--svg":
        pathlib.Path(sys.argv[3]).write_text(plot(results))


main()
