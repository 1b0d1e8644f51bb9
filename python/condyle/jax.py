"""Steps and rollouts as functions of JAX: ``jit``, ``grad``, ``vmap`` and ``scan`` work.

::

    step = condyle.jax.make_step(model)
    rollout = condyle.jax.make_rollout(model)

    loss = lambda controls: jnp.sum((rollout(x0, controls) - target) ** 2)
    gradient = jax.jit(jax.grad(loss))(controls)

The engine runs on the processor, called back from the compiled program; ``vmap`` becomes one call
with all worlds, on all threads. It computes in double precision; states have the precision of the
array given, so enable ``jax_enable_x64`` unless single precision of what is stored will do.

Derivatives are exact and of reverse mode (``grad``, ``vjp``, ``jacrev``); ``jacfwd`` and second
derivatives are refused by JAX. States are those of ``condyle.autodiff``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import condyle
from condyle.autodiff import Dynamics

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise ImportError("condyle.jax needs the package jax: pip install jax") from error

__all__ = ["make_rollout", "make_step"]


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
        x (..., nx) = (qpos, qvel, act) and u (..., nu) to the next x; leading dimensions are
        broadcast. Errors of the engine, and derivatives that do not exist, are raised as JAX does
        with exceptions of callbacks.
    """
    dynamics = Dynamics(model, nthread)

    def shapes(x: Any, u: Any) -> tuple[Any, Any]:
        lead = np.broadcast_shapes(x.shape[:-1], u.shape[:-1])
        return (
            jax.ShapeDtypeStruct((*lead, dynamics.nx), x.dtype),
            jax.ShapeDtypeStruct((*lead, dynamics.nsensordata), x.dtype),
        )

    def run(x: Any, u: Any) -> tuple[Any, Any]:
        after, sensordata = dynamics.step_and_sense(np.asarray(x), np.asarray(u), nstep)
        return after.astype(x.dtype), sensordata.astype(x.dtype)

    def pull(x: Any, u: Any, dnext: Any, dsensor: Any) -> tuple[Any, Any]:
        x, u, dnext, dsensor = map(np.asarray, (x, u, dnext, dsensor))
        dx, du = dynamics.vjp(x, u, dnext, dsensor, nstep)
        return dx.astype(x.dtype), du.astype(u.dtype)

    @jax.custom_vjp  # type: ignore[untyped-decorator, unused-ignore]
    def both(x: Any, u: Any) -> Any:
        return jax.pure_callback(run, shapes(x, u), x, u, vmap_method="broadcast_all")

    def forward(x: Any, u: Any) -> Any:
        return both(x, u), (x, u)

    def backward(inputs: Any, gradients: Any) -> Any:
        x, u = inputs
        shape = (jax.ShapeDtypeStruct(x.shape, x.dtype), jax.ShapeDtypeStruct(u.shape, u.dtype))
        return jax.pure_callback(pull, shape, x, u, *gradients, vmap_method="broadcast_all")

    both.defvjp(forward, backward)

    def step(x: Any, u: Any) -> Any:
        x, u = _float(x), _float(u)
        _check("x", x, dynamics.nx)
        _check("u", u, dynamics.nu)
        # broadcast here, so that JAX sums gradients over repeated arguments
        lead = np.broadcast_shapes(x.shape[:-1], u.shape[:-1])
        x = jnp.broadcast_to(x, (*lead, dynamics.nx))
        u = jnp.broadcast_to(u, (*lead, dynamics.nu))
        after, sensordata = both(x, u)
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
        x0 (..., nx) and controls (T, ..., nu) to states (T, ..., nx), those after each step; with
        ``sensors`` a tuple of states and sensordata (T, ..., nsensordata), those of the states
        before. For the way back only states are kept; each step is computed again from its state.
    """
    step = make_step(model, nthread, nstep=nstep, sensors=sensors)

    # one function for all calls, so that JAX compiles it once
    def move(x: Any, u: Any) -> Any:
        result = step(x, u)
        return (result[0], result) if sensors else (result, result)

    def rollout(x0: Any, controls: Any) -> Any:
        x0, controls = _float(x0), _float(controls)
        if controls.ndim < 2:
            raise ValueError(f"controls must have shape (T, ..., nu), got {controls.shape}")
        lead = np.broadcast_shapes(x0.shape[:-1], controls.shape[1:-1])
        x0 = jnp.broadcast_to(x0, (*lead, x0.shape[-1]))

        return jax.lax.scan(move, x0, controls)[1]

    return rollout


def _float(array: Any) -> Any:
    """Array of real numbers; integers are converted."""
    array = jnp.asarray(array)
    return array if jnp.issubdtype(array.dtype, jnp.floating) else array.astype(float)


def _check(name: str, array: Any, width: int) -> None:
    if array.ndim < 1 or array.shape[-1] != width:
        raise ValueError(f"{name} must have shape (..., {width}), got {array.shape}")
