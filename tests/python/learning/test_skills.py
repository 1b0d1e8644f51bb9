"""Tasks to train for: what they promise whatever the policy, and that no world knows of another."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
condyle = pytest.importorskip("condyle")
if not hasattr(condyle, "Batch"):
    pytest.skip("needs the compiled part", allow_module_level=True)

from condyle.gym import SKILLS, make_vec  # noqa: E402
from condyle.gym.chance import Chance  # noqa: E402
from condyle.gym.terrain import on_terrain, rough  # noqa: E402
from condyle.gym.varied import MODELS, turned_back  # noqa: E402

FLAT = [name for name in SKILLS if "Rough" not in name]


def play(env: Any, actions: int, seed: int = 5) -> list[tuple[Any, ...]]:
    """Return what the worlds give under actions that depend on their seeds alone."""
    seen = [env.reset(seed=seed)]
    size = env.single_action_space.shape[0]
    for step in range(actions):
        rows = [
            np.random.default_rng([seed + i, step]).uniform(-1, 1, size)
            for i in range(env.num_envs)
        ]
        seen.append(env.step(np.array(rows, dtype=np.float32)))
    return seen


@pytest.mark.parametrize("name", SKILLS)
def test_a_task_gives_what_its_spaces_say(name: str) -> None:
    with closing(make_vec(name, 3, max_episode_steps=4)) as env:
        observations, _ = env.reset(seed=1)
        for step in range(6):
            assert observations in env.observation_space, f"{observations.shape}"
            assert np.isfinite(observations).all()
            actions = env.action_space.sample()
            observations, rewards, ended, cut, infos = env.step(actions)
            assert rewards.shape == ended.shape == cut.shape == (3,)
            assert np.isfinite(rewards).all(), rewards
            if not ended.any() and step == 3:
                assert cut.all(), f"4 actions are an episode, got {cut}"
            for key, value in infos.items():
                assert len(value) == 3, f"{key}: {np.shape(value)}"
        assert env.worlds._batch.lanes > 0, env.worlds._batch.why  # noqa: SLF001


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_world_does_not_know_how_many_others_there_are(name: str, mode: str) -> None:
    options = {"max_episode_steps": 7, "autoreset_mode": mode, "push_interval": 0.1}
    with (
        closing(make_vec(name, 5, **options)) as many,
        closing(make_vec(name, 2, num_threads=1, **options)) as few,
    ):
        for k, (a, b) in enumerate(zip(play(many, 20), play(few, 20), strict=True)):
            for part, other in zip(a[:-1], b[:-1], strict=True):
                np.testing.assert_array_equal(part[:2], other, err_msg=f"{name}, action {k}")


@pytest.mark.parametrize("name", FLAT)
def test_worlds_differ_and_draw_anew_with_each_episode(name: str) -> None:
    with closing(make_vec(name, 4, max_episode_steps=3)) as env:
        env.reset(seed=2)
        task = env.task
        drawn = []
        for _ in range(2):
            drawn.append((task.mass.copy(), task.friction[:, :, 0].copy(), task.delay.copy()))
            for _ in range(4):
                env.step(env.action_space.sample())
        for before, after in zip(*drawn, strict=True):
            assert (before != after).any(axis=-1).all(), "a new episode has numbers of its own"
            assert not (before[0] == before[1]).all(), "two worlds are the same"
        heavy = task.model.body_mass > 0
        ratio = drawn[0][0][:, heavy] / task.model.body_mass[heavy]
        low, high = task.mass_range
        assert ((ratio >= low) & (ratio <= high)).all(), ratio


def test_a_push_moves_by_its_impulse() -> None:
    speeds = []
    for impulse in (0.0, 6.0):
        with closing(
            make_vec("QuadrupedFlat-v0", 64, push_impulse=impulse, push_interval=1e-3)
        ) as env:
            env.reset(seed=3)
            env.step(np.zeros(env.action_space.shape, dtype=np.float32))
            speeds.append(env.worlds.qvel[:, :2].copy())
            total = env.task.mass.sum(axis=1)
    kick = np.linalg.norm(speeds[1] - speeds[0], axis=1) * total
    # the trunk takes it first, the legs follow; impulses are between 0 and 6 N s
    assert 1.0 < kick.mean() < 6.0, kick.mean()


def test_late_actions_act_late() -> None:
    with closing(make_vec("QuadrupedFlat-v0", 4, delay_range=(0, 2))) as env:
        env.reset(seed=3)
        task = env.task
        task.delay[:] = (0, 0.5, 1, 1.75)
        controls = [task.control(env.worlds, np.full((4, 12), a)) for a in (1.0, 0.0, 0.0)]
        share = np.array([(c - task.home_ctrl)[:, 0] / task.action_scale for c in controls])
        np.testing.assert_allclose(share, [[1, 0.5, 0, 0], [0, 0.5, 1, 0.25], [0, 0, 0, 0.75]])


def test_commands_stay_in_their_ranges_and_change() -> None:
    with closing(make_vec("BipedFlat-v0", 200, command_interval=0.1, num_threads=1)) as env:
        env.reset(seed=4)
        seen = []
        for _ in range(12):
            env.task.control(env.worlds, np.zeros(env.action_space.shape))
            env.worlds.chance.advance()
            seen.append(env.task.command.copy())
        commands = np.array(seen)
        for k, limits in enumerate(
            (env.task.speed_range, env.task.side_range, env.task.turn_range)
        ):
            low, high = commands[..., k].min(), commands[..., k].max()
            assert limits[0] <= low < high <= limits[1], f"{low} to {high} outside {limits}"
        assert (commands != commands[0]).any(axis=(0, 2)).mean() > 0.9
        standing = (commands == 0).all(axis=2).mean()
        assert 0.03 < standing < 0.25, standing


def test_the_ground_is_where_the_engine_has_it() -> None:
    ground = rough(half=3.0, cell=0.25, height=0.2)
    assert 0.1 < ground.heights.max() <= 0.2
    model = on_terrain(f"{MODELS}/quadruped.xml", ground)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    floor = model.geom("floor").id
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(1, len(ground.heights) - 1, (2, 20))
    # over knots, where triangles and the bilinear surface agree
    step = 2 * ground.half / (len(ground.heights) - 1)
    points = np.stack((columns * step - ground.half, rows * step - ground.half), axis=1)
    for k, (x, y) in enumerate(points):
        start = np.array([x + 1e-9, y + 1e-9, 5.0])
        distance = condyle.mj_rayHfield(model, data, floor, start, np.array([0.0, 0.0, -1.0]))
        assert abs(5.0 - distance - ground(points[k])) < 1e-6, (
            f"{5.0 - distance} {ground(points[k])}"
        )


@pytest.mark.parametrize("name", ["QuadrupedRough-v0", "BipedRough-v0"])
def test_rough_worlds_start_on_their_feet(name: str) -> None:
    with closing(make_vec(name, 32)) as env:
        env.reset(seed=1)
        feet = env.worlds.xpos[:, env.task.foot_ids]
        gap = feet[:, :, 2] - env.task.ground(feet) - env.task.sole
        assert gap.min() > -0.03, gap.min()
        assert gap.max() < 0.2, gap.max()
        for _ in range(10):
            _, _, ended, _, _ = env.step(np.zeros(env.action_space.shape, dtype=np.float32))
            assert not ended.any(), "a world fell from standing"


def test_goals_of_the_arm_can_be_reached_and_change() -> None:
    with closing(make_vec("MuscleReach-v0", 8, goal_interval=0.2)) as env:
        env.reset(seed=1)
        task = env.task
        goals = [task.goal.copy()]
        for _ in range(20):
            env.step(np.zeros(env.action_space.shape, dtype=np.float32))
            goals.append(task.goal.copy())
        shoulder = task.model.body("shoulder").pos
        reach = np.linalg.norm(np.array(goals) - shoulder, axis=2)
        assert reach.max() < 0.69, reach.max()
        assert (goals[0] != goals[-1]).any(axis=1).all()
        assert (env.worlds.act > 0.05).any(), "muscles are never active"


def test_a_cube_at_its_goal_gets_the_next_one() -> None:
    with closing(make_vec("CubeTurn-v0", 4)) as env:
        env.reset(seed=1)
        task = env.task
        task.goal[:2] = env.worlds.qpos[:2, -4:]
        asked = task.goal.copy()
        _, rewards, _, _, infos = env.step(np.zeros(env.action_space.shape, dtype=np.float32))
        np.testing.assert_array_equal(infos["reached"], [1, 1, 0, 0])
        assert (rewards[:2] > 4).all() and (rewards[2:] < 1).all(), rewards
        assert (task.goal[:2] != asked[:2]).any(axis=1).all()
        np.testing.assert_allclose(np.linalg.norm(task.goal, axis=1), 1)
        env.worlds.qpos[0, 16] = 0.5  # away from the hand
        ended = env.step(np.zeros(env.action_space.shape, dtype=np.float32))[2]
        np.testing.assert_array_equal(ended, [True, False, False, False])


def test_vectors_turn_back() -> None:
    half = np.pi / 4
    quat = np.array([[np.cos(half), 0, 0, np.sin(half)], [1, 0, 0, 0]])
    np.testing.assert_allclose(
        turned_back(quat, np.array([1.0, 0, 2])), [[0, -1, 2], [1, 0, 2]], atol=1e-15
    )


def test_random_numbers_are_those_of_the_world() -> None:
    many, few = Chance(1000), Chance(3)
    every = np.ones(1000, dtype=bool)
    many.seed(every, [7 + i for i in range(1000)])
    few.seed(every[:3], [7, 8, 9])
    a = many.uniform("x", 4)
    np.testing.assert_array_equal(a[:3], few.uniform("x", 4))
    np.testing.assert_array_equal(a, many.uniform("x", 4))
    assert (a != many.uniform("y", 4)).all()
    # a mask gives rows of the whole
    mask = np.arange(1000) % 3 == 1
    np.testing.assert_array_equal(many.uniform("x", 4, mask=mask), a[mask])
    many.advance(mask)
    b = many.uniform("x", 4)
    np.testing.assert_array_equal(b[~mask], a[~mask])
    assert (b[mask] != a[mask]).all()
    # even, and without ties between neighbours: 4,000 numbers of mean 1/2 and variance 1/12
    assert abs(a.mean() - 0.5) < 0.02, a.mean()
    assert abs(a.var() - 1 / 12) < 0.004, a.var()
    assert abs(np.corrcoef(a[:-1, 0], a[1:, 0])[0, 1]) < 0.1
    assert len(np.unique(a)) == a.size
    low = many.uniform("x", 2, [0, 10], [1, 20])
    assert ((low[:, 0] < 1) & (low[:, 1] >= 10) & (low[:, 1] < 20)).all()


def test_seeds_that_are_none_are_refused() -> None:
    with pytest.raises(gymnasium.error.Error):
        Chance(2).seed(np.ones(2, dtype=bool), [1, -1])


@pytest.mark.parametrize("name", SKILLS)
def test_tasks_are_registered_with_gymnasium(name: str) -> None:
    spec = gymnasium.spec(f"Condyle/{name}")
    assert spec.max_episode_steps == SKILLS[name].max_episode_steps
    with pytest.raises(gymnasium.error.Error, match="vector of worlds"):
        gymnasium.make(f"Condyle/{name}")
    if name == "CubeTurn-v0":
        env = gymnasium.make_vec(f"Condyle/{name}", num_envs=2, goal_angle=0.5)
        assert env.task.goal_angle == 0.5
        env.close()
