"""Gymnasium's MuJoCo tasks over many worlds at once, tasks to train for, and a base for your own.

docs/gym.md tells of them.

    from condyle.gym import make_vec

    env = make_vec("HalfCheetah-v5", num_envs=64, ctrl_cost_weight=0.05)
    observations, infos = env.reset(seed=1)
    observations, rewards, terminations, truncations, infos = env.step(env.action_space.sample())

Importing the module also registers the tasks with Gymnasium, as ``Condyle/HalfCheetah-v5`` and so
on: ``gymnasium.make_vec("Condyle/HalfCheetah-v5", num_envs=64)``.
"""

from __future__ import annotations

import copy
from typing import Any, Literal

try:
    import gymnasium
except ImportError as problem:
    raise ImportError("condyle.gym needs Gymnasium: pip install gymnasium") from problem
from gymnasium.vector import AutoresetMode

from condyle.gym import arms, hands, humanoids, muscles, pendulums, runners, walkers
from condyle.gym.task import Task
from condyle.gym.varied import Varied
from condyle.gym.vector import TaskVectorEnv
from condyle.gym.worlds import Worlds

TASKS: dict[str, type[Task]] = {
    "Ant-v4": runners.AntV4,
    "Ant-v5": runners.Ant,
    "HalfCheetah-v4": runners.HalfCheetahV4,
    "HalfCheetah-v5": runners.HalfCheetah,
    "Hopper-v4": runners.HopperV4,
    "Hopper-v5": runners.Hopper,
    "Humanoid-v4": humanoids.HumanoidV4,
    "Humanoid-v5": humanoids.Humanoid,
    "HumanoidStandup-v4": humanoids.HumanoidStandupV4,
    "HumanoidStandup-v5": humanoids.HumanoidStandup,
    "InvertedDoublePendulum-v4": pendulums.InvertedDoublePendulumV4,
    "InvertedDoublePendulum-v5": pendulums.InvertedDoublePendulum,
    "InvertedPendulum-v4": pendulums.InvertedPendulumV4,
    "InvertedPendulum-v5": pendulums.InvertedPendulum,
    "Pusher-v4": arms.PusherV4,
    "Pusher-v5": arms.Pusher,
    "Reacher-v4": arms.ReacherV4,
    "Reacher-v5": arms.Reacher,
    "Swimmer-v4": runners.SwimmerV4,
    "Swimmer-v5": runners.Swimmer,
    "Walker2d-v4": runners.Walker2dV4,
    "Walker2d-v5": runners.Walker2d,
}

# tasks of our own, whose worlds differ: docs/gym.md, Tasks to train for
SKILLS: dict[str, type[Task]] = {
    "BipedFlat-v0": walkers.Biped,
    "BipedRough-v0": walkers.BipedRough,
    "CubeTurn-v0": hands.CubeTurn,
    "MuscleReach-v0": muscles.MuscleReach,
    "QuadrupedFlat-v0": walkers.Quadruped,
    "QuadrupedRough-v0": walkers.QuadrupedRough,
}

_NAMESPACE = "Condyle"


def make_vec(
    id: str | type[Task],
    num_envs: int = 1,
    *,
    max_episode_steps: int | None = None,
    num_threads: int | None = None,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    render_mode: str | None = None,
    solver: str | None = None,
    lanes: bool = True,
    precision: Literal["double", "single"] = "double",
    **options: Any,
) -> TaskVectorEnv:
    """Make many worlds of a task.

    Parameters
    ----------
    id
        Name of one of Gymnasium's MuJoCo tasks (``TASKS``), of those to train for
        (``SKILLS``), or a class of your own.
    num_envs
        Number of worlds.
    max_episode_steps
        Actions after which an episode is cut off; None: the task's number, -1: never.
    num_threads
        Threads that step; None: one for each processor. Results don't depend on it.
    autoreset_mode
        As in ``SyncVectorEnv``: "NextStep", "SameStep" or "Disabled".
    render_mode
        What ``render`` gives: "rgb_array" or "depth_array", a tuple of pictures, or "rgb_grid", one
        picture of many worlds; None: no pictures.
    solver
        "Newton", "CG" or "PGS" in place of the model's. Humanoid asks for PGS, whose answer depends
        on the number of its iterations; Newton finds the minimum.
    lanes, precision
        As in ``Batch``: whether worlds go side by side, in "double" or "single" precision.
    **options
        Fields of the task, as Gymnasium's constructors take them.
    """
    if isinstance(id, str):
        name = id.removeprefix(f"{_NAMESPACE}/")
        known = {**TASKS, **SKILLS}
        if name not in known:
            raise gymnasium.error.NameNotFound(f"no task {id!r}: there are {', '.join(known)}")
        kind = known[name]
    elif isinstance(id, type) and issubclass(id, Task):
        name, kind = "", id
    else:
        raise TypeError(f"id must be the name of a task or a subclass of Task, got {id!r}")
    env = TaskVectorEnv(
        kind(**options),
        num_envs,
        max_episode_steps=max_episode_steps,
        num_threads=num_threads,
        autoreset_mode=autoreset_mode,
        render_mode=render_mode,
        solver=solver,
        lanes=lanes,
        precision=precision,
    )
    if name:
        env.spec = copy.deepcopy(gymnasium.spec(f"{_NAMESPACE}/{name}"))
        env.spec.kwargs.update(options)
    return env


def _register(name: str, kind: type[Task], hint: str, threshold: float | None) -> None:
    def entry(**arguments: Any) -> TaskVectorEnv:
        return make_vec(name, **arguments)

    def single(**arguments: Any) -> Any:
        raise gymnasium.error.Error(
            f"{full} is a vector of worlds: gymnasium.make_vec({full!r}, num_envs=1), or "
            f"condyle.gym.make_vec({name!r}){hint}"
        )

    full = f"{_NAMESPACE}/{name}"
    if full not in gymnasium.registry:
        gymnasium.register(
            full,
            entry_point=single,  # type: ignore[arg-type, unused-ignore]
            vector_entry_point=entry,  # type: ignore[arg-type, unused-ignore]
            max_episode_steps=kind.max_episode_steps,
            reward_threshold=threshold,
        )


for _name, _kind in TASKS.items():
    _alone = (
        f"; for one alone gymnasium.make({_name!r}) in a program that condyle runs "
        "(python -m condyle.as_mujoco)"
    )
    _register(_name, _kind, _alone, gymnasium.spec(_name).reward_threshold)
for _name, _kind in SKILLS.items():
    _register(_name, _kind, "", None)

__all__ = [
    "SKILLS",
    "TASKS",
    "AutoresetMode",
    "Task",
    "TaskVectorEnv",
    "Varied",
    "Worlds",
    "make_vec",
]
