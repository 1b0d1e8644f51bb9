"""Many worlds of a task as one ``gymnasium.vector.VectorEnv``.

Seeds, autoresets, truncation and infos are those of ``SyncVectorEnv`` over environments with a
``TimeLimit``; only the loop over worlds is gone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import error
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import condyle
from condyle._support import check
from condyle.gym.pictures import MODES, Pictures
from condyle.gym.task import Task
from condyle.gym.worlds import Mask, Worlds

Array: TypeAlias = NDArray[Any]
Infos = dict[str, Any]

_SOLVERS = {
    "Newton": condyle.mjtSolver.mjSOL_NEWTON,
    "CG": condyle.mjtSolver.mjSOL_CG,
    "PGS": condyle.mjtSolver.mjSOL_PGS,
}


class TaskVectorEnv(VectorEnv):  # type: ignore[type-arg, misc, unused-ignore]
    """Worlds of a task.

    Parameters
    ----------
    task
        What the worlds are for; it belongs to this environment from here on.
    num_envs
        Number of worlds.
    max_episode_steps
        Actions after which an episode is cut off; None: the task's number, -1: never.
    num_threads
        Threads that step; None: one for each processor. Results don't depend on it.
    autoreset_mode
        As in ``SyncVectorEnv``.
    render_mode
        What ``render`` gives: "rgb_array" or "depth_array", a tuple of pictures, or "rgb_grid", one
        picture of many worlds; None: no pictures.
    solver
        "Newton", "CG" or "PGS" in place of the model's; None: the model's.
    lanes, precision
        As in ``Batch``: whether worlds go side by side, in "double" or "single" precision.
    """

    def __init__(
        self,
        task: Task,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        num_threads: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        solver: str | None = None,
        lanes: bool = True,
        precision: Literal["double", "single"] = "double",
    ) -> None:
        num_envs = check.integer("num_envs", num_envs, 1)
        _check_task(task)
        if render_mode is not None and render_mode not in MODES:
            raise ValueError(f"render_mode must be None or one of {MODES}, got {render_mode!r}")
        self.render_mode = render_mode
        self._pictures: Pictures | None = None
        self.task = task
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.max_episode_steps = _limit(task, max_episode_steps)
        model = task.load()
        if solver is not None:
            if solver not in _SOLVERS:
                raise ValueError(f"solver must be one of {', '.join(_SOLVERS)}, got {solver!r}")
            model.opt.solver = _SOLVERS[solver]
        task.bind(model)
        threads = _threads(num_threads, num_envs)
        self.worlds = Worlds(model, num_envs, threads, lanes=lanes, precision=precision)
        if not task.dt > 0:
            raise ValueError(f"an action must take some time, got timestep {model.opt.timestep}")
        self.metadata = {
            "render_modes": list(MODES),
            "render_fps": int(np.round(1.0 / task.dt)),
            "autoreset_mode": self.autoreset_mode,
        }

        task.attach(self.worlds)
        low, high = (limit.astype(np.float32) for limit in task.limits())
        self.single_action_space = Box(low=low, high=high, dtype=np.float32)
        size = self._read_once()
        self.single_observation_space = Box(-np.inf, np.inf, shape=(size,), dtype=np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

        self._elapsed = np.zeros(num_envs, dtype=np.int64)
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self._started = False

    def _read_once(self) -> int:
        """Make one call of all that reads worlds, so that what it reads is kept."""
        task, worlds = self.task, self.worlds
        for name in ("qpos", "qvel", *task.reads):
            getattr(worlds, name)
        actions = np.zeros((self.num_envs, len(task.limits()[0])), dtype=np.float32)
        with np.errstate(all="ignore"):
            task.score(worlds, actions, task.mark(worlds))
            task.start_info(worlds)
            shape = np.shape(task.observe(worlds))
        if len(shape) != 2 or shape[0] != self.num_envs:
            raise ValueError(
                f"{type(task).__name__}.observe must return an array ({self.num_envs}, size), "
                f"got {shape}"
            )
        worlds.seal()
        return int(shape[1])

    # random numbers: each world has the generator that a single environment would make

    @property  # type: ignore[misc, unused-ignore]
    def np_random(  # type: ignore[override, misc, unused-ignore]
        self,
    ) -> tuple[np.random.Generator, ...]:
        """The generators of all worlds."""
        return tuple(self.worlds.chance.generator(i) for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:  # type: ignore[override, unused-ignore]
        """The seeds of all worlds."""
        chance = self.worlds.chance
        for i in range(self.num_envs):
            chance.generator(i)
        return tuple(chance.seeds)

    # episodes

    def reset(  # type: ignore[override, unused-ignore]
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, Infos]:
        """Begin new episodes.

        Parameters
        ----------
        seed
            World i gets ``seed + i``, or ``seed[i]``; None keeps its generator.
        options
            ``{"reset_mask": (n,) bool}`` begins those of some worlds.
        """
        self._check_open()
        if seed is None or isinstance(seed, int):
            seeds = [None if seed is None else seed + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(
                f"If seeds are passed as a list the length must match num_envs={self.num_envs} "
                f"but got length={len(seeds)}."
            )
        mask = _reset_mask(options, self.num_envs)
        self.worlds.chance.seed(mask, seeds)
        self._started = True
        infos: Infos = {}
        self._start(mask, infos)
        return self._observe(), infos

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Infos]:
        """Apply actions (n, nu); worlds whose episode has ended begin a new one instead."""
        self._check_open()
        if not self._started:
            raise error.ResetNeeded("Cannot call env.step() before calling env.reset()")
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(
                f"Action dimension mismatch. Expected {self.action_space.shape}, "
                f"found {actions.shape}"
            )
        if self.autoreset_mode == AutoresetMode.DISABLED and self._ended.any():
            raise error.ResetNeeded(
                "episodes have ended and autoreset_mode is Disabled: call "
                f"env.reset(options={{'reset_mask': ...}}) for worlds {np.flatnonzero(self._ended)}"
            )

        begins = self._ended
        going = ~begins
        partial = bool(begins.any())
        rewards, terminations, infos = self._advance(actions, going, partial)
        truncations = np.zeros(self.num_envs, dtype=np.bool_)
        if self.max_episode_steps is not None:
            truncations = going & (self._elapsed >= self.max_episode_steps)
        if partial:
            self._start(begins, infos)
        self._ended = terminations | truncations
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            infos = self._restart(self._ended, infos)
            self._ended = np.zeros(self.num_envs, dtype=np.bool_)
        return self._observe(), rewards, terminations, truncations, infos

    def _advance(self, actions: Array, going: Mask, partial: bool) -> tuple[Array, Array, Infos]:
        """Step the worlds whose episodes go on; of the others numbers are zero."""
        task, worlds = self.task, self.worlds
        before = task.mark(worlds)
        worlds.chance.advance()
        ctrl = np.ascontiguousarray(task.control(worlds, actions), dtype=np.float64)
        worlds.step(ctrl, task.frame_skip, going if partial else None)
        self._elapsed += going
        infos: Infos = {}
        score, ended, info = task.score(worlds, actions, before)
        rewards = np.zeros(self.num_envs)
        rewards[:] = score
        terminations = np.zeros(self.num_envs, dtype=np.bool_)
        terminations[:] = ended
        if partial:
            rewards[~going] = 0
            terminations &= going
        _add(infos, info, going)
        return rewards, terminations, infos

    def _start(self, mask: Mask, infos: Infos) -> None:
        """Begin new episodes in some worlds."""
        self.worlds.chance.advance(mask)
        self.worlds.reset(mask)
        qpos, qvel = self.task.begin(self.worlds, mask)
        self.worlds.start(mask, qpos, qvel)
        self._elapsed[mask] = 0
        self._ended = self._ended & ~mask
        _add(infos, self.task.start_info(self.worlds), mask)

    def _restart(self, mask: Mask, infos: Infos) -> Infos:
        """Begin new episodes where they have just ended, and tell how the old ones did."""
        last = np.full(self.num_envs, None, dtype=object)
        observations = self._observe()
        for i in np.flatnonzero(mask):
            last[i] = observations[i].copy()
        final: Infos = {}
        others: Infos = {}
        for key, value in infos.items():
            if not key.startswith("_"):
                _add(final, {key: value}, mask & infos[f"_{key}"])
                _add(others, {key: value}, ~mask & infos[f"_{key}"])
        result: Infos = {"final_obs": last, "_final_obs": mask.copy()}
        result.update(final_info=final, _final_info=mask.copy(), **others)
        self._start(mask, result)
        return result

    def _observe(self) -> Array:
        observations = np.asarray(self.task.observe(self.worlds), dtype=np.float64)
        return observations if observations.flags.owndata else observations.copy()

    # pictures and closing

    def render(self) -> Any:
        """Draw all worlds, as ``render_mode`` says; see ``Pictures.draw``."""
        self._check_open()
        if self.render_mode is None:
            raise error.Error("pictures need a render_mode: make_vec(..., render_mode='rgb_array')")
        if self._pictures is None:
            self._pictures = Pictures(self.task, self.render_mode)
        return self._pictures.draw(self.worlds)

    def _check_open(self) -> None:
        if self.closed:
            raise error.ClosedEnvironmentError("the environment is closed")

    def close_extras(self, **kwargs: Any) -> None:
        """Give back threads and memory."""
        if self.__dict__.get("_pictures") is not None:
            self._pictures.close()  # type: ignore[union-attr]
        if "worlds" in self.__dict__:
            self.worlds.close()


def _add(infos: Infos, info: dict[str, Array], mask: Mask) -> None:
    """Add infos of the worlds of a mask; each key has a key ``_key`` that tells for which."""
    everywhere = mask.all()
    if not (everywhere or mask.any()):
        return
    for key, value in info.items():
        value = np.asarray(value)
        if everywhere:
            infos[key] = value.copy()
            infos[f"_{key}"] = mask.copy()
            continue
        rows = mask.reshape(mask.shape + (1,) * (value.ndim - 1))
        if key in infos:
            np.copyto(infos[key], value, where=rows)
            infos[f"_{key}"] |= mask
        else:
            infos[key] = np.where(rows, value, np.zeros((), dtype=value.dtype))
            infos[f"_{key}"] = mask.copy()


def _check_task(task: Task) -> None:
    for name, least in (("frame_skip", 1), ("width", 1), ("height", 1), ("max_geom", 0)):
        setattr(task, name, check.integer(name, getattr(task, name), least))
    for name in ("default_camera_config", "visual_options"):
        value = getattr(task, name)
        if value is not None and not isinstance(value, Mapping):
            raise TypeError(f"{name} must be a dict, got {value!r}")


def _limit(task: Task, steps: int | None) -> int | None:
    steps = task.max_episode_steps if steps is None else steps
    if steps is None:
        return None
    steps = check.integer("max_episode_steps", steps)
    if steps == -1:
        return None
    if steps <= 0:
        raise ValueError(f"Expect the `max_episode_steps` to be positive, actually: {steps}")
    return steps


def _threads(number: int | None, num_envs: int) -> int:
    if number is None:
        affinity = getattr(os, "sched_getaffinity", None)
        number = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(check.integer("num_threads", number, 1), num_envs)


def _reset_mask(options: dict[str, Any] | None, n: int) -> Mask:
    if options is None or "reset_mask" not in options:
        return np.ones(n, dtype=np.bool_)
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray):
        raise TypeError(f"`options['reset_mask']` must be a numpy array, got {type(mask)}")
    if mask.shape != (n,):
        raise ValueError(f"`options['reset_mask']` must have shape `({n},)`, got {mask.shape}")
    if mask.dtype != np.bool_:
        raise TypeError(f"`options['reset_mask']` must have `dtype=np.bool_`, got {mask.dtype}")
    if not mask.any():
        raise ValueError(
            "`options['reset_mask']` must contain a boolean array with at least one True value, "
            f"got reset_mask={mask}"
        )
    return mask


__all__ = ["TaskVectorEnv"]
