"""Workers of Ray: the same bits as one process, errors, parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from learning import CHAIN, PENDULUM, load, states

import condyle
from condyle import rollout

ray = pytest.importorskip("ray", reason="the package ray is missing")

from condyle.ray import Batches, Rollouts  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=100_000_000,
    )
    yield
    ray.shutdown()


def test_rollouts_have_the_bits_of_one_process() -> None:
    model = load(CHAIN)
    x, _ = states(model, 5)
    start = np.concatenate([np.zeros((5, 1)), x], axis=1)
    control = np.random.default_rng(0).standard_normal((5, 4, model.nu))
    expected = rollout.rollout(model, condyle.MjData(model), start, control)
    shared = rollout.rollout(model, condyle.MjData(model), start[0], control)
    with Rollouts(model, 2) as rollouts:
        result = rollouts.rollout(start, control)
        again = rollouts.rollout(start[0], control)
        one = rollouts.rollout(start[0], nstep=3)
        with pytest.raises(ValueError, match="numbers of rollouts differ"):
            rollouts.rollout(start[:3], control)
        with pytest.raises(ValueError, match="trailing dimension of control must be 2, got 1"):
            rollouts.rollout(start, control[..., :1])
        with pytest.raises(TypeError, match="rollout has no argument 'state'"):
            rollouts.rollout(start, control, state=start)
    for i in range(2):
        np.testing.assert_array_equal(result[i], expected[i])
        np.testing.assert_array_equal(again[i], shared[i])
    assert one[0].shape == (1, 3, start.shape[1])
    with pytest.raises(RuntimeError, match="closed"):
        rollouts.rollout(start, control)


def test_batches_have_the_bits_of_one_process() -> None:
    model = load(CHAIN)
    n = 5
    x, u = states(model, n)
    mask = np.array([True, False, True, True, False])
    batch = condyle.Batch(model, n, 1, lanes=True)
    batch.expose("xpos")
    batch.qpos = x[:, : model.nq]
    batch.step(u, 3)
    stepped = batch.qpos.copy(), batch.xpos.copy()
    batch.reset(mask)
    with Batches(model, n, 2, fields=("qpos", "xpos")) as batches:
        batches.set(qpos=x[:, : model.nq])
        seen = batches.step(u, 3)
        np.testing.assert_array_equal(seen["qpos"], stepped[0])
        np.testing.assert_array_equal(seen["xpos"], stepped[1])
        seen = batches.reset(mask)
        np.testing.assert_array_equal(seen["qpos"], batch.qpos)
        np.testing.assert_array_equal(batches.get("time")["time"].ravel(), batch.time.ravel())
        busy = batches.busy()
        assert busy.shape == (2, 2)
        assert ((busy[:, 0] > 0) & (busy[:, 0] < busy[:, 1])).all(), busy
        with pytest.raises(ValueError, match="arrays must have 5 rows, got 4"):
            batches.step(u[:4])


def test_worlds_may_have_parameters_of_their_own() -> None:
    model = load(PENDULUM)
    damping = np.array([[0.1], [0.2], [0.3]])
    batch = condyle.Batch(model, 3, 1)
    batch.vary("dof_damping")[:] = damping
    batch.qvel = 1.0
    batch.step(nstep=5)
    with Batches(model, 3, 2) as batches:
        batches.vary(dof_damping=damping)
        batches.set_const()
        batches.set(qvel=[1.0])
        seen: Any = batches.step(nstep=5)
        np.testing.assert_array_equal(seen["qvel"], batch.qvel)
        np.testing.assert_array_equal(batches.get("dof_damping")["dof_damping"], damping)
        # bad parameters are an error of the engine, in the worker that has them
        batches.vary(dof_damping=np.array([[0.1], [0.2], [np.nan]]))
        with pytest.raises(condyle.FatalError, match=r"worlds from 1 on: world 1: .*dof_damping"):
            batches.step()


def test_what_does_not_fit_is_refused() -> None:
    model = load(PENDULUM)
    with pytest.raises(ValueError, match="n must be at least num_workers = 3, got 2"):
        Batches(model, 2, 3)
    with pytest.raises(ValueError, match="num_workers must be at least 1, got 0"):
        Rollouts(model, 0)
    with pytest.raises(TypeError, match="model must be an MjModel"):
        Rollouts("model", 1)  # type: ignore[arg-type]
