"""Predicted and measured signals of one motion, and their residual.

The residual of column c at sample t, with measured y and predicted p:

    r[t, c] = w_c (y[t, c] - p[t, c]) / s_c        s_c = norm(y[:, c]) / sqrt(2)

so that every column has the same weight, whatever its unit and number of samples. p is linear in
what was simulated: rows between two steps are interpolated.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle.sysid import _interpolate
from condyle.sysid._trajectory import SystemTrajectory, control_columns, state_mapping
from condyle.sysid._transform import SignalTransform
from condyle.sysid.parameter import ParameterDict
from condyle.sysid.signal_modifier import column_scales, column_weights
from condyle.sysid.timeseries import SignalMappingType, SignalType, TimeSeries

Array: TypeAlias = NDArray[np.float64]
ModifyResidualFn: TypeAlias = Callable[..., tuple[Array, TimeSeries, TimeSeries]]
Observations: TypeAlias = Sequence[tuple[str, SignalType]]


@dataclasses.dataclass(frozen=True)
class Settings:
    """How residuals are made: arguments of ``residual`` of the same names."""

    modify_residual: ModifyResidualFn | None = None
    return_pred_all: bool = False
    resample_true: bool = True
    sensor_weights: Mapping[str, float] | None = None
    enabled_observations: Observations = ()


def construct_ts_from_defaults(
    state_ts: TimeSeries,
    pred_sensordata: TimeSeries,
    measured_sensordata: TimeSeries,
    enabled_observations: Observations | None = None,
) -> tuple[TimeSeries, TimeSeries]:
    """Return predicted signals laid out as the measured ones, and these.

    Parameters
    ----------
    state_ts, pred_sensordata
        States, with time before them, and all sensors of a simulation.
    measured_sensordata
        What was measured.
    enabled_observations
        Names and types of the signals to keep; all if None or empty.
    """
    measured = _enabled(measured_sensordata, enabled_observations or ())
    nsensor = pred_sensordata.data.shape[1]
    source = _Source(pred_sensordata.signal_mapping or {}, state_ts.signal_mapping or {}, nsensor)
    columns = source.columns(measured)
    both = np.concatenate([pred_sensordata.data, state_ts.data[:, 1:]], axis=1)
    mapping = measured.signal_mapping
    return TimeSeries(pred_sensordata.times, both[:, columns], mapping), measured


@dataclasses.dataclass(frozen=True)
class _Source:
    """Where signals are among sensors and states side by side."""

    sensors: SignalMappingType
    states: SignalMappingType
    nsensor: int

    def columns(self, measured: TimeSeries) -> NDArray[np.intp]:
        """Return the column of each measured column."""
        width = measured.data.shape[1]
        if measured.signal_mapping is None:
            if width != self.nsensor:
                raise ValueError(
                    f"measured data has {width} columns without names, the model {self.nsensor}"
                    " numbers of sensors"
                )
            return np.arange(width)
        result = np.full(width, -1, dtype=np.intp)
        for name, (kind, columns) in measured.signal_mapping.items():
            if kind is SignalType.CustomObs:
                raise ValueError(
                    f"{name!r} is an observation of one's own, which needs a modify_residual"
                )
            known = self.sensors if kind is SignalType.MjSensor else self.states
            if name not in known or known[name][0] is not kind:
                raise ValueError(f"the model has no {kind.name} {name!r}")
            found = known[name][1] + (0 if kind is SignalType.MjSensor else self.nsensor)
            if len(found) != len(columns):
                raise ValueError(
                    f"{name!r} was measured in {len(columns)} columns, and has {len(found)}"
                )
            result[columns] = found
        if (result < 0).any():
            raise ValueError(f"columns {np.flatnonzero(result < 0)} of the data have no name")
        return result


def _enabled(ts: TimeSeries, observations: Observations) -> TimeSeries:
    if not observations:
        return ts
    for name, kind in observations:
        if ts.get_indices(name)[0] is not kind:
            raise ValueError(f"{name!r} is a {ts.get_indices(name)[0].name}, not a {kind.name}")
    return TimeSeries.slice_by_name(ts, [name for name, _ in observations])


class Comparison:
    """Residuals of one measured motion for any number of predictions.

    Parameters
    ----------
    model
        A model of the structure of all predictions.
    measured
        The motion.
    settings
        How residuals are made.
    """

    def __init__(
        self, model: condyle.MjModel, measured: SystemTrajectory, settings: Settings
    ) -> None:
        self.measured = measured
        self.settings = settings
        self.signals = TimeSeries.compute_all_sensor_mapping(model)
        self.states = state_mapping(model)
        self.controls = TimeSeries.compute_all_control_mapping(model)
        self._kept: TimeSeries | None = None
        self._columns: NDArray[np.intp] | None = None
        self._plans: dict[bytes, _Plan] = {}
        if settings.modify_residual is None:
            self._kept = _enabled(
                measured.sensordata,
                () if settings.return_pred_all else settings.enabled_observations,
            )
            source = _Source(self.signals, self.states, int(model.nsensordata))
            self._columns = source.columns(self._kept)

    @property
    def is_linear(self) -> bool:
        """Whether the residual is linear in what is predicted, and depends on nothing else."""
        return self._columns is not None

    @property
    def is_own(self) -> bool:
        """Whether the residual is one of this package, which asks the model for nothing."""
        modify = self.settings.modify_residual
        return modify is None or isinstance(getattr(modify, "__self__", None), SignalTransform)

    def sensors_used(self, width: int) -> NDArray[np.bool_]:
        """Return which of all numbers of sensors the residual may depend on, (width,)."""
        used = np.zeros(width, dtype=bool)
        if self._columns is None:
            # those that were measured under their names, or all if there are others
            names = self.measured.sensordata.signal_mapping or {}
            for name in names if set(names) <= set(self.signals) else self.signals:
                used[self.signals[name][1]] = True
        else:
            used[self._columns[self._columns < width]] = True
        return used

    def control(self, model: condyle.MjModel) -> tuple[Array, Array]:
        """Return times and controls (steps, nu) of the steps of a model.

        The last sample of the controls begins a step that nothing was measured after.
        """
        control = self.measured.control
        columns = control_columns(model, control)
        times = control.times
        if self.settings.resample_true:
            h = float(model.opt.timestep)
            # rounding must not add a sample
            n = int(np.ceil((times[-1] - times[0]) / h - 1e-9)) + 1
            times = np.linspace(times[0], times[-1], n)
            columns = _interpolate.linear(control.times, columns, times)
        if len(times) < 2:
            raise ValueError("controls need at least two samples, for one step")
        return times[:-1], columns[:-1]

    # residuals that are linear in the prediction

    def linear_residual(self, state: Array, sensor: Array) -> Array:
        """Return residuals (numbers, k) of predictions: states (k, steps, nstate), sensors."""
        times = state[:, :, 0]
        if len(times) > 1 and (times != times[0]).any():
            # a time step of its own has times of its own
            parts = zip(state[:, None], sensor[:, None], strict=True)
            return np.concatenate([self.linear_residual(*part) for part in parts], axis=1)
        plan = self._plan(times[0])
        predicted = plan.rows(self._chosen(state[:, :, 1:], sensor))
        residual = (plan.measured.data - predicted) * plan.factor
        return np.asarray(residual.reshape(len(residual), -1).T)

    def linear_change(self, times: Array, state: Array, sensor: Array) -> Array:
        """Return changes (numbers, k) of the residual.

        state (k, steps, nstate - 1) and sensor (k, steps, nsensordata) are changes of predictions
        at the given times.
        """
        plan = self._plan(times)
        change = -plan.factor * plan.rows(self._chosen(state, sensor))
        return np.asarray(change.reshape(len(change), -1).T)

    def _chosen(self, state: Array, sensor: Array) -> Array:
        """Columns (..., steps, width) that were measured."""
        columns, nsensor = self._columns, sensor.shape[-1]
        assert columns is not None
        if (columns < nsensor).all():
            # the usual case that all were measured, in order
            if np.array_equal(columns, np.arange(nsensor)):
                return sensor
            return np.asarray(sensor[..., columns])
        return np.asarray(np.concatenate([sensor, state], axis=-1)[..., columns])

    def _plan(self, times: Array) -> _Plan:
        key = times.tobytes()
        plan = self._plans.get(key)
        if plan is None:
            assert self._kept is not None
            if len(self._plans) > 8:
                self._plans.clear()
            plan = self._plans[key] = _Plan.made(times, self._kept, self.settings)
        return plan

    # all

    def full(
        self, params: ParameterDict, model: condyle.MjModel, state: Array, sensor: Array
    ) -> tuple[Array, TimeSeries, TimeSeries]:
        """Return residual (n, width), predicted and measured signals of one prediction."""
        times = state[:, 0].copy()
        modify = self.settings.modify_residual
        if modify is None:
            plan = self._plan(times)
            p = plan.rows(self._chosen(state[:, 1:], sensor))
            residual = (plan.measured.data - p) * plan.factor
            predicted = TimeSeries(plan.measured.times, p, plan.measured.signal_mapping)
            return residual, predicted, plan.measured
        signals: dict[str, Any] = {"state": state}
        if self.settings.sensor_weights is not None:
            signals["sensor_weights"] = self.settings.sensor_weights
        predicted = TimeSeries(times, sensor, self.signals)
        measured = self.measured.sensordata
        residual, predicted, measured = modify(
            params, predicted, measured, model, self.settings.return_pred_all, **signals
        )
        if not _same(predicted.signal_mapping, measured.signal_mapping):
            raise ValueError(
                "modify_residual must return predicted and measured signals of the same names, got"
                f" {list(predicted.signal_mapping or {})} and {list(measured.signal_mapping or {})}"
            )
        return np.asarray(residual, dtype=np.float64), predicted, measured


@dataclasses.dataclass(frozen=True)
class _Plan:
    """Which rows and weights give the prediction at measured times."""

    measured: TimeSeries
    row: NDArray[np.intp] | None
    weight: Array
    factor: Array  # w / s of each column

    @classmethod
    def made(cls, times: Array, measured: TimeSeries, settings: Settings) -> _Plan:
        row: NDArray[np.intp] | None = None
        weight = np.zeros(0)
        if settings.resample_true:
            kept = (measured.times >= times[0]) & (measured.times <= times[-1])
            if not kept.any():
                raise ValueError(
                    f"no measured sample lies in the predicted time {times[0]:g}..{times[-1]:g}"
                )
            measured = _part(measured, kept)
            if not np.array_equal(measured.times, times):
                row, weight = _interpolate.weights(times, measured.times)
        else:
            measured = _part(measured, np.arange(1, len(measured)))
            if len(measured) != len(times):
                raise ValueError(
                    f"{len(measured)} samples follow the first one, and {len(times)} are predicted"
                )
        factor = 1 / column_scales(measured.data)
        weights = column_weights(measured, settings.sensor_weights)
        return cls(measured, row, weight[:, None], factor if weights is None else factor * weights)

    def rows(self, predicted: Array) -> Array:
        """Return predicted rows (..., steps, width) at the measured times."""
        if self.row is None:
            return predicted
        before = predicted[..., self.row, :]
        if predicted.shape[-2] == 1:
            return np.asarray(before)
        return np.asarray(before + self.weight * (predicted[..., self.row + 1, :] - before))


def _part(ts: TimeSeries, rows: Any) -> TimeSeries:
    return TimeSeries(ts.times[rows], ts.data[rows], ts.signal_mapping)


def _same(one: SignalMappingType | None, other: SignalMappingType | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.keys() == other.keys() and all(
        one[name][0] is other[name][0] and np.array_equal(one[name][1], other[name][1])
        for name in one
    )
