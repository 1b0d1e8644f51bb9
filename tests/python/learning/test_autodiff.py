"""Steps as functions of flat states: values, gradients against matrices and differences, limits."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from learning import CHAIN, CONTACT, PENDULUM, Array, assert_near, load, slope, states

import condyle
from condyle import autodiff

TEXTS = {"chain": CHAIN, "contact": CONTACT, "humanoid": "humanoid.xml"}


@pytest.fixture(params=TEXTS)
def model(request: pytest.FixtureRequest) -> Any:
    return load(TEXTS[request.param])


def put(model: Any, x: Array, u: Array) -> Any:
    """MjData in a state."""
    data = condyle.MjData(model)
    data.qpos[:] = x[: model.nq]
    data.qvel[:] = x[model.nq : model.nq + model.nv]
    data.act[:] = x[model.nq + model.nv :]
    data.ctrl[:] = u
    return data


def flat(data: Any) -> Array:
    return np.concatenate([data.qpos, data.qvel, data.act])


def test_a_step_has_the_numbers_of_mj_step(model: Any) -> None:
    x, u = states(model, 3)
    after, sensors = autodiff.Dynamics(model).step_and_sense(x, u, nstep=4)
    for i in range(3):
        data = put(model, x[i], u[i])
        condyle.mj_step(model, data, 4)
        assert_near(after[i], flat(data), 1e-13)
        assert_near(sensors[i], data.sensordata, 1e-12)
    start = autodiff.Dynamics(model).initial()
    np.testing.assert_array_equal(start[: model.nq], model.qpos0)


def test_results_depend_neither_on_threads_nor_on_what_was_computed_before(model: Any) -> None:
    x, u = states(model, 5)
    one, many = autodiff.Dynamics(model, 0), autodiff.Dynamics(model, 3)
    expected = one.step(x, u)
    many.step(x[::-1], u, 3)
    np.testing.assert_array_equal(many.step(x, u), expected)
    np.testing.assert_array_equal(many.step(x[2], u[2]), expected[2])


def test_a_gradient_in_the_tangent_space_is_that_of_the_exact_matrices(model: Any) -> None:
    x, u = states(model, 1)
    dynamics = autodiff.Dynamics(model)
    n, coordinates = 2 * model.nv + model.na, dynamics.coordinates
    random = np.random.default_rng(1)
    tangent = random.standard_normal(n)
    dsensor = random.standard_normal(model.nsensordata)
    # the gradient by coordinates that has this tangent at the next state
    after = dynamics.step(x, u)
    dnext = coordinates.to_coordinates(*coordinates.unit(after), tangent[None])
    assert_near(coordinates.to_tangent(after, dnext)[0], tangent, 1e-13)

    A, B = np.zeros((n, n)), np.zeros((n, model.nu))
    C, D = np.zeros((model.nsensordata, n)), np.zeros((model.nsensordata, model.nu))
    condyle.cnd_transitionExact(model, put(model, x[0], u[0]), A, B, C, D)
    dx, du = dynamics.vjp(x, u, dnext, dsensor[None])
    assert_near(coordinates.to_tangent(x, dx)[0], A.T @ tangent + C.T @ dsensor, 1e-9)
    assert_near(du[0], B.T @ tangent + D.T @ dsensor, 1e-9)


@pytest.mark.parametrize("text", [CHAIN, CONTACT])
@pytest.mark.parametrize("nstep", [1, 3])
def test_a_gradient_is_the_slope_of_differences(text: str, nstep: int) -> None:
    model = load(text)
    dynamics = autodiff.Dynamics(model)
    x, u = states(model, 2, seed=3)
    # quaternions of another length, which make no difference to the step
    x[1, 3:7] *= 1.7
    random = np.random.default_rng(2)
    weight = random.standard_normal((2, dynamics.nx))
    sense = random.standard_normal((2, dynamics.nsensordata))

    def loss(x: Array, u: Array) -> float:
        after, sensors = dynamics.step_and_sense(x, u, nstep)
        return float((weight * after).sum() + (sense * sensors).sum())

    dx, du = dynamics.vjp(x, u, weight, sense, nstep)
    assert_near(dx, slope(lambda value: loss(value, u), x), 2e-6)
    assert_near(du, slope(lambda value: loss(x, value), u), 2e-6)


def test_gradients_by_parameters_are_the_slope_of_differences() -> None:
    model = load(PENDULUM)
    dynamics = autodiff.Dynamics(model)
    x, u = states(model, 3, seed=4)
    weight = np.random.default_rng(5).standard_normal((3, dynamics.nx))
    parts = {"dof_damping": np.zeros((3, model.nv)), "body_mass": np.zeros((3, model.nbody))}
    dynamics.vjp(x, u, weight, nstep=3, parameters=parts)
    for name, place in (("dof_damping", 0), ("body_mass", 1)):
        field = getattr(model, name)

        def loss(value: Array, place: int = place, field: Any = field) -> float:
            before = field[place]
            field[place] = value[0]
            result = float((weight * dynamics.step(x, u, 3)).sum())
            field[place] = before
            return result

        expected = slope(loss, np.array([field[place]]))
        assert_near(parts[name].sum(axis=0)[place], expected[0], 1e-7)


def test_leading_dimensions_are_broadcast() -> None:
    model = load(CHAIN)
    dynamics = autodiff.Dynamics(model)
    x, u = states(model, 6)
    x, u = x.reshape(2, 3, -1), u[:3]
    after = dynamics.step(x, u)
    assert after.shape == (2, 3, dynamics.nx)
    np.testing.assert_array_equal(after[1, 2], dynamics.step(x[1, 2], u[2]))
    dx, du = dynamics.vjp(x, u, np.ones_like(after))
    assert dx.shape == x.shape
    assert du.shape == (2, 3, model.nu)
    assert dynamics.step(x[:0], u).shape == (0, 3, dynamics.nx)
    assert dynamics.vjp(x[:0], u, after[:0])[1].shape == (0, 3, model.nu)
    np.testing.assert_array_equal(autodiff.step(model, x, u), after)
    np.testing.assert_array_equal(autodiff.vjp(model, x, u, np.ones_like(after))[0], dx)


def test_worlds_with_bad_numbers_become_nan_and_leave_others_alone() -> None:
    model = load(CHAIN)
    dynamics = autodiff.Dynamics(model)
    x, u = states(model, 4)
    expected = dynamics.step(x, u)
    bad = x.copy()
    bad[1, 0], bad[2, 9] = np.nan, 1e20
    after, sensors = dynamics.step_and_sense(bad, u)
    assert np.isnan(after[1:3]).all()
    assert np.isnan(sensors[1:3]).all()
    np.testing.assert_array_equal(after[[0, 3]], expected[[0, 3]])
    dx, du = dynamics.vjp(bad, u, np.ones_like(x))
    assert np.isnan(dx[1:3]).all()
    assert np.isnan(du[1:3]).all()
    np.testing.assert_array_equal(dx[[0, 3]], dynamics.vjp(x, u, np.ones_like(x))[0][[0, 3]])


def test_a_quaternion_of_length_zero_is_no_rotation_and_has_no_gradient() -> None:
    model = load(CHAIN)
    dynamics = autodiff.Dynamics(model)
    x, u = states(model, 1)
    x[0, 3:7] = 0
    dx, _ = dynamics.vjp(x, u, np.ones_like(x))
    np.testing.assert_array_equal(dx[0, 3:7], 0)
    after = dynamics.step(x, u)
    x[0, 3:7] = [1, 0, 0, 0]
    np.testing.assert_array_equal(dynamics.step(x, u), after)


def test_many_threads_may_use_one_dynamics() -> None:
    model = load(CHAIN)
    dynamics = autodiff.Dynamics(model, 2)
    x, u = states(model, 4)
    expected = dynamics.step(x, u)
    results: list[Array] = []
    threads = [
        threading.Thread(target=lambda: results.append(dynamics.step(x, u))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    for result in results:
        np.testing.assert_array_equal(result, expected)


def test_what_does_not_fit_is_refused() -> None:
    model = load(PENDULUM)
    dynamics = autodiff.Dynamics(model)
    with pytest.raises(ValueError, match=r"x must have shape \(\.\.\., 2\), got \(3,\)"):
        dynamics.step(np.zeros(3), np.zeros(1))
    with pytest.raises(ValueError, match=r"ctrl must have shape \(\.\.\., 1\), got \(\)"):
        dynamics.step(np.zeros(2), 0.0)
    with pytest.raises(ValueError, match=r"dnext must have shape \(4, 2\), got \(3, 2\)"):
        dynamics.vjp(np.zeros((4, 2)), np.zeros(1), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="nstep must be a whole number of at least 1, got 0"):
        dynamics.step(np.zeros(2), np.zeros(1), 0)
    with pytest.raises(ValueError, match=r"dof_damping must be C-contiguous and begin with"):
        dynamics.vjp(
            np.zeros((4, 2)), np.zeros(1), np.zeros(2), parameters={"dof_damping": np.zeros(1)}
        )
    with pytest.raises(TypeError, match="model must be an MjModel"):
        autodiff.Dynamics("model")  # type: ignore[arg-type]


def test_a_step_without_exact_derivative_says_why() -> None:
    model = load(CONTACT)
    model.opt.noslip_iterations = 2
    dynamics = autodiff.Dynamics(model)
    x, u = states(model, 2)
    with pytest.raises(condyle.FatalError, match="world 0: .*noslip"):
        dynamics.vjp(x, u, np.ones_like(x))
