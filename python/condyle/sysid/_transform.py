"""``SignalTransform``: residuals of signals with unknown delays, gains and biases."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle.sysid import signal_modifier
from condyle.sysid.parameter import Parameter, ParameterDict
from condyle.sysid.signal_modifier import column_scales, column_weights, signal_names
from condyle.sysid.timeseries import TimeSeries

Array: TypeAlias = NDArray[np.float64]
Target: TypeAlias = Literal["predicted", "measured", "both"]


# windows of measurements that are kept
_WINDOWS = 64


class SignalTransform:
    """Delays, gains and biases of signals as parameters; ``apply`` is a ``modify_residual``.

    ::

        transform = SignalTransform()
        transform.delay("*_pos", delay)
        f = build_residual_fn(models_sequences=[...], modify_residual=transform.apply)

    Patterns are those of file names (``*``, ``?``, ``[a-c]``). Parameters are looked up by name in
    the dictionary that is fitted. Samples for which some delay within its bounds would need times
    that are not predicted are left out, so their number does not depend on the delays.

    Parameters
    ----------
    normalize
        Divide each column by norm / sqrt(2) of the measured one.
    """

    def __init__(self, normalize: bool = True) -> None:
        self.normalize = bool(normalize)
        self._delays: list[tuple[str, str]] = []
        self._gains: list[tuple[str, str, Target]] = []
        self._biases: list[tuple[str, str, Target]] = []
        self._enabled: list[str] | None = None
        self._weights: dict[str, float] | None = None
        self._windows: list[tuple[TimeSeries, tuple[float, ...], TimeSeries, Array]] = []

    def delay(self, pattern: str, param: Parameter) -> None:
        """Predict s(t - param) for signals of the pattern; the last pattern that fits counts."""
        self._delays.append((pattern, param.name))

    def gain(self, pattern: str, param: Parameter, target: Target = "both") -> None:
        """Multiply predicted, measured or both signals."""
        self._gains.append((pattern, param.name, _target(target)))

    def bias(self, pattern: str, param: Parameter, target: Target = "both") -> None:
        """Add to predicted, measured or both signals, after gains."""
        self._biases.append((pattern, param.name, _target(target)))

    def enable_sensors(self, sensor_names: Sequence[str]) -> None:
        """Keep these signals alone in the residual."""
        self._enabled = list(sensor_names)

    def set_sensor_weights(self, weights: Mapping[str, float]) -> None:
        """Multiply differences of signals by weights."""
        self._weights = dict(weights)

    def apply(
        self,
        params: ParameterDict,
        sensordata_predicted: TimeSeries,
        sensordata_measured: TimeSeries,
        model: condyle.MjModel,
        return_pred_all: bool,
        state: Array | None = None,
        sensor_weights: Mapping[str, float] | None = None,
    ) -> tuple[Array, TimeSeries, TimeSeries]:
        """Return residual (n, width), predicted and measured signals.

        Parameters
        ----------
        params
            Values of delays, gains and biases.
        sensordata_predicted, sensordata_measured
            Signals with the same names.
        model, state
            Not needed.
        return_pred_all
            Keep signals that are not enabled.
        sensor_weights
            In place of ``set_sensor_weights``.
        """
        bounds = [params[name].get_bounds() for _, name in self._delays]
        low = float(min((low.min() for low, _ in bounds), default=0.0))
        high = float(max((high.max() for _, high in bounds), default=0.0))
        window, scales = self._window(sensordata_measured, sensordata_predicted, low, high)
        measured = window
        delays = {
            signal: _number(params[name])
            for pattern, name in self._delays
            for signal in fnmatch.filter(signal_names(sensordata_predicted), pattern)
        }
        data = signal_modifier.delayed(sensordata_predicted, measured.times, 0.0, delays, -1)
        predicted = TimeSeries(measured.times, data, sensordata_predicted.signal_mapping)
        for terms, add in ((self._gains, False), (self._biases, True)):
            predicted = _changed(predicted, params, terms, "predicted", add)
            measured = _changed(measured, params, terms, "measured", add)

        weights = column_weights(measured, sensor_weights or self._weights)
        residual = signal_modifier.weighted_diff(predicted.data, measured.data, None, weights)
        if self.normalize:
            # gains and biases of what was measured count, too
            residual = residual / (scales if measured is window else column_scales(measured.data))
        if self._enabled is not None and not return_pred_all:
            columns = np.sort(np.concatenate([measured.get_indices(n)[1] for n in self._enabled]))
            predicted = TimeSeries.slice_by_name(predicted, self._enabled)
            measured = TimeSeries.slice_by_name(measured, self._enabled)
            residual = residual[:, columns]
        return residual, predicted, measured

    def _window(
        self, measured: TimeSeries, predicted: TimeSeries, low: float, high: float
    ) -> tuple[TimeSeries, Array]:
        """Samples of a measurement that every delay needs, and scales of their columns.

        Those of the last measurements are kept.
        """
        ends = (float(predicted.times[0]), float(predicted.times[-1]), low, high)
        for kept, known, window, scales in self._windows:
            if kept is measured and known == ends:
                return window, scales
        window = signal_modifier.apply_delayed_ts_window(measured, predicted, low, high)
        scales = column_scales(window.data)
        self._windows = [(measured, ends, window, scales), *self._windows[: _WINDOWS - 1]]
        return window, scales


def _target(target: str) -> Target:
    for known in get_args(Target):
        if target == known:
            return known  # type: ignore[no-any-return]
    raise ValueError(f"target must be one of {get_args(Target)}, got {target!r}")


def _number(param: Parameter) -> float:
    value = param.as_vector()
    if value.size != 1:
        raise ValueError(f"a delay is one number, and {param.name!r} has {value.size}")
    return float(value[0])


def _changed(
    ts: TimeSeries,
    params: ParameterDict,
    terms: Sequence[tuple[str, str, Target]],
    which: Target,
    add: bool,
) -> TimeSeries:
    """Series with gains or biases that are meant for it."""
    data = None
    for pattern, name, target in terms:
        if target in (which, "both"):
            data = np.array(ts.data, dtype=np.float64) if data is None else data
            value = params[name].as_vector()
            for signal in fnmatch.filter(signal_names(ts), pattern):
                columns = ts.get_indices(signal)[1]
                data[:, columns] = data[:, columns] + value if add else data[:, columns] * value
    return ts if data is None else ts.with_data(data)
