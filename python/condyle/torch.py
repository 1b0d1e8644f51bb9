"""Steps and rollouts as functions of PyTorch, differentiable by ``backward``.

::

    step = condyle.torch.make_step(model)
    rollout = condyle.torch.make_rollout(model)

    loss = ((rollout(x0, controls) - target) ** 2).sum()
    loss.backward()  # controls.grad

Leading dimensions are worlds, stepped together on all threads. The engine runs on the processor in
double precision; tensors of other devices and types are copied there and back. Derivatives are
exact and of first order. States are those of ``condyle.autodiff``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import condyle
from condyle.autodiff import Dynamics

try:
    import torch
    from torch.autograd.function import once_differentiable
except ImportError as error:
    raise ImportError("condyle.torch needs the package torch: pip install torch") from error

__all__ = ["make_rollout", "make_step"]


class _Step(torch.autograd.Function):  # type: ignore[misc, unused-ignore]
    """A step of many worlds; x and u have the same leading dimensions."""

    @staticmethod
    def forward(ctx: Any, x: Any, u: Any, dynamics: Dynamics, nstep: int) -> Any:
        ctx.save_for_backward(x, u)
        ctx.dynamics, ctx.nstep = dynamics, nstep
        after, sensordata = dynamics.step_and_sense(_numpy(x), _numpy(u), nstep)
        return _like(x, after), _like(x, sensordata)

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator, unused-ignore]
    def backward(ctx: Any, dnext: Any, dsensor: Any) -> Any:
        x, u = ctx.saved_tensors
        dx, du = ctx.dynamics.vjp(_numpy(x), _numpy(u), _numpy(dnext), _numpy(dsensor), ctx.nstep)
        return _like(x, dx), _like(u, du), None, None


def make_step(
    model: condyle.MjModel,
    nthread: int | None = None,
    *,
    nstep: int = 1,
    sensors: bool = False,
) -> Callable[[Any, Any], Any]:
    """Return ``step(x, u)``, a differentiable function of state and controls.

    Parameters
    ----------
    model
        The MjModel; its numbers are constants, not differentiated.
    nthread
        Threads for batches; None: one for each processor.
    nstep
        Steps of the engine in each step of the function, under the same controls.
    sensors
        Whether the function returns ``(x, sensordata)``, the sensors of the state before the (last)
        step, instead of x.

    Returns
    -------
    step
        Tensors x (..., nx) = (qpos, qvel, act) and u (..., nu) to the next x; leading dimensions
        are broadcast. An error of the engine is FatalError, also from ``backward`` if there is no
        exact derivative.
    """
    dynamics = Dynamics(model, nthread)

    def step(x: Any, u: Any) -> Any:
        _check("x", x, dynamics.nx)
        _check("u", u, dynamics.nu)
        lead = torch.broadcast_shapes(x.shape[:-1], u.shape[:-1])
        x, u = x.expand(*lead, dynamics.nx), u.expand(*lead, dynamics.nu)
        after, sensordata = _Step.apply(x, u, dynamics, nstep)
        return (after, sensordata) if sensors else after

    return step


def make_rollout(
    model: condyle.MjModel,
    nthread: int | None = None,
    *,
    nstep: int = 1,
    sensors: bool = False,
) -> Callable[[Any, Any], Any]:
    """Return ``rollout(x0, controls)``, a differentiable function of both.

    Parameters are those of ``make_step``.

    Returns
    -------
    rollout
        Tensors x0 (..., nx) and controls (T, ..., nu) to states (T, ..., nx), those after each
        step; with ``sensors`` a tuple of states and sensordata (T, ..., nsensordata), those of the
        states before. For the way back only states are kept; each step is computed again from its
        state.
    """
    step = make_step(model, nthread, nstep=nstep, sensors=True)

    def rollout(x0: Any, controls: Any) -> Any:
        if controls.dim() < 2 or not len(controls):
            shape = tuple(controls.shape)
            raise ValueError(f"controls must have shape (T, ..., nu) with T >= 1, got {shape}")
        x, states, sensed = x0, [], []
        for u in controls:
            x, sensordata = step(x, u)
            states.append(x)
            sensed.append(sensordata)
        return (torch.stack(states), torch.stack(sensed)) if sensors else torch.stack(states)

    return rollout


def _numpy(tensor: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    array: np.ndarray[Any, np.dtype[np.float64]] = (
        tensor.detach().to(device="cpu", dtype=torch.float64).numpy()
    )
    return array


def _like(tensor: Any, array: Any) -> Any:
    return torch.from_numpy(array).to(device=tensor.device, dtype=tensor.dtype)


def _check(name: str, tensor: Any, width: int) -> None:
    if not isinstance(tensor, torch.Tensor) or not tensor.is_floating_point():
        raise TypeError(f"{name} must be a tensor of floating-point numbers")
    if tensor.dim() < 1 or tensor.shape[-1] != width:
        raise ValueError(f"{name} must have shape (..., {width}), got {tuple(tensor.shape)}")
