"""The least-squares problem of a fit: residuals and Jacobians at points x.

It gives the numbers of ``residual``, for less work: models are written rather than compiled where
that is the same (``_variants``), rollouts are kept until x changes, candidates and differences
share one batch, and parameters that change no model, such as delays of signals, need no rollout.

The Jacobian by a parameter is exact where all that it writes has an exact gradient
(``_sensitivity``), or comes from differences of rollouts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle.sysid import _sensitivity
from condyle.sysid._compare import Comparison, Settings
from condyle.sysid._residual import BuildModelFn
from condyle.sysid._rollouts import Count, DifferentStructure, Motion
from condyle.sysid._trajectory import ModelSequences
from condyle.sysid._variants import Variants
from condyle.sysid.model_modifier import apply_param_modifiers
from condyle.sysid.parameter import ParameterDict

Array: TypeAlias = NDArray[np.float64]
JacobianKind: TypeAlias = Literal["auto", "exact", "differences"]
Rollouts: TypeAlias = list[tuple[Array, Array]]

_SETTINGS = (
    "modify_residual",
    "return_pred_all",
    "resample_true",
    "sensor_weights",
    "enabled_observations",
)
_STEP = float(np.finfo(np.float64).eps ** 0.5)

# a function of signals is linear, or nearly so, over changes of this size relative to theirs
_SIGNAL_STEP = 1e-5


class Problem:
    """Residuals of all motions.

    Parameters
    ----------
    params
        Parameters, whose values are where the search begins; they take other values meanwhile.
    arguments
        Those of ``residual``.
    jacobian
        How Jacobians are made: see ``optimize``.
    eps
        Relative step of differences.
    """

    def __init__(
        self,
        params: ParameterDict,
        arguments: Mapping[str, Any],
        jacobian: JacobianKind = "auto",
        eps: float = _STEP,
    ) -> None:
        self.params = params
        self.bounds = params.get_bounds()
        self.eps = eps
        self.count = Count()
        settings = Settings(**{k: v for k, v in arguments.items() if k in _SETTINGS})
        build = arguments.get("build_model", apply_param_modifiers)
        self.systems = [
            _System(self, group, build, settings, arguments.get("n_threads"), jacobian)
            for group in arguments["models_sequences"]
        ]
        self._jacobian: tuple[bytes, Array] | None = None

    def residual(self, x: Array) -> Array:
        """Return residuals (numbers, k) at points x (n, k)."""
        return np.concatenate([system.residual(x) for system in self.systems])

    def jacobian(self, x: Array) -> Array:
        """Return the Jacobian (numbers, n) at x (n,)."""
        key = x.tobytes()
        if self._jacobian is None or self._jacobian[0] != key:
            parts = [system.jacobian(x) for system in self.systems]
            self._jacobian = (key, np.concatenate(parts))
        return self._jacobian[1]

    def settle(self, x: Array) -> bool:
        """Write x into parameters and specs; False if a model is not what was thought.

        Then models are compiled from here on, and the search has to go on.
        """
        good = True
        for system in self.systems:
            good &= system.settle(x)
        if not good:
            self._jacobian = None
        return good

    def steps(self, x: Array) -> Array:
        """Return steps of differences, which stay within bounds."""
        lower, upper = self.bounds
        step = self.eps * np.maximum(1, np.abs(x))
        middle = np.where(np.isfinite(lower + upper), lower / 2 + upper / 2, x)
        step = np.where((x > middle) | (x >= upper), -step, step)
        # what rounding has made of it
        return np.asarray(np.clip(x + step, lower, upper) - x)


class _System:
    """Residuals of the motions of one system."""

    def __init__(
        self,
        problem: Problem,
        group: ModelSequences,
        build: BuildModelFn,
        settings: Settings,
        nthread: int | None,
        jacobian: JacobianKind,
    ) -> None:
        self.problem, self.params, self.kind = problem, problem.params, jacobian

        def build_at(x: Array) -> condyle.MjModel:
            self.params.update_from_vector(x)
            return build(self.params, group.spec)

        x0 = np.clip(self.params.as_vector(), *problem.bounds)
        # without modifiers of its own, a function of the user may do anything
        default = build is apply_param_modifiers
        writes = [p.modifier is not None or not default for p in self.params.free()]
        sizes = [p.size for p in self.params.free()]
        self.variants = Variants(
            build_at, x0, problem.bounds, nthread, problem.count, np.repeat(writes, sizes)
        )
        base = self.variants.base
        self.comparisons = [Comparison(base, m, settings) for m in group.measured_rollout]
        self.timestep = math.nan
        self.motions: list[Motion] = []
        self._place(base)
        self.sensitivity = _sensitivity.Sensitivity(self.variants)
        # rollouts and residuals of the last points: a Jacobian follows at the same ones
        self._last: tuple[bytes, Rollouts] | None = None
        self._found: tuple[bytes, Array] | None = None

    def _place(self, model: condyle.MjModel) -> None:
        """Sample the controls at the steps of a model."""
        if model.opt.timestep != self.timestep:
            self.timestep = float(model.opt.timestep)
            self.motions = [
                Motion(c.measured.initial_state, c.control(model)[1]) for c in self.comparisons
            ]

    # rollouts

    def rollouts(self, x: Array) -> Rollouts:
        """Return states (k, steps, nstate) and sensors of each motion at points x (n, k)."""
        key = x.tobytes()
        if self._last is None or self._last[0] != key:
            self._last = (key, self._simulated(x))
        return self._last[1]

    def _simulated(self, x: Array) -> Rollouts:
        variants = self.variants
        if variants.worlds_alike:
            return variants.roller.run(
                x.shape[1], variants.fields(x), self.motions, variants.derives
            )
        models = [variants.model(column) for column in x.T]
        parts = []
        for model in models:
            if model.opt.timestep != self.timestep:
                # a step of its own has controls of its own
                self._place(model)
                parts = [variants.roller.run_models([m], self._placed(m)) for m in models]
                break
        if not parts:
            return variants.roller.run_models(models, self.motions)
        return [
            (np.concatenate([p[i][0] for p in parts]), np.concatenate([p[i][1] for p in parts]))
            for i in range(len(self.motions))
        ]

    def _placed(self, model: condyle.MjModel) -> list[Motion]:
        self._place(model)
        return self.motions

    # residuals

    def residual(self, x: Array) -> Array:
        """Return residuals (numbers, k) at points (n, k)."""
        key = x.tobytes()
        if self._found is None or self._found[0] != key:
            self._found = (key, self._residual(x, self.rollouts(x)))
        return self._found[1]

    def _residual(self, x: Array, rollouts: Rollouts) -> Array:
        rows = []
        for comparison, (state, sensor) in zip(self.comparisons, rollouts, strict=True):
            if comparison.is_linear:
                rows.append(comparison.linear_residual(state, sensor))
            else:
                rows.append(self._full(comparison, x, state, sensor))
        return np.concatenate(rows)

    def _full(self, comparison: Comparison, x: Array, state: Array, sensor: Array) -> Array:
        """Residuals (numbers, k) of a function of the user, one by one."""
        columns = []
        for k, column in enumerate(x.T):
            self.params.update_from_vector(column)
            if np.isfinite(state[k]).all():
                model = self.variants.base if comparison.is_own else self.variants.model(column)
                residual = comparison.full(self.params, model, state[k], sensor[k])[0].ravel()
            else:
                residual = np.array([np.nan])
            columns.append(residual)
        size = max(len(column) for column in columns)
        filled = [c if len(c) == size else np.full(size, np.nan) for c in columns]
        return np.stack(filled, axis=1)

    # Jacobians

    def jacobian(self, x: Array) -> Array:
        """Return the Jacobian (numbers, n) at x (n,)."""
        at = x[:, None]
        rollouts = self.rollouts(at)
        residual = self.residual(at)[:, 0]
        result = np.zeros((len(residual), len(x)))
        exact = self._exact(x, rollouts, result)
        todo = np.flatnonzero(~exact)
        if len(todo):
            self._differences(x, residual, rollouts, todo, result)
        return result

    def _differences(
        self, x: Array, residual: Array, rollouts: Rollouts, todo: NDArray[np.intp], result: Array
    ) -> None:
        """Fill columns by differences; those of parameters of signals alone need no rollout."""
        step = self.problem.steps(x)
        points = x[:, None] + np.diag(step)[:, todo]
        moves = self.variants.touched[todo]
        simulated = self._simulated(points[:, moves]) if moves.any() else rollouts
        source = np.zeros(len(todo), dtype=np.intp)
        source[moves] = np.arange(int(moves.sum()))
        pieces: Rollouts = []
        for (state, sensor), (moved, sensed) in zip(rollouts, simulated, strict=True):
            rows = [(moved, sensed, i) if is_moved else (state, sensor, 0)
                    for i, is_moved in zip(source, moves, strict=True)]  # fmt: skip
            pieces.append(
                (np.stack([s[i] for s, _, i in rows]), np.stack([s[i] for _, s, i in rows]))
            )
        change = self._residual(points, pieces) - residual[:, None]
        result[:, todo] = change / step[todo]

    def _exact(self, x: Array, rollouts: Rollouts, result: Array) -> NDArray[np.bool_]:
        """Fill columns that are known exactly, and tell which; of signals alone they are not."""
        none = np.zeros(len(x), dtype=bool)
        if self.kind == "differences":
            return none
        if self.kind == "auto" and not self.sensitivity.pays(self.variants.touched):
            return none
        columns = self._measured_sensors()
        # what is found out on the way may leave fewer parameters
        while True:
            try:
                able = self.sensitivity.able(x, columns)
            except DifferentStructure:
                return none
            if not able.any() or self._filled(x, rollouts, able, columns, result):
                return able

    def _filled(
        self,
        x: Array,
        rollouts: Rollouts,
        able: NDArray[np.bool_],
        columns: NDArray[np.bool_],
        result: Array,
    ) -> bool:
        """Fill exact columns; False if some are not known."""
        begin = 0
        for comparison, motion, (state, sensor) in zip(
            self.comparisons, self.motions, rollouts, strict=True
        ):
            found = self.sensitivity.along(x, motion, state[0], able, columns)
            if found is None:
                return False
            dstate, dsensor = found
            if comparison.is_linear:
                part = comparison.linear_change(state[0, :, 0], dstate, dsensor)
            else:
                part = self._changed(comparison, x, state[0], sensor[0], dstate, dsensor)
            result[begin : begin + len(part), able] = part
            begin += len(part)
        self.problem.count.passes += len(self.motions)
        return True

    def _changed(
        self,
        comparison: Comparison,
        x: Array,
        state: Array,
        sensor: Array,
        dstate: Array,
        dsensor: Array,
    ) -> Array:
        """Changes (numbers, k) of a user's residual by changes of states and sensors."""
        size = max(np.abs(sensor).max(initial=0), np.abs(state[:, 1:]).max(initial=0), 1e-3)
        largest = [
            max(np.abs(s).max(initial=0), np.abs(q).max(initial=0))
            for s, q in zip(dsensor, dstate, strict=True)
        ]
        step = _SIGNAL_STEP * size / np.maximum(largest, 1e-12)
        sides = []
        for sign in (1, -1):
            moved = np.tile(state, (len(step), 1, 1))
            moved[:, :, 1:] += sign * step[:, None, None] * dstate
            sensed = sensor + sign * step[:, None, None] * dsensor
            points = np.tile(x[:, None], (1, len(step)))
            sides.append(self._full(comparison, points, moved, sensed))
        return np.asarray((sides[0] - sides[1]) / (2 * step))

    def _measured_sensors(self) -> NDArray[np.bool_]:
        """Which numbers of sensordata the residual may depend on."""
        width = int(self.variants.base.nsensordata)
        used = np.zeros(width, dtype=bool)
        for comparison in self.comparisons:
            used |= comparison.sensors_used(width)
        return used

    def settle(self, x: Array) -> bool:
        """Compile the model at x; False if it is another than was thought."""
        if self.variants.settle(x):
            return True
        self._last = self._found = None
        return False
