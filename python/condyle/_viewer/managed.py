"""The simulation that the viewer runs itself: at the pace of the clock, as its pages steer it."""

from __future__ import annotations

import os
import posixpath
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import condyle
from condyle import _condyle
from condyle._viewer import talk
from condyle._viewer.view import View, title_of
from condyle._viewer.window import Window

Pair = tuple[condyle.MjModel, condyle.MjData]

_LARGEST_TEXT = 1 << 24  # bytes of files that pages get to edit
_BEAT = 0.004  # seconds between two looks at the clock
_STEP_BUDGET = 0.012  # seconds of steps in between
_LARGEST_LAG = 0.1  # seconds that the simulation may run after the clock


def run(
    pair: Pair | None,
    loader: Callable[[], Pair] | None,
    panels: tuple[bool, bool],
    path: str | None = None,
) -> None:
    """Run until the last page is closed.

    Parameters
    ----------
    pair
        The simulation; None: pages bring one.
    loader
        Makes it anew.
    panels
        Show the panels on the left, on the right.
    path
        The file that the simulation is made of, whose text pages show.
    """
    view = View(managed=True)
    if pair is not None:
        _show(view, pair, path)
    window = Window(view, panels, load=_Loading(view).load, reloads=loader is not None)
    pace = _Pace(view)
    try:
        while window.is_open():
            if view.reload_wanted and loader is not None:
                view.reload_wanted = False
                _reload(view, loader, path)
            with view.lock:
                pace.advance()
            time.sleep(_BEAT)
    finally:
        window.close()


def _show(view: View, pair: Pair, path: str | None) -> None:
    m, d = pair
    condyle.mj_forward(m, d)
    if path is None:
        view.show(m, d, title_of(m))
    else:
        view.show(m, d, path, _files(path))


def _files(path: str) -> dict[str, bytes]:
    """Return the files that a model is made of, itself first; none if they are too many bytes."""
    files: dict[str, bytes] = {}
    if path.endswith(".mjb"):
        return files
    left = _LARGEST_TEXT
    for name in [path, *condyle.mju_getXMLDependencies(path)]:
        try:
            left -= os.path.getsize(name)
            if left < 0:
                return {}
            files[name] = Path(name).read_bytes()
        except OSError:
            # a missing file is reported when the model is compiled
            continue
    return files


def _reload(view: View, loader: Callable[[], Pair], path: str | None) -> None:
    try:
        pair = loader()
    except (ValueError, OSError, condyle.FatalError) as error:
        # keep the old model until the new one loads without error
        view.error = str(error)
        return
    _show(view, pair, path)


class _Pace:
    """Steps a simulation up to the time of the clock."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._mode: tuple[Any, ...] = ()
        self._wall = self._simulated = 0.0

    def advance(self) -> None:
        """Step as far as the clock is, or as the user wants, and show it."""
        view = self._view
        m, d = view.m, view.d
        if m is None or d is None:
            return
        try:
            if view.playing:
                self._follow(m, d)
            while view.steps > 0:
                view.steps -= 1
                view.change(m, d)
                condyle.mj_step(m, d)
            view.sync()
        except condyle.FatalError as error:
            view.error, view.playing = str(error), False

    def _follow(self, m: condyle.MjModel, d: condyle.MjData) -> None:
        view, start = self._view, time.monotonic()
        mode = (view.speed, view.version)
        if mode != self._mode or not 0 <= start - self._wall < 1 or d.time < self._simulated:
            self._mode = mode
            self._wall, self._simulated = start, d.time
        target = self._simulated + (start - self._wall) * view.speed
        while d.time < target:
            before = d.time
            view.change(m, d)
            condyle.mj_step(m, d)
            if d.time <= before or time.monotonic() - start > _STEP_BUDGET:
                break
        # time that a too slow simulation has lost is not caught up
        if target - d.time > _LARGEST_LAG * view.speed or start - self._wall > 0.5:
            late = max(0.0, target - d.time)
            self._wall = start
            self._simulated = d.time if late > _LARGEST_LAG * view.speed else target


class _Loading:
    """Loads models that pages send."""

    def __init__(self, view: View) -> None:
        self._view = view

    def load(self, files: dict[str, bytes], main: str, keep: bool) -> list[dict[str, Any]]:
        """Show the model that files make; returns what is wrong with it."""
        try:
            m = _compile(files, main)
            d = condyle.MjData(m)
            with self._view.lock:
                old = self._view.m, self._view.d
                if keep and old[0] is not None and old[1] is not None:
                    _carry(old[0], old[1], m, d)
                condyle.mj_forward(m, d)
                self._view.show(m, d, main, files)
        except condyle.FatalError as error:
            return [talk.problem(str(error))]
        except ValueError as error:
            problems = talk.problems_of(error)
            names = {posixpath.basename(name): name for name in files if name != main}
            for it in problems:
                # problems of the main text have no file name
                it["file"] = names.get(it["file"], main)
            return problems
        return []


def _compile(files: dict[str, bytes], main: str) -> condyle.MjModel:
    """Compile a model of files in memory, which are known by their plain names."""
    others = {posixpath.basename(name): content for name, content in files.items() if name != main}
    if main.lower().endswith(".mjb"):
        others[posixpath.basename(main)] = files[main]
        return condyle.MjModel.from_binary_path(posixpath.basename(main), others)
    try:
        text = files[main].decode()
    except UnicodeDecodeError:
        raise ValueError(f"{main} is not a text in UTF-8") from None
    # its text may name any file of this machine
    return _condyle._model_from_sealed_text(text, others)


def _carry(
    m: condyle.MjModel, d: condyle.MjData, to_m: condyle.MjModel, to_d: condyle.MjData
) -> None:
    """Copy the state of joints and actuators of the same name and kind, and the time."""
    to_d.time = d.time
    for joint in range(to_m.njnt):
        name = to_m.joint(joint).name
        old = condyle.mj_name2id(m, condyle.mjtObj.mjOBJ_JOINT, name) if name else -1
        if old < 0 and (m.nq, m.nv) == (to_m.nq, to_m.nv) and joint < m.njnt:
            old = joint
        if old < 0 or m.jnt_type[old] != to_m.jnt_type[joint]:
            continue
        to, before = to_d.joint(joint), d.joint(old)
        to.qpos, to.qvel = np.array(before.qpos), np.array(before.qvel)
    for actuator in range(to_m.nactuator):
        name = to_m.actuator(actuator).name
        old = condyle.mj_name2id(m, condyle.mjtObj.mjOBJ_ACTUATOR, name) if name else -1
        if old >= 0:
            driven, driver = to_d.actuator(actuator), d.actuator(old)
            if driven.ctrl.shape == driver.ctrl.shape:
                driven.ctrl = np.array(driver.ctrl)
