"""Exact derivatives of a rollout by parameters of its model.

A step maps the state s and the controls to the next state, and sensors to y. With the step's exact
derivatives A, C by the state and G, E by the parameters theta, the derivative S = ds/dtheta goes
forward with the states:

    S_(k+1) = A_k S_k + G_k        dy_k/dtheta = C_k S_k + E_k        S_0 = 0

All steps are worlds of one batch, for their states are known. The rows of G are reverse passes
through the step (``Batch.vjp_parameters``), one for each velocity: the next position q + h v'
follows from it, but for Runge-Kutta and for quaternions, which have rows of their own. E has rows
for sensors of accelerations alone; those that read a parameter themselves have no exact derivative.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle.batch import Batch
from condyle.sysid._rollouts import Fields, Motion
from condyle.sysid._variants import Variants

Array: TypeAlias = NDArray[np.float64]

# arrays of models with exact gradients (cndParameterGradient); sizes and places of shapes are not
# among them because boxes around these, which are compiled, follow
_EXACT = {
    "body_mass",
    "body_inertia",
    "dof_damping",
    "dof_armature",
    "actuator_gainprm",
    "actuator_biasprm",
    "geom_friction",
    "pair_friction",
    "dof_frictionloss",
    "tendon_frictionloss",
}
# what follows from these and matters to rows of constraints alone, or to nothing in a step
_FOLLOWS = {"body_invweight0", "dof_invweight0", "tendon_invweight0"}
_IDLE = {"dof_M0", "body_subtreemass", "actuator_acc0"}

# steps that are worlds of a batch at once: their matrices take memory
_CHUNK = 256

# time, in steps, of linearising one: for all rows, of the smallest models, whose steps take less
# than this module's own work, and for each row (of Runge-Kutta each anew)
_LINEAR, _SMALL, _ROW, _STAGED_ROW = 8, 12, 0.7, 8


def _reverse_rows(model: condyle.MjModel) -> list[int]:
    """Components of the next state that need reverse passes."""
    nv = int(model.nv)
    if model.opt.integrator == condyle.mjtIntegrator.mjINT_RK4:
        return list(range(2 * nv))
    turns: list[int] = []
    for kind, dof in zip(model.jnt_type, model.jnt_dofadr, strict=True):
        if kind == condyle.mjtJoint.mjJNT_FREE:
            turns += range(dof + 3, dof + 6)
        elif kind == condyle.mjtJoint.mjJNT_BALL:
            turns += range(dof, dof + 3)
    return [*turns, *range(nv, 2 * nv)]


class Sensitivity:
    """Derivatives of motions of one system by its parameters."""

    def __init__(self, variants: Variants) -> None:
        self.variants = variants
        self.rows = _reverse_rows(variants.base)
        self._refused = False
        # whether there are rows of constraints, which are softer for lighter bodies
        self._constrained = False
        self._fields: Fields = {}
        self._slopes: Fields = {}

    def pays(self, able: NDArray[np.bool_]) -> bool:
        """Tell whether exact derivatives by these parameters take less time than differences."""
        if not self.variants.touched[able].any():
            return False
        model = self.variants.base
        row = _STAGED_ROW if model.opt.integrator == condyle.mjtIntegrator.mjINT_RK4 else _ROW
        steps = _LINEAR + _SMALL / max(1, model.nv) + row * len(self.rows)
        return bool(steps * max(1, self.variants.roller.lanes) < np.count_nonzero(able))

    def able(self, x: Array, sensors: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell for which parameters derivatives at x (n,) are exact, (n,).

        sensors: which numbers of sensordata matter.
        """
        self._fields = self.variants.fields(x[:, None])
        self._slopes = self.variants.field_slopes(x, self._fields)
        result: NDArray[np.bool_] = self.variants.touched.copy()
        if self._refused or not result.any():
            return np.zeros_like(result)
        for name, slope in self._slopes.items():
            if name not in _EXACT | _FOLLOWS | _IDLE:
                result &= ~slope.reshape(len(x), -1).any(axis=1)
        if self._constrained:
            result &= ~self.variants.movers(_FOLLOWS, self._slopes)
        names = self._names(result)
        if not names or not self._accepted(names, sensors):
            return np.zeros_like(result)
        return result

    def _names(self, able: NDArray[np.bool_]) -> list[str]:
        return [n for n, slope in self._slopes.items() if n in _EXACT and slope[able].any()]

    def _accepted(self, names: list[str], sensors: NDArray[np.bool_]) -> bool:
        """Ask the engine, at the state after a reset, whether it knows these derivatives."""
        model = self.variants.base
        batch = self._batch(1)
        try:
            parts = self._parts(names, 1)
            weight = sensors.astype(float)[None] if sensors.any() else None
            batch.vjp(np.zeros((1, 2 * model.nv + model.na)), weight, parameters=parts)
        except (condyle.FatalError, KeyError):
            self._refused = True
        return not self._refused

    def along(
        self,
        x: Array,
        motion: Motion,
        state: Array,
        able: NDArray[np.bool_],
        sensors: NDArray[np.bool_],
    ) -> tuple[Array, Array] | None:
        """Return derivatives along a motion.

        Parameters
        ----------
        x
            The point (n,), for which ``able`` was called.
        motion, state
            The motion, and its states (steps, nstate) after each step.
        able, sensors
            Parameters by which, and numbers of sensordata of which derivatives are wanted.

        Returns
        -------
        dstate, dsensor
            (k, steps, nstate - 1) and (k, steps, nsensordata) for k parameters; positions are
            coordinates. None if some are not known exactly along this motion; then ``able`` has
            another answer.
        """
        model = self.variants.base
        nv, nx = int(model.nv), 2 * int(model.nv) + int(model.na)
        before = np.concatenate([motion.initial[None], state[:-1]])
        names = self._names(able)
        slopes = {name: self._slopes[name][able] for name in names}
        count = int(np.count_nonzero(able))
        steps = len(state)
        S = np.zeros((nx, count))
        dstate, dsensor = np.zeros((steps, nx, count)), np.zeros((steps, len(sensors), count))
        follows = bool((self.variants.movers(_FOLLOWS, self._slopes) & able).any())
        for begin in range(0, steps, _CHUNK):
            part = slice(begin, min(begin + _CHUNK, steps))
            found = self._linear(before[part], motion.control[part], slopes, sensors, follows)
            if found is None:
                return None
            A, C, G, E = found
            at = np.empty_like(G)
            for i in range(len(A)):
                at[i] = S
                S = A[i] @ S
                S += G[i]
                dstate[begin + i] = S
            dsensor[part] = C @ at + E
        return self._coordinates(state, np.moveaxis(dstate, 2, 0), nv), np.moveaxis(dsensor, 2, 0)

    def _linear(
        self,
        states: Array,
        controls: Array,
        slopes: Fields,
        sensors: NDArray[np.bool_],
        follows: bool,
    ) -> tuple[Array, Array, Array, Array] | None:
        """A, C, G, E of steps from these states; None if the engine does not know them."""
        model = self.variants.base
        n, nv, nx = len(states), int(model.nv), 2 * int(model.nv) + int(model.na)
        batch = self._batch(n)
        batch.set_state(states)
        if model.nu:
            batch.ctrl[:] = controls
        count = len(next(iter(slopes.values())))
        G, E = np.zeros((n, nx, count)), np.zeros((n, len(sensors), count))
        try:
            if follows:
                batch.forward()
                if batch.nefc.any():
                    self._constrained = True
                    return None
            transition = batch.transition()
            G[:, self.rows] = self._rows(batch, np.eye(nx)[self.rows], None, slopes)
            sensed = self._sensed(sensors)
            if sensed:
                none = np.zeros((len(sensed), nx))
                E[:, sensed] = self._rows(batch, none, np.eye(len(sensors))[sensed], slopes)
        except condyle.FatalError:
            self._refused = True
            return None
        moved = [i for i in range(nv) if i not in self.rows]
        h = float(np.ravel(self._fields.get("opt.timestep", model.opt.timestep))[0])
        G[:, moved] = h * G[:, [nv + i for i in moved]]
        return transition.A, transition.C, G, E

    def _sensed(self, sensors: NDArray[np.bool_]) -> list[int]:
        """Numbers of sensors of accelerations."""
        model = self.variants.base
        late = np.zeros_like(sensors)
        for i in np.flatnonzero(model.sensor_needstage == int(condyle.mjtStage.mjSTAGE_ACC)):
            late[model.sensor_adr[i] : model.sensor_adr[i] + model.sensor_dim[i]] = True
        return [int(i) for i in np.flatnonzero(late & sensors)]

    def _rows(self, batch: Batch, states: Array, sensors: Array | None, slopes: Fields) -> Array:
        """Derivatives (n, rows, k) of numbers of the next state or of the sensors.

        states (rows, nx) and sensors (rows, nsensordata): their weights.
        """
        parts = self._parts(list(slopes), batch.n, len(states))
        batch.vjp_parameters(states, sensors, parameters=parts)
        count = len(next(iter(slopes.values())))
        result = np.zeros((batch.n, len(states), count))
        for name, slope in slopes.items():
            result += parts[name].reshape(*result.shape[:2], -1) @ slope.reshape(count, -1).T
        return result

    def _parts(self, names: list[str], *lead: int) -> Fields:
        model = self.variants.base
        return {name: np.zeros((*lead, *getattr(model, name).shape)) for name in names}

    def _batch(self, n: int) -> Batch:
        """Worlds at the present point."""
        fields = {k: np.repeat(v, n, axis=0) for k, v in self._fields.items()}
        return self.variants.roller.worlds(fields, n, self.variants.derives, linear=True)

    def _coordinates(self, state: Array, tangent: Array, nv: int) -> Array:
        """Turn derivatives (k, steps, 2 nv + na) to those by coordinates."""
        model = self.variants.base
        nq = int(model.nq)
        if nq == nv:
            return tangent
        result = np.zeros((*tangent.shape[:2], nq + tangent.shape[2] - nv))
        result[:, :, nq:] = tangent[:, :, nv:]
        for kind, q, v in zip(model.jnt_type, model.jnt_qposadr, model.jnt_dofadr, strict=True):
            if kind == condyle.mjtJoint.mjJNT_FREE:
                result[:, :, q : q + 3] = tangent[:, :, v : v + 3]
                q, v = q + 3, v + 3
            elif kind != condyle.mjtJoint.mjJNT_BALL:
                result[:, :, q] = tangent[:, :, v]
                continue
            result[:, :, q : q + 4] = _turned(state[:, 1 + q : 5 + q], tangent[:, :, v : v + 3])
        return result


def _turned(quat: Array, turn: Array) -> Array:
    """dq = q o (0, w) / 2 for quaternions (steps, 4) and small turns w (k, steps, 3) of bodies."""
    s, x, y, z = quat.T
    a, b, c = np.moveaxis(turn, -1, 0)
    rows = [
        -x * a - y * b - z * c,
        s * a - z * b + y * c,
        z * a + s * b - x * c,
        -y * a + x * b + s * c,
    ]
    return np.stack(rows, axis=-1) / 2
