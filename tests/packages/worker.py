"""Runs tasks on one engine, at the orders of compare.py.

``python worker.py ADDRESS ENGINE VERSION``: connects to a socket; ENGINE is "condyle", which then
says that it is VERSION of mujoco, or "mujoco", which is that version or an error.
"""

from __future__ import annotations

import os
import random
import sys
import time
import traceback
import warnings
from multiprocessing.connection import Client
from typing import Any

import numpy as np


def equate_enums(module: Any) -> None:
    """Let enums of the newest reference be equal to integers of NumPy, as older ones are.

    Packages compare elements of arrays with them, and don't run without.
    """
    for name, kind in vars(module).items():
        if name.startswith("mjt") and isinstance(kind, type):

            def equal(one: Any, other: Any, before: Any = kind.__eq__) -> Any:
                is_number = isinstance(other, np.integer)
                return int(one) == int(other) if is_number else before(one, other)

            kind.__eq__ = equal
            kind.__hash__ = lambda one: hash(int(one))


def import_engine(engine: str, version: str) -> str:
    """Make ``import mujoco`` give the engine; return where its module is."""
    if engine == "condyle":
        import condyle

        condyle.install_as_mujoco(version)
    import mujoco

    if mujoco.__version__ != version:
        raise RuntimeError(f"mujoco {version} wanted, found {mujoco.__version__}")
    if engine == "mujoco" and version.startswith("4."):
        equate_enums(mujoco)
    return str(mujoco.__file__)


def failure(error: BaseException) -> tuple[str, str, str, str]:
    """Describe an error: by the class that both engines raise, its text and where it came from."""
    kinds = (kind for kind in type(error).__mro__ if not kind.__module__.startswith("condyle"))
    return "failed", next(kinds).__name__, str(error), traceback.format_exc()


class Bench:
    """The task at hand, and what is done with it."""

    def __init__(self) -> None:
        self.module: Any = None
        self.task: Any = None

    def names(self, package: str) -> list[str]:
        """List the tasks of a package."""
        import task

        self.module = task.load(package)
        return list(self.module.names())

    def open(self, package: str, name: str) -> float:
        """Make a task; return the seconds that took."""
        import task

        self.close()
        self.module = task.load(package)
        random.seed(task.SEED)
        np.random.seed(task.SEED)
        start = time.process_time()
        self.task = self.module.make(name)
        return time.process_time() - start

    def close(self) -> None:
        """Drop the task."""
        if self.task is not None:
            self.task.close()
        self.task = None

    def run(self, steps: int, follow: list[Any] | None, nudge: float) -> dict[str, Any]:
        """Reset and take steps with drawn actions; from given states if there are some.

        Returns
        -------
        record
            Observations after the reset and each step, states before each step, seconds of the
            steps, properties of the model.
        """
        from task import SEED, get_state, leaves, properties, set_state

        task = self.task
        rng = np.random.default_rng(SEED)
        noise = np.random.default_rng(SEED + 1)
        random.seed(SEED)
        np.random.seed(SEED)
        seen = [dict(leaves(task.reset()))]
        states, seconds = [], []
        facts = properties(task.model, task.data)
        for i in range(steps):
            if follow is not None:
                set_state(task.model, task.data, follow[i])
            if nudge and (follow is not None or i == 0):
                task.data.qvel[:] += nudge * noise.standard_normal(task.model.nv)
            states.append(get_state(task.data))
            action = task.action(rng)
            start = time.process_time()
            result = task.step(action)
            seconds.append(time.process_time() - start)
            seen.append(dict(leaves(result)))
            for name, count in (("ncon", task.data.ncon), ("nefc", task.data.nefc)):
                facts[name] = max(facts[name], int(count))
        states.append(get_state(task.data))
        return {"seen": seen, "states": states, "seconds": seconds, "facts": facts}

    def between(self, states: list[Any]) -> list[dict[str, np.ndarray]]:
        """Return the states of the single steps between given ones, with the later one's inputs."""
        import mujoco
        from task import INPUTS, get_state, set_state

        model, data = self.task.model, self.task.data
        found = []
        for state, after in zip(states, states[1:], strict=False):
            set_state(model, data, state | {name: after[name] for name in INPUTS})
            nstep = round(float(after["time"] - state["time"]) / model.opt.timestep)
            for _ in range(min(max(nstep, 1), 100)):
                found.append(get_state(data))
                mujoco.mj_step(model, data)
        return found

    def single(
        self, states: list[Any], nudge: float = 0, seed: int = 0
    ) -> list[dict[str, np.ndarray]]:
        """Take one step of the engine from each state; return what is there then."""
        import mujoco
        from task import set_state

        model, data = self.task.model, self.task.data
        noise = np.random.default_rng(seed)
        seen = []
        for state in states:
            moved = state["qpos"] + nudge * noise.standard_normal(model.nq)
            set_state(model, data, state | {"qpos": moved})
            mujoco.mj_step(model, data)
            names = ("qpos", "qvel", "act", "sensordata")
            seen.append({name: np.array(getattr(data, name)) for name in names})
        return seen

    def contacts(self, state: Any) -> dict[str, np.ndarray]:
        """Return the contacts in a state."""
        from task import set_state

        set_state(self.task.model, self.task.data, state)
        contact = self.task.data.contact
        return {name: np.array(getattr(contact, name)) for name in ("geom", "dist", "frame", "pos")}

    def engine(self, states: list[Any], repeat: int) -> float:
        """Time the engine alone: as many steps from each state as the task takes.

        Returns
        -------
        seconds
            CPU time for all states, the least of several times.
        """
        import mujoco
        from task import set_state

        model, data = self.task.model, self.task.data
        best = np.inf
        for _ in range(repeat):
            total = 0.0
            for state, after in zip(states, states[1:], strict=False):
                nstep = round(float(after["time"] - state["time"]) / model.opt.timestep)
                set_state(model, data, state)
                start = time.process_time()
                mujoco.mj_step(model, data, min(max(nstep, 1), 100))
                total += time.process_time() - start
            best = min(best, total)
        return best

    def arrays(self, state: dict[str, Any] | None) -> dict[str, np.ndarray]:
        """Copy all arrays of the model, and of the data after forward dynamics in a state."""
        from task import set_state

        model, data = self.task.model, self.task.data
        if state is not None:
            set_state(model, data, state)
        found = {}
        for label, item in (("model", model), ("data", data)):
            for name in dir(item):
                value = None if name.startswith("_") else getattr(item, name, None)
                if isinstance(value, np.ndarray) and value.dtype.kind in "bif":
                    found[f"{label}.{name}"] = np.array(value, float)
        for name in ("dist", "pos", "frame", "geom", "includemargin", "friction", "solref"):
            found[f"contact.{name}"] = np.array(getattr(data.contact, name), float)
        for name in dir(model.opt):
            value = None if name.startswith("_") else getattr(model.opt, name)
            if isinstance(value, (int, float, np.ndarray)):
                found[f"option.{name}"] = np.array(value, float)
        return found

    def save(self, path: str) -> None:
        """Write the model as MJCF or, where it was not read from text, in binary."""
        import mujoco

        try:
            mujoco.mj_saveLastXML(path + ".xml", self.task.model)
        except mujoco.FatalError:
            mujoco.mj_saveModel(self.task.model, path + ".mjb", None)


def main() -> None:
    """Answer orders until the other side ends."""
    address, engine, version = sys.argv[1:4]
    warnings.simplefilter("ignore")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    with Client(address, "AF_UNIX") as line:
        try:
            line.send(("done", import_engine(engine, version)))
        except Exception as error:
            line.send(failure(error))
            return
        bench = Bench()
        while True:
            try:
                order, arguments = line.recv()
            except EOFError:
                return
            try:
                line.send(("done", getattr(bench, order)(*arguments)))
            except Exception as error:
                line.send(failure(error))


if __name__ == "__main__":
    main()
