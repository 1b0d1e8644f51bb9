"""What the comparison asks of a task of any package, and the parts that all tasks share."""

from __future__ import annotations

import abc
import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

SEED = 7

# all that the next step depends on; no packed state, because its layout changes between releases
STATE = (
    ("qpos", "qvel", "act", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied")
    + ("eq_active", "mocap_pos", "mocap_quat", "userdata")
)  # fmt: skip
# the part of it that a program sets
INPUTS = ("ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat")

# package on the command line -> module with its tasks
MODULES = {
    "gymnasium": "of_gymnasium",
    "gymnasium_robotics": "of_gymnasium_robotics",
    "metaworld": "of_metaworld",
    "robosuite": "of_robosuite",
    "dm_control": "of_dm_control",
    "mink": "of_mink",
    "myosuite": "of_myosuite",
    "gym_aloha": "of_gym_aloha",
    "mjx": "of_mjx",
    "models": "of_models",
}


class Task(abc.ABC):
    """One task: a model, its state, and what a program sees of it."""

    @property
    @abc.abstractmethod
    def model(self) -> Any:
        """MjModel that is stepped at present."""

    @property
    @abc.abstractmethod
    def data(self) -> Any:
        """MjData that is stepped at present."""

    @abc.abstractmethod
    def reset(self) -> Any:
        """Begin an episode with the seed; return the observation: arrays, nested at will."""

    @abc.abstractmethod
    def step(self, action: Any) -> Any:
        """Take a step; return observation, reward and the like."""

    @abc.abstractmethod
    def action(self, rng: np.random.Generator) -> Any:
        """Draw an action."""

    def close(self) -> None:  # noqa: B027
        """Give back what the task holds."""


class Owned(Task):
    """A task with a model and data of its own."""

    def __init__(self, path: Any) -> None:
        import mujoco

        self._model = mujoco.MjModel.from_xml_path(str(path))
        self._data = mujoco.MjData(self._model)

    @property
    def model(self) -> Any:
        """MjModel."""
        return self._model

    @property
    def data(self) -> Any:
        """MjData."""
        return self._data


class Box:
    """Actions drawn evenly between bounds, those of open intervals between -1 and 1."""

    def __init__(self, low: Any, high: Any, shape: Sequence[int]) -> None:
        low = np.broadcast_to(np.asarray(low, float), tuple(shape))
        high = np.broadcast_to(np.asarray(high, float), tuple(shape))
        self.low = np.where(np.isfinite(low), low, -1)
        self.high = np.where(np.isfinite(high), high, 1)

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw one action."""
        return rng.uniform(self.low, self.high)


def load(package: str) -> Any:
    """Import the module with the tasks of a package: it has ``names()`` and ``make(name)``."""
    return importlib.import_module(MODULES[package])


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Walk through nested observations: names and numbers of all arrays in them."""
    if isinstance(tree, Mapping):
        for key in sorted(tree, key=str):
            yield from leaves(tree[key], f"{path}/{key}")
    elif isinstance(tree, (list, tuple)) and not all(isinstance(x, (int, float)) for x in tree):
        for key, item in enumerate(tree):
            yield from leaves(item, f"{path}/{key}")
    elif tree is not None and not isinstance(tree, str):
        numbers = np.asarray(tree)
        if numbers.dtype.kind in "bif" and numbers.size:
            yield path, numbers.astype(float)


def get_state(data: Any) -> dict[str, np.ndarray]:
    """Copy what the next step depends on."""
    state = {name: np.array(getattr(data, name)) for name in STATE}
    state["time"] = np.array(data.time)
    return state


def set_state(model: Any, data: Any, state: dict[str, np.ndarray]) -> None:
    """Go to a state and compute what follows from it."""
    import mujoco

    data.time = float(state["time"])
    for name in STATE:
        getattr(data, name)[:] = state[name]
    mujoco.mj_forward(model, data)
    # forward dynamics leaves its result there
    data.qacc_warmstart[:] = state["qacc_warmstart"]


def properties(model: Any, data: Any) -> dict[str, Any]:
    """Tell what the speed of a step depends on."""
    import mujoco

    option = model.opt
    return {
        **{name: int(getattr(model, name)) for name in ("nq", "nv", "nu", "nbody", "ngeom")},
        **{name: int(getattr(model, name)) for name in ("nmesh", "neq", "ntendon", "nsensor")},
        "solver": mujoco.mjtSolver(option.solver).name[6:],
        "cone": mujoco.mjtCone(option.cone).name[7:],
        "integrator": mujoco.mjtIntegrator(option.integrator).name[6:],
        "timestep": float(option.timestep),
        "iterations": int(option.iterations),
        "noslip": int(option.noslip_iterations),
        "disable": int(option.disableflags),
        "enable": int(option.enableflags),
        "ncon": int(data.ncon),
        "nefc": int(data.nefc),
    }
