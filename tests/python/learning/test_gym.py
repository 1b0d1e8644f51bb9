"""Tasks over many worlds are those of Gymnasium on the reference engine.

CONDYLE_GYM_STEPS=1000 compares over as many steps, with the registered time limits.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
condyle = pytest.importorskip("condyle")
if not hasattr(condyle, "Batch"):
    pytest.skip("needs the compiled part", allow_module_level=True)

from gymnasium.vector import AutoresetMode  # noqa: E402

from condyle.gym import TASKS, Task, TaskVectorEnv, make_vec  # noqa: E402

STEPS = int(os.environ.get("CONDYLE_GYM_STEPS", "60"))
LIMIT = None if STEPS >= 1000 else 25
WORLDS = 3

pytestmark = pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning")

# Chaotic: a difference of 1e-16 grows to 1e-6 within 50 steps, of Swimmer within an episode. Here
# each step begins at the reference's state.
CHAOTIC = ("Ant", "HalfCheetah", "Swimmer")

OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("Ant-v4", {"use_contact_forces": True, "contact_cost_weight": 0.01}),
    ("Ant-v5", {"main_body": "torso", "contact_force_range": (-3.0, 0.5), "healthy_reward": 2}),
    ("Ant-v5", {"include_cfrc_ext_in_observation": False, "forward_reward_weight": 0.5}),
    ("Ant-v5", {"exclude_current_positions_from_observation": False, "frame_skip": 2}),
    ("HalfCheetah-v5", {"forward_reward_weight": 2.0, "ctrl_cost_weight": 0.3}),
    ("HalfCheetah-v4", {"exclude_current_positions_from_observation": False}),
    ("Hopper-v5", {"healthy_state_range": (-0.5, 0.5), "healthy_z_range": (1.2, 3.0)}),
    ("Hopper-v5", {"terminate_when_unhealthy": False, "reset_noise_scale": 0.05}),
    ("Hopper-v4", {"terminate_when_unhealthy": False, "healthy_angle_range": (-0.1, 0.1)}),
    ("Humanoid-v5", {"include_cinert_in_observation": False, "contact_cost_weight": 1e-3}),
    ("Humanoid-v5", {"include_cvel_in_observation": False, "healthy_z_range": (1.3, 1.45)}),
    ("Humanoid-v5", {"include_qfrc_actuator_in_observation": False}),
    ("Humanoid-v5", {"include_cfrc_ext_in_observation": False, "contact_cost_range": (0.2, 1.0)}),
    ("Humanoid-v4", {"terminate_when_unhealthy": False, "healthy_reward": 1.5}),
    ("HumanoidStandup-v5", {"impact_cost_range": (0.1, 0.2), "impact_cost_weight": 1e-4}),
    ("InvertedDoublePendulum-v5", {"healthy_reward": 3.0, "reset_noise_scale": 0.3}),
    ("InvertedPendulum-v5", {"frame_skip": 3, "reset_noise_scale": 0.15}),
    ("Pusher-v5", {"reward_near_weight": 2.0, "reward_dist_weight": 3.0}),
    ("Reacher-v5", {"reward_dist_weight": 2.0, "reward_control_weight": 0.2}),
    ("Swimmer-v5", {"exclude_current_positions_from_observation": False}),
    ("Swimmer-v4", {"ctrl_cost_weight": 0.1, "reset_noise_scale": 0.2}),
    ("Walker2d-v5", {"healthy_angle_range": (-0.1, 0.1), "healthy_z_range": (1.2, 1.3)}),
    ("Walker2d-v5", {"xml_file": "walker2d.xml", "width": 2000}),
]


def reference(id: str, mode: str = "NextStep", worlds: int = WORLDS, **options: Any) -> Any:
    """Return Gymnasium's own environments on the reference engine."""
    pytest.importorskip("imageio")
    mujoco = pytest.importorskip("mujoco")
    with pytest.MonkeyPatch.context() as patch:
        if id == "Pusher-v4":  # refused from 3.0 on
            patch.setattr(mujoco, "__version__", "2.3.7")
        return gymnasium.make_vec(
            id,
            num_envs=worlds,
            vectorization_mode="sync",
            vector_kwargs={"autoreset_mode": mode},
            **options,
        )


def assert_same(ours: Any, theirs: Any, where: str) -> None:
    """Fail if two results differ in keys, types, shapes or by more than 1e-6."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs), f"{where}: keys {sorted(ours)}, expected {sorted(theirs)}"
        for key, value in theirs.items():
            assert_same(ours[key], value, f"{where}[{key!r}]")
        return
    assert isinstance(ours, np.ndarray), f"{where} is {type(ours)}"
    assert ours.dtype == theirs.dtype, f"{where}: {ours.dtype}, expected {theirs.dtype}"
    assert ours.shape == theirs.shape, f"{where}: {ours.shape}, expected {theirs.shape}"
    if theirs.dtype == object:
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            assert (a is None) == (b is None), f"{where}[{i}]: {a}, expected {b}"
            if b is not None:
                assert_same(a, b, f"{where}[{i}]")
    elif theirs.dtype == bool:
        np.testing.assert_array_equal(ours, theirs, err_msg=where)
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6, err_msg=where)


def follow(env: TaskVectorEnv, ref: Any) -> None:
    """Set our states to the reference's."""
    data = [e.unwrapped.data for e in ref.envs]
    for name in ("qpos", "qvel", "qacc_warmstart"):
        getattr(env.worlds._batch, name)[:] = [getattr(d, name) for d in data]


def compare(id: str, steps: int, mode: str = "NextStep", **options: Any) -> int:
    """Step both sides, compare all they return, and return the number of ended episodes."""
    ref = reference(id, mode, **options)
    env = make_vec(id, WORLDS, autoreset_mode=mode, **options)
    ends = 0
    try:
        starts = zip(("obs", "info"), env.reset(seed=7), ref.reset(seed=7), strict=True)
        for part, ours, theirs in starts:
            assert_same(ours, theirs, f"{part} of reset")
        ref.action_space.seed(3)
        for t in range(steps):
            if id.startswith(CHAOTIC):
                follow(env, ref)
            actions = ref.action_space.sample()
            results = zip(
                ("obs", "reward", "terminated", "truncated", "info"),
                env.step(actions),
                theirs := ref.step(actions),
                strict=True,
            )
            for part, a, b in results:
                assert_same(a, b, f"{part} of step {t}")
            ended = theirs[2] | theirs[3]
            ends += int(ended.sum())
            if mode == "Disabled" and ended.any():
                pairs = zip(
                    env.reset(options={"reset_mask": ended}),
                    ref.reset(options={"reset_mask": ended}),
                    strict=True,
                )
                for a, b in pairs:
                    assert_same(a, b, f"reset after step {t}")
    finally:
        env.close()
        ref.close()
    return ends


@pytest.mark.parametrize("id", TASKS)
def test_worlds_are_those_of_the_reference(id: str) -> None:
    limit = {} if LIMIT is None else {"max_episode_steps": LIMIT}
    assert compare(id, STEPS + 5, **limit) > 0


@pytest.mark.parametrize(("id", "options"), OPTIONS)
def test_options_are_those_of_gymnasium(id: str, options: dict[str, Any]) -> None:
    compare(id, 12, max_episode_steps=9, **options)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("id", ["Hopper-v5", "Humanoid-v5", "InvertedPendulum-v4"])
def test_autoreset_modes_are_those_of_gymnasium(id: str, mode: str) -> None:
    assert compare(id, 60, mode, max_episode_steps=25) > 0


@pytest.mark.parametrize("id", TASKS)
def test_constructors_take_all_options_of_gymnasium(id: str) -> None:
    pytest.importorskip("imageio")
    pytest.importorskip("mujoco")
    from gymnasium.envs.mujoco import MujocoEnv

    module, name = gymnasium.spec(id).entry_point.split(":")
    kind = getattr(importlib.import_module(module), name)
    fields = {field.name: field.default for field in dataclasses.fields(TASKS[id])}
    for parameter in inspect.signature(kind).parameters.values():
        if parameter.kind == parameter.VAR_KEYWORD:
            continue
        assert parameter.name in fields, f"{id} lacks {parameter.name}"
        if parameter.name != "default_camera_config":  # of pictures, which are not drawn yet
            assert fields[parameter.name] == parameter.default, parameter.name
    common = set(inspect.signature(MujocoEnv).parameters)
    assert common - {"model_path", "observation_space", "render_mode"} <= set(fields)


@pytest.mark.parametrize("id", TASKS)
def test_spaces_and_rates_are_those_of_gymnasium(id: str) -> None:
    ref = reference(id)
    env = make_vec(id, WORLDS)
    for name in ("observation_space", "action_space"):
        for space in (name, f"single_{name}"):
            assert getattr(env, space) == getattr(ref, space), space
    assert env.metadata["render_fps"] == ref.metadata["render_fps"]
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.spec is not None
    assert env.spec.id == f"Condyle/{id}"
    assert env.spec.max_episode_steps == ref.envs[0].spec.max_episode_steps
    assert env.max_episode_steps == ref.envs[0].spec.max_episode_steps
    env.close()
    ref.close()


def test_seeds_are_those_of_gymnasium() -> None:
    ref, env = reference("Hopper-v5"), make_vec("Hopper-v5", WORLDS)
    for seed in (4, [8, 3, 100], [5, None, 6], None):
        assert_same(env.reset(seed=seed)[0], ref.reset(seed=seed)[0], f"seed {seed}")
        assert env.np_random_seed == ref.np_random_seed
    numbers = [generator.random() for generator in env.np_random]
    assert numbers == [generator.random() for generator in ref.np_random]
    with pytest.raises(ValueError, match="length must match num_envs=3 but got length=2"):
        env.reset(seed=[1, 2])
    with pytest.raises(gymnasium.error.Error, match="greater or equal to zero"):
        env.reset(seed=-1)
    env.close()
    ref.close()


def test_worlds_without_a_seed_differ() -> None:
    env = make_vec("Reacher-v5", 2)
    first, _ = env.reset()
    assert not np.array_equal(first[0], first[1])
    assert None not in env.np_random_seed
    env.close()


def test_some_worlds_begin_anew() -> None:
    env = make_vec("HalfCheetah-v5", 3)
    before, _ = env.reset(seed=1)
    mask = np.array([False, True, False])
    after, infos = env.reset(seed=1, options={"reset_mask": mask})
    np.testing.assert_array_equal(before, after)
    np.testing.assert_array_equal(infos["_x_position"], mask)
    for wrong, problem in (
        ([True] * 3, TypeError),
        (np.ones(2, dtype=bool), ValueError),
        (np.ones(3), TypeError),
        (np.zeros(3, dtype=bool), ValueError),
    ):
        with pytest.raises(problem, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
    env.close()


def test_results_are_the_callers() -> None:
    env = make_vec("InvertedPendulum-v5", 2)
    first, _ = env.reset(seed=0)
    kept = first.copy()
    second, *_, infos = env.step(np.ones((2, 1), dtype=np.float32))
    np.testing.assert_array_equal(first, kept)
    second[:] = 0
    infos["reward_survive"][:] = 9
    assert env.worlds.qpos.any()
    assert env.step(np.zeros((2, 1)))[4]["reward_survive"].tolist() == [1, 1]
    env.close()


def test_threads_change_no_bit() -> None:
    results = []
    for threads in (1, 2, 3):
        env = make_vec("Ant-v5", 5, num_threads=threads)
        env.reset(seed=2)
        env.action_space.seed(2)
        for _ in range(20):
            result = env.step(env.action_space.sample())
        results.append(result)
        env.close()
    for other in results[1:]:
        for a, b in zip(results[0][:4], other[:4], strict=True):
            np.testing.assert_array_equal(a, b)


def test_limits_of_episodes() -> None:
    actions = np.zeros((2, 6), dtype=np.float32)
    env = make_vec("HalfCheetah-v5", 2, max_episode_steps=2)
    env.reset(seed=0)
    assert [env.step(actions)[3].tolist() for _ in range(4)] == [
        [False, False],
        [True, True],
        [False, False],
        [False, False],
    ]
    env.close()
    assert make_vec("HalfCheetah-v5", max_episode_steps=-1).max_episode_steps is None
    with pytest.raises(ValueError, match="positive, actually: 0"):
        make_vec("HalfCheetah-v5", max_episode_steps=0)


def test_wrong_calls_are_told() -> None:
    env = make_vec("Hopper-v5", 2)
    actions = np.zeros((2, 3), dtype=np.float32)
    with pytest.raises(gymnasium.error.ResetNeeded, match="before calling env.reset"):
        env.step(actions)
    env.reset()
    with pytest.raises(ValueError, match=r"Expected \(2, 3\), found \(3,\)"):
        env.step(actions[0])
    env.close()
    env.close()
    assert env.closed
    for call in (env.reset, lambda: env.step(actions)):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            call()
    with pytest.raises(gymnasium.error.NameNotFound, match="no task 'Hoper-v5': there are Ant-v4"):
        make_vec("Hoper-v5")
    with pytest.raises(TypeError, match="name of a task or a subclass of Task"):
        make_vec(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="forward_weight"):
        make_vec("Hopper-v5", forward_weight=1.0)
    with pytest.raises(OSError, match="no_such.xml does not exist"):
        make_vec("Hopper-v5", xml_file="no_such.xml")
    with pytest.raises(ValueError, match="num_envs must be at least 1, got 0"):
        make_vec("Hopper-v5", 0)
    with pytest.raises(ValueError, match="render_mode must be None or one of .*, got 'human'"):
        make_vec("Hopper-v5", render_mode="human")


def test_ended_worlds_wait_for_a_reset_when_autoreset_is_disabled() -> None:
    env = make_vec("Swimmer-v5", 2, max_episode_steps=1, autoreset_mode="Disabled")
    env.reset()
    env.step(np.zeros((2, 2)))
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"for worlds \[0 1\]"):
        env.step(np.zeros((2, 2)))
    env.close()


def test_gymnasium_makes_and_wraps_our_worlds() -> None:
    env = gymnasium.make_vec("Condyle/Swimmer-v5", num_envs=2, ctrl_cost_weight=1.0)
    assert isinstance(env, TaskVectorEnv)
    assert env.task.ctrl_cost_weight == 1.0  # type: ignore[attr-defined]
    assert env.max_episode_steps == 1000
    assert repr(env) == "TaskVectorEnv(Condyle/Swimmer-v5, num_envs=2)"
    env.close()
    short = gymnasium.make_vec("Condyle/Swimmer-v5", num_envs=2, max_episode_steps=3)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(short)
    wrapped.reset(seed=0)
    for _ in range(3):
        infos = wrapped.step(wrapped.action_space.sample())[4]
    assert infos["episode"]["l"].tolist() == [3, 3]
    wrapped.close()


POLE = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0 0 1"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge" ctrlrange="-2 2"/></actuator>
</mujoco>
"""


@dataclasses.dataclass(kw_only=True)
class Balance(Task):
    """A task of one's own."""

    xml_file: str = ""
    frame_skip: int = 2
    effort_weight: float = 0.01

    max_episode_steps = 200

    def draw(self, rng: np.random.Generator) -> tuple[Any, Any]:
        return self.init_qpos + rng.uniform(-0.1, 0.1, self.model.nq), self.init_qvel

    def observe(self, worlds: Any) -> Any:
        return np.hstack([worlds.qpos, worlds.qvel])

    def score(self, worlds: Any, actions: Any, before: Any) -> Any:
        upright = np.abs(worlds.qpos[:, 0]) < 0.2
        effort = self.effort_weight * np.square(actions).sum(axis=1)
        return upright - effort, ~upright, {"effort": effort}


@pytest.fixture
def pole(tmp_path: Path) -> str:
    path = tmp_path / "pole.xml"
    path.write_text(POLE)
    return str(path)


def test_own_task_is_a_vector_environment(pole: str) -> None:
    env = make_vec(Balance, num_envs=4, xml_file=pole, effort_weight=0.5)
    observations, infos = env.reset(seed=0)
    assert infos == {}
    assert observations.shape == (4, 2)
    assert (np.abs(observations[:, 0]) < 0.1).all()
    rng = np.random.default_rng(0)
    np.testing.assert_array_equal(observations[0, 0], rng.uniform(-0.1, 0.1))
    _, rewards, terminations, _, infos = env.step(np.full((4, 1), 0.5))
    np.testing.assert_allclose(rewards, 1 - 0.5 * 0.25)
    np.testing.assert_allclose(infos["effort"], 0.125)
    assert not terminations.any()
    for _ in range(100):
        last = env.step(np.full((4, 1), 2.0))
        if last[2].any():
            break
    assert last[2].any()
    env.close()


@dataclasses.dataclass(kw_only=True)
class Rare(Balance):
    """Reads a result now and then."""

    def observe(self, worlds: Any) -> Any:
        if worlds.qvel.any():
            return worlds.qpos + 0 * worlds.xpos[:, :1, 0]
        return worlds.qpos


class Announced(Rare):
    """Says so."""

    reads = ("xpos",)


class Shapeless(Balance):
    """Observes a number."""

    def observe(self, worlds: Any) -> Any:
        return worlds.qpos[0, 0]


def test_results_read_late_must_be_announced(pole: str) -> None:
    env = make_vec(Rare, xml_file=pole)
    env.reset(seed=0)
    with pytest.raises(AttributeError, match="xpos was not read .* name it in 'reads'"):
        env.step(np.ones((1, 1)))
    env.close()
    env = make_vec(Announced, xml_file=pole)
    env.reset(seed=0)
    env.step(np.ones((1, 1)))
    env.close()


def test_wrong_tasks_are_told(pole: str) -> None:
    with pytest.raises(ValueError, match=r"Shapeless.observe must return an array \(2, size\)"):
        make_vec(Shapeless, 2, xml_file=pole)
    with pytest.raises(NotImplementedError, match="Task needs a method"):
        make_vec(Task, xml_file=pole)


def test_a_world_can_be_looked_at_as_data() -> None:
    env = make_vec("Hopper-v5", 2)
    env.reset(seed=1)
    data = env.worlds.data(1)
    np.testing.assert_array_equal(data.qpos, env.worlds.qpos[1])
    assert data.xpos[1, 2] > 1
    env.close()


def test_solvers_and_lanes_may_be_chosen() -> None:
    actions = np.random.default_rng(5).uniform(-0.4, 0.4, (4, 6, 17))
    seen = {}
    for name, options in {
        "as the model says": {},
        "Newton": {"solver": "Newton"},
        "one by one": {"solver": "Newton", "lanes": False},
        "single": {"solver": "Newton", "precision": "single"},
    }.items():
        env = make_vec("Humanoid-v5", 6, **options)
        env.reset(seed=3)
        for action in actions:
            observations, *_ = env.step(action)
        seen[name] = observations
        env.close()
    scale = np.abs(seen["Newton"]).max()
    assert 0 < np.abs(seen["Newton"] - seen["one by one"]).max() < 1e-8 * scale
    assert 0 < np.abs(seen["Newton"] - seen["as the model says"]).max()
    assert 0 < np.abs(seen["Newton"] - seen["single"]).max() < 1e-2 * scale
    with pytest.raises(ValueError, match="solver must be one of Newton, CG, PGS, got 'newton'"):
        make_vec("Humanoid-v5", 2, solver="newton")
