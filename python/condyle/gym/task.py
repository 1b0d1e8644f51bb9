"""What a world is for: ``Task``, the base of the tasks here and of your own.

@dataclass(kw_only=True)
class Balance(Task):
    xml_file: str = "/models/pole.xml"
    frame_skip: int = 2
    effort_weight: float = 0.01

    def draw(self, rng):                          # one world at the start of an episode
        return self.init_qpos + rng.uniform(-0.1, 0.1, self.model.nq), self.init_qvel

    def observe(self, worlds):                    # all worlds at once
        return np.hstack([worlds.qpos, worlds.qvel])

    def score(self, worlds, actions, before):
        upright = np.abs(worlds.qpos[:, 1]) < 0.2
        effort = self.effort_weight * np.square(actions).sum(axis=1)
        return upright - effort, ~upright, {"effort": effort}

env = make_vec(Balance, num_envs=64, effort_weight=0.1)
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

import condyle

if TYPE_CHECKING:
    from condyle.gym.worlds import Worlds

Array: TypeAlias = NDArray[Any]
Score = tuple[Array, "Array | bool", dict[str, Array]]

# folder of Gymnasium's models, found without importing its tasks, which would import mujoco
_ASSETS = os.path.join(os.path.dirname(gymnasium.__file__), "envs", "mujoco", "assets")


@dataclass(kw_only=True)
class Task:
    """The model, the start of episodes, observations, rewards and ends.

    Subclasses are dataclasses: their fields are the options that ``make_vec`` takes. These here are
    Gymnasium's for every task; those after ``frame_skip`` concern pictures alone.

    Attributes
    ----------
    xml_file
        Model: a path that begins with ``/``, ``.`` or ``~``, or a file among Gymnasium's.
    frame_skip
        Steps of the engine for each action.
    max_episode_steps
        Actions after which an episode is cut off; None: never.
    reads
        Results of the engine (fields of ``MjData``) that are read only now and then. Those which
        the first call of ``observe``, ``mark`` and ``score`` reads are found by themselves.
    model, dt, init_qpos, init_qvel
        Set by ``bind``: the model, seconds of an action, state after a reset.
    """

    xml_file: str
    frame_skip: int = 5
    width: int = 480
    height: int = 480
    camera_id: int | None = None
    camera_name: str | None = None
    default_camera_config: Mapping[str, Any] | None = None
    max_geom: int = 1000
    visual_options: Mapping[int, bool] | None = None

    max_episode_steps: ClassVar[int | None] = 1000
    reads: ClassVar[tuple[str, ...]] = ()

    def load(self) -> condyle.MjModel:
        """Return the model."""
        path = self.xml_file
        path = os.path.expanduser(path) if path[:1] in ("~", "/", ".") else f"{_ASSETS}/{path}"
        if not os.path.exists(path):
            raise OSError(f"File {path} does not exist")
        model = condyle.MjModel.from_xml_path(path)
        frame = model.vis.global_
        frame.offwidth = max(frame.offwidth, self.width)
        frame.offheight = max(frame.offheight, self.height)
        return model

    def bind(self, model: condyle.MjModel) -> None:
        """Take note of the model, once; the place to look up ids of bodies."""
        self.model = model
        self.dt = model.opt.timestep * self.frame_skip
        self.init_qpos = np.array(model.qpos0)
        self.init_qvel = np.zeros(model.nv)

    def body(self, name: int | str) -> int:
        """Return the id of a body."""
        return int(self.model.body(name).id)

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Return qpos and qvel (nq, nv) of one world at the start of an episode."""
        return self.init_qpos, self.init_qvel

    def attach(self, worlds: Worlds) -> None:
        """Take note of the worlds, once; the place for arrays of their own and ``worlds.vary``."""

    def begin(self, worlds: Worlds, mask: Array) -> tuple[Array, Array]:
        """Return qpos (k, nq) and qvel (k, nv) of the k worlds of a mask that start an episode.

        Calls ``draw`` for each; a task of many worlds overrides it, with ``worlds.chance``.
        """
        generators = [worlds.chance.generator(int(i)) for i in np.flatnonzero(mask)]
        qpos, qvel = zip(*(self.draw(generator) for generator in generators), strict=True)
        return np.stack(qpos), np.stack(qvel)

    def limits(self) -> tuple[Array, Array]:
        """Return the least and the greatest actions (size,); here those of the controls."""
        low, high = self.model.actuator_ctrlrange.T
        return low, high

    def control(self, worlds: Worlds, actions: Array) -> Array:
        """Return controls (n, nu) for actions (n, size); the place for delays and pushes, too."""
        return actions

    def observe(self, worlds: Worlds) -> Array:
        """Return observations (n, size)."""
        raise NotImplementedError(f"{type(self).__name__} needs a method observe(worlds)")

    def mark(self, worlds: Worlds) -> Any:
        """Return what ``score`` wants to know of the worlds before the step: copies, no views."""
        return None

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Return rewards (n,), ends (n,) and infos (n, ...) of the step that was made."""
        raise NotImplementedError(f"{type(self).__name__} needs a method score")

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return infos (n, ...) of worlds at the start of an episode."""
        return {}
