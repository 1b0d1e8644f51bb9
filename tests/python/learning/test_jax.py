"""Steps as functions of JAX: jit, grad, vmap, scan, precision, errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from learning import CHAIN, CONTACT, PENDULUM, assert_near, load, slope, states

from condyle import autodiff

jax = pytest.importorskip("jax", reason="the package jax is missing")
import jax.numpy as jnp  # noqa: E402

from condyle.jax import make_rollout, make_step  # noqa: E402


@pytest.fixture(autouse=True)
def double_precision() -> Iterator[None]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.fixture(params=[CHAIN, CONTACT], ids=["chain", "contact"])
def model(request: pytest.FixtureRequest) -> Any:
    return load(request.param)


def test_a_step_and_its_gradient_are_those_of_autodiff(model: Any) -> None:
    x, u = states(model, 3)
    dynamics = autodiff.Dynamics(model)
    step = make_step(model, sensors=True)
    after, sensors = dynamics.step_and_sense(x, u)
    for function in (step, jax.jit(step), jax.vmap(step), jax.jit(jax.vmap(step))):
        result = function(x, u)
        np.testing.assert_array_equal(result[0], after)
        np.testing.assert_array_equal(result[1], sensors)

    random = np.random.default_rng(0)
    weight, sense = random.standard_normal(after.shape), random.standard_normal(sensors.shape)
    _, pull = jax.vjp(step, x, u)
    dx, du = pull((jnp.asarray(weight), jnp.asarray(sense)))
    expected = dynamics.vjp(x, u, weight, sense)
    np.testing.assert_array_equal(dx, expected[0])
    np.testing.assert_array_equal(du, expected[1])


def test_vmap_makes_one_call_for_all_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load(PENDULUM)
    sizes = []
    run = autodiff.Dynamics.step_and_sense

    def counted(self: Any, x: Any, *rest: Any) -> Any:
        sizes.append(np.shape(x))
        return run(self, x, *rest)

    monkeypatch.setattr(autodiff.Dynamics, "step_and_sense", counted)
    x, u = states(model, 5)
    step = make_step(model)
    jax.block_until_ready(jax.vmap(step, in_axes=(0, None))(x, u[0]))
    assert sizes == [(5, 2)]


def test_a_jacobian_is_that_of_differences(model: Any) -> None:
    x, u = states(model, 1, seed=3)
    step = make_step(model)
    jacobian = np.asarray(jax.jacrev(step)(x[0], u[0]))
    assert jacobian.shape == (x.shape[1], x.shape[1])
    dynamics = autodiff.Dynamics(model)
    for i in range(len(jacobian)):
        row = slope(lambda value, i=i: float(dynamics.step(value, u[0])[i]), x[0])
        assert_near(jacobian[i], row, 2e-6)


def test_a_rollout_is_a_loop_and_its_gradient_the_slope_of_differences(model: Any) -> None:
    x, u = states(model, 4, seed=1)
    rollout = jax.jit(make_rollout(model, sensors=True))
    result, sensed = rollout(x[0], u)
    dynamics = autodiff.Dynamics(model)
    state = x[0]
    for t in range(4):
        state, sensors = dynamics.step_and_sense(state, u[t])
        np.testing.assert_array_equal(result[t], state)
        np.testing.assert_array_equal(sensed[t], sensors)

    weight = np.random.default_rng(1).standard_normal(result.shape)

    def loss(x0: Any, controls: Any) -> Any:
        after, sensors = rollout(x0, controls)
        return jnp.sum(weight * after) + jnp.sum(sensors**2)

    dx, du = jax.jit(jax.grad(loss, argnums=(0, 1)))(x[0], u)
    assert_near(dx, slope(lambda value: float(loss(value, u)), x[0]), 5e-6)
    assert_near(du, slope(lambda value: float(loss(x[0], value)), u), 5e-6)


def test_gradients_of_many_rollouts_are_those_of_each() -> None:
    model = load(CHAIN)
    x, _ = states(model, 3)
    _, u = states(model, 5)
    rollout = make_rollout(model, 2)

    def loss(x0: Any, controls: Any) -> Any:
        return jnp.sum(rollout(x0, controls)[-1] ** 2)

    gradient = jax.grad(loss, argnums=1)
    many = jax.jit(jax.vmap(gradient, in_axes=(0, None)))(x, u)
    for i in range(3):
        np.testing.assert_array_equal(many[i], gradient(x[i], u))
    # controls that all worlds share get the sum
    assert rollout(x, u[:, None]).shape == (5, 3, x.shape[1])
    assert_near(gradient(x, u[:, None])[:, 0], np.sum(many, axis=0), 1e-12)


def test_several_steps_under_the_same_controls_count_as_one() -> None:
    model = load(PENDULUM)
    x, u = states(model, 2)
    dynamics = autodiff.Dynamics(model)
    step = make_step(model, nstep=3)
    np.testing.assert_array_equal(step(x, u), dynamics.step(x, u, 3))
    gradient = jax.grad(lambda u: jnp.sum(step(x, u)))(jnp.asarray(u))
    np.testing.assert_array_equal(gradient, dynamics.vjp(x, u, np.ones_like(x), nstep=3)[1])


def test_large_batches_come_through_in_single_precision() -> None:
    jax.config.update("jax_enable_x64", False)
    model = load(PENDULUM)
    x, u = states(model, 20000)
    step = make_step(model, 2)
    value, gradient = jax.jit(
        jax.value_and_grad(lambda x, u: jnp.sum(jax.vmap(step)(x, u) ** 2), argnums=1)
    )(x, u)
    after = autodiff.Dynamics(model).step(x, u)
    assert gradient.dtype == jnp.float32
    np.testing.assert_allclose(value, (after**2).sum(), rtol=1e-4)
    expected = autodiff.Dynamics(model).vjp(x, u, 2 * after)[1]
    np.testing.assert_allclose(gradient, expected, rtol=0, atol=1e-5)


def test_what_does_not_fit_is_refused_before_it_runs() -> None:
    step = make_step(load(PENDULUM))
    with pytest.raises(ValueError, match=r"x must have shape \(\.\.\., 2\), got \(3,\)"):
        step(jnp.zeros(3), jnp.zeros(1))
    with pytest.raises(ValueError, match=r"controls must have shape \(T, \.\.\., nu\), got \(1,\)"):
        make_rollout(load(PENDULUM))(jnp.zeros(2), jnp.zeros(1))


def test_a_missing_derivative_is_an_error_with_its_cause() -> None:
    model = load(CONTACT)
    model.opt.noslip_iterations = 2
    x, u = states(model, 1)
    with pytest.raises(Exception, match="noslip"):
        jax.block_until_ready(jax.grad(lambda x: jnp.sum(make_step(model)(x, u[0])))(x[0]))
