"""A step as a differentiable function of state and controls, in NumPy.

The state x = (qpos, qvel, act) is a flat vector of nx = nq + nv + na numbers, so that libraries of
automatic differentiation can treat it as any other array. ``condyle.jax`` and ``condyle.torch`` are
thin layers over this module.

Everything that x and the controls do not say is as after ``mj_resetData``: time zero, no warm
start, no applied forces, mocap bodies where the model puts them. A step is therefore a function:
the same inputs give the same bits, whatever was computed before.

Gradients are those of ``cnd_transitionAdjoint``: exact, for the cost of a few steps. They hold
positions in the tangent space, where a quaternion has three numbers; here they are turned into
gradients by coordinates.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle._support import state as state_bits
from condyle.batch import Batch

__all__ = ["Coordinates", "Dynamics", "step", "vjp"]

Array: TypeAlias = NDArray[np.float64]

# how many batches a Dynamics keeps, one for each number of worlds
_BATCHES = 4


class Coordinates:
    """Gradients of a model's states, by coordinates and in the tangent space.

    A quaternion q that turns with the angular velocity w, in axes of its body, changes by

        dq/dt = 1/2 q o (0, w) = 1/2 E w        E = [-x -y -z;  s -z  y;  z  s -x;  -y  x  s]

    for q = (s, x, y, z). E'E = |q|^2 and E'q = 0. A gradient g_q by its four numbers is, by small
    turns w,

        g_v = 1/2 E' g_q

    and the other way round, for a function of the direction q/|q| alone, with a gradient across q:

        g_q = 2 E g_v / |q|                     with E of q/|q|

    All other numbers of the state are their own tangents.
    """

    def __init__(self, model: condyle.MjModel) -> None:
        self.nq, self.nv, self.na = int(model.nq), int(model.nv), int(model.na)
        self.nx = self.nq + self.nv + self.na
        self.ntangent = 2 * self.nv + self.na
        scalars: list[tuple[int, int]] = []
        quats: list[tuple[int, int]] = []
        joint = condyle.mjtJoint
        for kind, q, v in zip(model.jnt_type, model.jnt_qposadr, model.jnt_dofadr, strict=True):
            if kind == joint.mjJNT_BALL:
                quats.append((q, v))
            elif kind == joint.mjJNT_FREE:
                scalars += [(q + i, v + i) for i in range(3)]
                quats.append((q + 3, v + 3))
            else:
                scalars.append((q, v))
        pairs = np.array(scalars, dtype=int).reshape(-1, 2)
        self._scalar_q, self._scalar_v = pairs[:, 0], pairs[:, 1]
        starts = np.array(quats, dtype=int).reshape(-1, 2)
        self._quat_q = starts[:, :1] + np.arange(4)
        self.has_quats = len(quats) > 0
        self._quat_v = starts[:, 1:] + np.arange(3)

    def unit(self, x: Array) -> tuple[Array, Array]:
        """Scale quaternions of states (n, nx) to length 1.

        Returns the states, and the lengths before, (n, number of quaternions). A quaternion of
        length zero becomes (1, 0, 0, 0), as in the engine, and counts as infinitely long: nothing
        that is computed from it depends on its numbers.
        """
        if not self.has_quats:
            return x, np.ones((len(x), 0))
        x = x.copy()
        quats = x[:, self._quat_q]
        length = np.linalg.norm(quats, axis=-1)
        lost = length < condyle.mjMINVAL
        length[lost] = np.inf
        quats /= length[..., None]
        quats[lost, 0] = 1
        x[:, self._quat_q] = quats
        return x, length

    def to_tangent(self, x: Array, gradient: Array) -> Array:
        """Turn gradients by coordinates, (n, nx), at states x of unit quaternions, to tangents'.

        Returns (n, 2 nv + na).
        """
        result = np.empty((len(x), self.ntangent))
        result[:, self._scalar_v] = gradient[:, self._scalar_q]
        by_quat = gradient[:, self._quat_q]
        result[:, self._quat_v] = 0.5 * np.einsum("...ij,...i", self._turns(x), by_quat)
        result[:, self.nv :] = gradient[:, self.nq :]
        return result

    def to_coordinates(self, x: Array, length: Array, gradient: Array) -> Array:
        """Turn gradients in the tangent space, (n, 2 nv + na), to those by coordinates, (n, nx).

        ``x`` and ``length`` are what ``unit`` returns.
        """
        result = np.empty((len(x), self.nx))
        result[:, self._scalar_q] = gradient[:, self._scalar_v]
        by_turn = np.einsum("...ij,...j", self._turns(x), gradient[:, self._quat_v])
        result[:, self._quat_q] = 2 * by_turn / length[..., None]
        result[:, self.nq :] = gradient[:, self.nv :]
        return result

    def _turns(self, x: Array) -> Array:
        """E of each quaternion, (n, number of quaternions, 4, 3)."""
        s, i, j, k = np.moveaxis(x[:, self._quat_q], -1, 0)
        rows = [[-i, -j, -k], [s, -k, j], [k, s, -i], [-j, i, s]]
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


class Dynamics:
    """The step of a model for many worlds, and its vector-Jacobian product.

    Parameters
    ----------
    model
        The MjModel; it may be changed between calls, by its owner.
    nthread
        Threads that step worlds; None: one for each processor.

    Attributes
    ----------
    nx, nu, nsensordata
        Lengths of a state (qpos, qvel, act), of controls and of sensors.

    Notes
    -----
    May be used by several threads: their calls follow each other.
    """

    def __init__(self, model: condyle.MjModel, nthread: int | None = None) -> None:
        if not isinstance(model, condyle.MjModel):
            raise TypeError(f"model must be an MjModel, got {type(model)}")
        self.model = model
        self.nthread = nthread
        self.coordinates = Coordinates(model)
        self.nx = self.coordinates.nx
        self.nu = int(model.nu)
        self.nsensordata = int(model.nsensordata)
        self._lock = threading.RLock()
        self._batches: OrderedDict[int, Batch] = OrderedDict()

    def initial(self, keyframe: int | str | None = None) -> Array:
        """Return the state after a reset, (nx,), or that of a keyframe by number or name."""
        with self._lock:
            batch = self._batch(1)
            batch.reset(keyframe=keyframe)
            return np.concatenate([batch.qpos[0], batch.qvel[0], batch.act[0]])

    def step(self, x: Any, ctrl: Any, nstep: int = 1) -> Array:
        """Return the states after ``nstep`` steps, (..., nx).

        Parameters
        ----------
        x
            (..., nx). Quaternions may have any length; those of the result have length 1.
        ctrl
            (..., nu); leading dimensions are broadcast against those of x.

        Raises
        ------
        FatalError
            The engine reports an error; the text begins with the number of the world.

        Notes
        -----
        A world with numbers that are not finite or too large, before or after the step, becomes
        NaN. (``mj_step`` would reset it.)
        """
        return self.step_and_sense(x, ctrl, nstep)[0]

    def step_and_sense(self, x: Any, ctrl: Any, nstep: int = 1) -> tuple[Array, Array]:
        """As ``step``, with the sensors (..., nsensordata) of the state before the last step."""
        lead, x, ctrl = self._rows(x, ctrl)
        nstep = _steps(nstep)
        if not len(x):
            return np.empty((*lead, self.nx)), np.empty((*lead, self.nsensordata))
        bad = _bad(x) | _bad(ctrl)
        with self._lock:
            worlds, batch = self._begin(x, ctrl, bad)
            sensors = batch.sensordata if self.nsensordata else np.empty((len(x), 0))
            batch.step(ctrl, nstep, mask=worlds)
            bad |= self._diverged(batch)
            after = np.concatenate([batch.qpos, batch.qvel, batch.act], axis=1)
            sensors = sensors.copy()
        after[bad] = np.nan
        sensors[bad] = np.nan
        return after.reshape(*lead, self.nx), sensors.reshape(*lead, self.nsensordata)

    def vjp(
        self,
        x: Any,
        ctrl: Any,
        dnext: Any,
        dsensor: Any = None,
        nstep: int = 1,
        parameters: Mapping[str, Array] | None = None,
    ) -> tuple[Array, Array]:
        """Gradient of a loss by the inputs of ``step_and_sense``.

        Parameters
        ----------
        x, ctrl, nstep
            The inputs.
        dnext
            (..., nx): gradient by the result.
        dsensor
            (..., nsensordata): gradient by the sensors; None: zero.
        parameters
            Arrays by name of a parameter (``body_mass``, ``dof_damping``, ...; see
            ``Batch.vjp``), to which its gradient is added. Their shape is that of the model's
            field behind the leading dimensions.

        Returns
        -------
        dx, dctrl
            (..., nx) and (..., nu), with leading dimensions as broadcast.

        Raises
        ------
        FatalError
            There is no exact derivative: contacts that are hard or stick in this step, plugins,
            callbacks, and others; the text names the cause.
        """
        lead, x, ctrl = self._rows(x, ctrl)
        nstep = _steps(nstep)
        dnext = _full("dnext", dnext, lead, self.nx)
        if dsensor is not None:
            dsensor = _full("dsensor", dsensor, lead, self.nsensordata)
            # sensors take extra time, and their gradient is often zero
            dsensor = dsensor if dsensor.any() else None
        bad = _bad(x) | _bad(ctrl) | ~np.isfinite(dnext).all(axis=1)
        if dsensor is not None:
            bad |= ~np.isfinite(dsensor).all(axis=1)
            dsensor = np.where(bad[:, None], 0, dsensor)
        gradient = np.where(bad[:, None], 0, dnext)
        parts = _parts(parameters, lead)
        if not len(x):
            return np.empty((*lead, self.nx)), np.empty((*lead, self.nu))
        by_ctrl = np.zeros((len(x), self.nu))
        with self._lock:
            states = self._states(x, ctrl, nstep, bad)
            for i in reversed(range(nstep)):
                gradient, by_u = self._pull(
                    states[i],
                    ctrl,
                    states[min(i + 1, len(states) - 1)],
                    gradient,
                    dsensor,
                    parts,
                    bad,
                )
                by_ctrl += by_u
                dsensor = None
        gradient[bad] = np.nan
        by_ctrl[bad] = np.nan
        return gradient.reshape(*lead, self.nx), by_ctrl.reshape(*lead, self.nu)

    def _states(self, x: Array, ctrl: Array, nstep: int, bad: NDArray[np.bool_]) -> list[Array]:
        """States before, between and after steps; worlds that end badly are added to ``bad``."""
        states = [x]
        # the last state is needed only to normalise its quaternions
        for _ in range(nstep if self.coordinates.has_quats else nstep - 1):
            _, batch = self._begin(states[-1], ctrl, bad)
            batch.step(ctrl, 1, mask=~bad)
            bad |= self._diverged(batch)
            states.append(np.concatenate([batch.qpos, batch.qvel, batch.act], axis=1))
        return states

    def _pull(
        self,
        x: Array,
        ctrl: Array,
        after: Array,
        gradient: Array,
        dsensor: Array | None,
        parts: dict[str, Array],
        bad: NDArray[np.bool_],
    ) -> tuple[Array, Array]:
        """Gradients before one step from those after it."""
        tangent = self.coordinates.to_tangent(after, np.where(bad[:, None], 0, gradient))
        _, batch = self._begin(x, ctrl, bad)
        by_state, by_ctrl = batch.vjp(tangent, dsensor, parameters=parts)
        unit, length = self.coordinates.unit(x)
        return self.coordinates.to_coordinates(unit, length, by_state), by_ctrl

    def _batch(self, n: int) -> Batch:
        batch = self._batches.pop(n, None)
        if batch is None:
            batch = Batch(self.model, n, self.nthread, lanes=True)
            if self.nsensordata:
                batch.expose("sensordata")
            while len(self._batches) >= _BATCHES:
                self._batches.popitem(last=False)[1].close()
        self._batches[n] = batch
        return batch

    def _begin(
        self, x: Array, ctrl: Array, bad: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], Batch]:
        """Put worlds into their states, the bad ones into that of a reset."""
        batch = self._batch(len(x))
        nq, nv = self.coordinates.nq, self.coordinates.nv
        batch.reset()
        good = ~bad
        x, _ = self.coordinates.unit(x)
        batch.qpos[good] = x[good, :nq]
        batch.qvel[good] = x[good, nq : nq + nv]
        batch.act[good] = x[good, nq + nv :]
        batch.ctrl[good] = ctrl[good]
        return good, batch

    def _diverged(self, batch: Batch) -> NDArray[np.bool_]:
        return np.asarray((batch.warning[:, state_bits.bad_numbers()] != 0).any(axis=1))

    def _rows(self, x: Any, ctrl: Any) -> tuple[tuple[int, ...], Array, Array]:
        """Leading dimensions of both, and both as matrices with a row for each world."""
        x, ctrl = np.asarray(x, dtype=np.float64), np.asarray(ctrl, dtype=np.float64)
        for name, array, width in (("x", x, self.nx), ("ctrl", ctrl, self.nu)):
            if array.ndim < 1 or array.shape[-1] != width:
                raise ValueError(f"{name} must have shape (..., {width}), got {array.shape}")
        lead = np.broadcast_shapes(x.shape[:-1], ctrl.shape[:-1])
        return lead, _full("x", x, lead, self.nx), _full("ctrl", ctrl, lead, self.nu)


def step(model: condyle.MjModel, x: Any, ctrl: Any, nstep: int = 1) -> Array:
    """Return the states (..., nx) after steps of a model: see ``Dynamics.step``.

    A ``Dynamics`` that is kept saves the making of worlds and threads for each call.
    """
    return Dynamics(model).step(x, ctrl, nstep)


def vjp(
    model: condyle.MjModel,
    x: Any,
    ctrl: Any,
    dnext: Any,
    dsensor: Any = None,
    nstep: int = 1,
    parameters: Mapping[str, Array] | None = None,
) -> tuple[Array, Array]:
    """Return gradients of a loss by x and ctrl of ``step``: see ``Dynamics.vjp``."""
    return Dynamics(model).vjp(x, ctrl, dnext, dsensor, nstep, parameters)


def _full(name: str, array: Any, lead: tuple[int, ...], width: int) -> Array:
    """Matrix with a row for each world."""
    array = np.asarray(array, dtype=np.float64)
    try:
        array = np.broadcast_to(array, (*lead, width))
    except ValueError:
        text = f"{name} must have shape {(*lead, width)}, got {array.shape}"
        raise ValueError(text) from None
    rows: Array = np.ascontiguousarray(array).reshape(int(np.prod(lead)), width)
    return rows


def _parts(parameters: Mapping[str, Array] | None, lead: tuple[int, ...]) -> dict[str, Array]:
    """Gradients by parameters with a row for each world, in the memory that was given."""
    parts = {}
    for name, array in (parameters or {}).items():
        if array.shape[: len(lead)] != lead or not array.flags.c_contiguous:
            raise ValueError(f"{name} must be C-contiguous and begin with the lengths {lead}")
        parts[name] = array.reshape(int(np.prod(lead)), *array.shape[len(lead) :])
    return parts


def _bad(array: Array) -> NDArray[np.bool_]:
    """Rows that have numbers which mj_step would not accept."""
    return np.asarray(~(np.abs(array) <= condyle.mjMAXVAL).all(axis=1))


def _steps(nstep: Any) -> int:
    if int(nstep) != nstep or nstep < 1:
        raise ValueError(f"nstep must be a whole number of at least 1, got {nstep}")
    return int(nstep)
