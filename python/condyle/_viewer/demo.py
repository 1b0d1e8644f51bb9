"""``python -m condyle demo``: a humanoid falls, in the browser or in the terminal.

The model is part of the package, so nothing else has to be there: no checkout, no screen, no
OpenGL. The browser gets the page of the viewer. Without one, or without a screen, the fall is drawn
with characters: shapes seen from the side, without perspective.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
import webbrowser
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

import condyle

MODEL = Path(__file__).parent.parent / "testdata" / "model.xml"

_SECONDS = 1.5
_FILM_RATE = 20  # pictures a second, where they can take each other's place
_STILLS = 4  # pictures, where they can't
_LEFT, _WIDTH = -1.8, 3.6  # of the picture along x, m
_BOTTOM = -0.1  # of the picture along z, m
_COLUMNS = (40, 100)  # the least and the most
_PUSH = 1.0  # velocity forward at the start, m/s

# the upper and the lower half of a character, filled or not
_BLOCKS = " ▄▀█"
_PLAIN = " _^#"


def main(arguments: list[str]) -> int:
    """Carry out ``condyle demo ARGUMENTS``; returns the exit status.

    Does not return if the viewer takes over this process.
    """
    parser = argparse.ArgumentParser(
        prog="condyle demo",
        description="Let a humanoid fall, in the browser or, without one, in the terminal.",
    )
    parser.add_argument("--terminal", action="store_true", help="draw it in the terminal")
    options = parser.parse_args(arguments)
    if not options.terminal and _can_show():
        from condyle.__main__ import run_program  # noqa: PLC0415

        print("A humanoid falls in the browser; Ctrl+C ends this.")
        return run_program(["view", str(MODEL)])
    fall(sys.stdout)
    return 0


def _can_show() -> bool:
    """Tell if there are the page of the viewer, a screen, and a browser."""
    from condyle._viewer import page  # noqa: PLC0415

    screen = os.name == "nt" or sys.platform == "darwin"
    screen = screen or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if not screen:
        return False
    try:
        page.find()
        webbrowser.get()
    except (condyle.FatalError, webbrowser.Error):
        return False
    return True


def fall(out: TextIO) -> None:
    """Simulate the fall and draw it: a film on a terminal, a few pictures elsewhere."""
    model = condyle.MjModel.from_xml_path(str(MODEL))
    data = condyle.MjData(model)
    data.qvel[0] = _PUSH
    columns = min(max(shutil.get_terminal_size((80, 24)).columns - 1, _COLUMNS[0]), _COLUMNS[1])
    letters = _letters(out)
    film = out.isatty()
    pictures = round(_SECONDS * _FILM_RATE) if film else _STILLS - 1
    start = time.perf_counter()
    spent, steps = 0.0, 0
    for i in range(pictures + 1):
        moment = i * _SECONDS / pictures
        before = time.perf_counter()
        while data.time < moment - model.opt.timestep / 2:
            condyle.mj_step(model, data)
            steps += 1
        spent += time.perf_counter() - before
        condyle.mj_kinematics(model, data)
        text = draw(model, data, columns, letters)
        head = data.geom("head").xpos[2]
        line = f"after {data.time:.1f} s the head is {head:.2f} m above the floor"
        if film:
            # over the picture before: up to its first line, and nothing left of what was longer
            up = f"\x1b[{text.count(chr(10)) + 2}A" if i else ""
            out.write(up + f"{text}\n{line}\n".replace("\n", "\x1b[K\n"))
            out.flush()
            time.sleep(max(0.0, start + moment - time.perf_counter()))
        else:
            out.write(f"{text}\n{line}\n")
    out.write(f"{steps} steps of {model.nv} degrees of freedom took {1e3 * spent:.0f} ms\n")
    out.write(f"condyle view {MODEL} shows it in a browser\n")


def _letters(out: TextIO) -> str:
    """Return characters for the halves of a cell that can be written there."""
    try:
        _BLOCKS.encode(out.encoding or "ascii")
    except UnicodeEncodeError:
        return _PLAIN
    return _BLOCKS


def draw(model: condyle.MjModel, data: condyle.MjData, columns: int, letters: str) -> str:
    """Return capsules and spheres, seen along y, as lines of text.

    Parameters
    ----------
    model, data
        What to draw; positions of geoms are computed.
    columns
        Characters in a line, which stand for 3.6 m. A character is two square dots, one above the
        other.
    letters
        Four characters: none of the dots, the lower one, the upper one, both.
    """
    dot = _WIDTH / columns
    rows = round(columns / 4.5)
    x: NDArray[np.float64] = np.asarray(_LEFT + dot * (np.arange(columns) + 0.5), np.float64)
    up = np.arange(2 * rows)[::-1, None] + 0.5
    z: NDArray[np.float64] = np.asarray(_BOTTOM + dot * up, np.float64)
    filled = np.abs(z) <= dot / 2 + 0 * x
    for geom in range(model.ngeom):
        kind = model.geom_type[geom]
        if kind in (condyle.mjtGeom.mjGEOM_CAPSULE, condyle.mjtGeom.mjGEOM_SPHERE):
            axis = data.geom_xmat[geom].reshape(3, 3)[::2, 2]
            half = model.geom_size[geom, 1] * axis if kind == condyle.mjtGeom.mjGEOM_CAPSULE else 0
            center = data.geom_xpos[geom, ::2]
            radius = max(model.geom_size[geom, 0], 0.7 * dot)
            filled |= _distance(x, z, center - half, center + half) <= radius
    cells = 2 * filled[::2] + filled[1::2]
    return "\n".join("".join(letters[cell] for cell in row).rstrip() for row in cells)


def _distance(
    x: NDArray[np.float64],
    z: NDArray[np.float64],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the distances of points (x, z) from a segment in their plane, m."""
    along = end - start
    # |along| = 0: the nearest point is the start
    square = max(float(along @ along), 1e-12)
    part = np.clip(((x - start[0]) * along[0] + (z - start[1]) * along[1]) / square, 0, 1)
    distances: NDArray[np.float64] = np.hypot(
        x - start[0] - part * along[0], z - start[1] - part * along[1]
    )
    return distances
