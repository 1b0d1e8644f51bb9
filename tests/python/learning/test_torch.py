"""Steps as functions of PyTorch: gradcheck, rollouts, types of numbers, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from learning import CHAIN, CONTACT, PENDULUM, assert_near, load, slope, states

import condyle
from condyle import autodiff

torch = pytest.importorskip("torch", reason="the package torch is missing")

from condyle.torch import make_rollout, make_step  # noqa: E402


@pytest.fixture(params=[CHAIN, CONTACT], ids=["chain", "contact"])
def model(request: pytest.FixtureRequest) -> Any:
    return load(request.param)


def tensors(model: Any, n: int, seed: int = 0) -> tuple[Any, Any]:
    """States and controls that want gradients."""
    return tuple(torch.tensor(part, requires_grad=True) for part in states(model, n, seed))


def test_a_step_passes_gradcheck(model: Any) -> None:
    x, u = tensors(model, 2, seed=3)
    step = make_step(model, sensors=True)
    assert torch.autograd.gradcheck(step, (x, u), eps=1e-6, atol=1e-5, rtol=1e-4)
    # one set of controls for all worlds
    assert torch.autograd.gradcheck(
        make_step(model, nstep=2), (x, u.detach()[0].requires_grad_()), atol=1e-5, rtol=1e-4
    )


def test_a_step_and_its_gradient_are_those_of_autodiff(model: Any) -> None:
    x, u = tensors(model, 6)
    dynamics = autodiff.Dynamics(model)
    after = make_step(model)(x.reshape(2, 3, -1), u.reshape(2, 3, -1))
    a, b = x.detach().numpy(), u.detach().numpy()
    np.testing.assert_array_equal(after.detach().reshape(6, -1), dynamics.step(a, b))
    (after**2).sum().backward()
    dx, du = dynamics.vjp(a, b, 2 * after.detach().reshape(6, -1).numpy())
    np.testing.assert_array_equal(x.grad, dx)
    np.testing.assert_array_equal(u.grad, du)


def test_a_rollout_is_a_loop_and_its_gradient_the_slope_of_differences(model: Any) -> None:
    x, u = tensors(model, 4, seed=1)
    start = x[0].detach().clone().requires_grad_()
    rollout = make_rollout(model, sensors=True)
    result, sensed = rollout(start, u)
    weight = torch.tensor(np.random.default_rng(1).standard_normal(tuple(result.shape)))
    ((weight * result).sum() + (sensed**2).sum()).backward()
    dynamics = autodiff.Dynamics(model)

    def loss(state: Any, controls: Any) -> float:
        total = 0.0
        for t in range(4):
            state, sensors = dynamics.step_and_sense(state, controls[t])
            np.testing.assert_array_equal(state.shape, result[t].shape)
            total += float((weight[t].numpy() * state).sum() + (sensors**2).sum())
        return total

    a, b = start.detach().numpy(), u.detach().numpy()
    assert loss(a, b) == pytest.approx(float((weight * result).sum() + (sensed**2).sum()))
    assert_near(start.grad, slope(lambda value: loss(value, b), a), 5e-6)
    assert_near(u.grad, slope(lambda value: loss(a, value), b), 5e-6)
    assert make_rollout(model)(x.detach(), u[:, None]).shape == (4, 4, dynamics.nx)


def test_tensors_of_single_precision_stay_so() -> None:
    model = load(CHAIN)
    x, u = (part.detach().float().requires_grad_() for part in tensors(model, 2))
    after = make_step(model)(x, u)
    assert after.dtype == torch.float32
    after.sum().backward()
    assert x.grad.dtype == torch.float32
    expected = autodiff.Dynamics(model).step(x.detach().numpy(), u.detach().numpy())
    np.testing.assert_allclose(after.detach(), expected, rtol=1e-6, atol=1e-6)


def test_what_does_not_fit_is_refused() -> None:
    step = make_step(load(PENDULUM))
    with pytest.raises(ValueError, match=r"x must have shape \(\.\.\., 2\), got \(3,\)"):
        step(torch.zeros(3), torch.zeros(1))
    with pytest.raises(TypeError, match="u must be a tensor of floating-point numbers"):
        step(torch.zeros(2), np.zeros(1))
    with pytest.raises(ValueError, match=r"controls must have shape \(T, \.\.\., nu\)"):
        make_rollout(load(PENDULUM))(torch.zeros(2), torch.zeros(1))


def test_errors_of_the_engine_come_out_of_backward() -> None:
    model = load(CONTACT)
    model.opt.noslip_iterations = 2
    x, u = tensors(model, 1)
    after = make_step(model)(x, u)
    with pytest.raises(condyle.FatalError, match="world 0: .*noslip"):
        after.sum().backward()


def test_second_derivatives_are_refused() -> None:
    model = load(PENDULUM)
    x, u = tensors(model, 1)
    loss = (make_step(model)(x, u) ** 2).sum()
    (first,) = torch.autograd.grad(loss, x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.sum().backward()
