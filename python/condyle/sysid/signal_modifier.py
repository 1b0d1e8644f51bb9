"""Working on signals: bias, gain, delay, windows; differences and their normalisation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import condyle
from condyle.sysid.parameter import Parameter
from condyle.sysid.timeseries import TimeSeries

__all__ = [
    "apply_bias",
    "apply_delay",
    "apply_delayed_ts_window",
    "apply_gain",
    "apply_resample_and_delay",
    "get_sensor_indices",
    "normalize_residual",
    "weighted_diff",
]

Array: TypeAlias = NDArray[np.float64]


def apply_bias(ts: TimeSeries, sensor_name: str, bias: Parameter) -> TimeSeries:
    """Return the series with the parameter added to a signal."""
    data, columns = _copied(ts, sensor_name)
    data[:, columns] += bias.as_vector()
    return ts.with_data(data)


def apply_gain(ts: TimeSeries, sensor_name: str, gain: Parameter) -> TimeSeries:
    """Return the series with a signal multiplied by the parameter."""
    data, columns = _copied(ts, sensor_name)
    data[:, columns] *= gain.as_vector()
    return ts.with_data(data)


def apply_delay(ts: TimeSeries, sensor_name: str, delay: Parameter) -> TimeSeries:
    """Return the series with a signal s(t) replaced by s(t - delay), linear between samples."""
    data, columns = _copied(ts, sensor_name)
    shift = delay.as_vector()
    if shift.size != 1:
        raise ValueError(f"a delay is one number, and {delay.name!r} has {shift.size}")
    data[:, columns] = ts.interpolate(ts.times - shift[0])[:, columns]
    return ts.with_data(data)


def _copied(ts: TimeSeries, name: str) -> tuple[Array, NDArray[np.intp]]:
    return np.array(ts.data, dtype=np.float64), ts.get_indices(name)[1]


def apply_delayed_ts_window(
    ts: TimeSeries, ts_delayed: TimeSeries, min_delay: float, max_delay: float
) -> TimeSeries:
    """Return the samples at which ``ts_delayed`` is known for every delay in between.

    These are those with times in [first - min_delay, last - max_delay] of ``ts_delayed``.
    """
    if min_delay > max_delay:
        raise ValueError(
            "min_delay must be less than or equal to max_delay, received"
            f" {min_delay} and {max_delay}"
        )
    first, last = ts_delayed.times[0] - min_delay, ts_delayed.times[-1] - max_delay
    kept = (ts.times >= first) & (ts.times <= last)
    return TimeSeries(ts.times[kept], ts.data[kept], ts.signal_mapping)


def apply_resample_and_delay(
    ts: TimeSeries,
    times: ArrayLike,
    default_delay: float,
    sensor_delays: Mapping[str, float] | None = None,
    predicted_data: bool = True,
) -> TimeSeries:
    """Return the series at other times, each signal later by its delay.

    Parameters
    ----------
    ts
        The series.
    times
        New times (n,).
    default_delay, sensor_delays
        Delay in seconds of all signals, and of some by name.
    predicted_data
        True: signals are read at times - delay; False: at times + delay, which undoes a delay.
    """
    new_times = np.asarray(times, dtype=np.float64)
    return TimeSeries(
        new_times,
        delayed(ts, new_times, default_delay, sensor_delays or {}, -1 if predicted_data else 1),
        ts.signal_mapping,
    )


def delayed(
    ts: TimeSeries, times: Array, default: float, delays: Mapping[str, float], sign: int
) -> Array:
    """Samples (n, width) at times + sign * delay of each column."""
    shifts = np.full(ts.data.shape[1], float(default))
    for name, delay in delays.items():
        shifts[ts.get_indices(name)[1]] = float(delay)
    different = set(shifts.tolist())
    if len(different) == 1:
        return ts.interpolate(times + sign * different.pop())
    data = np.empty((len(times), len(shifts)))
    for shift in different:
        columns = shifts == shift
        data[:, columns] = ts.interpolate(times + sign * shift)[:, columns]
    return data


def get_sensor_indices(
    model: condyle.MjModel, sensor_name: str | Sequence[str], sort: bool = False
) -> list[int]:
    """Return where sensors are in ``sensordata``, in the order of the names or sorted."""
    indices: list[int] = []
    for name in [sensor_name] if isinstance(sensor_name, str) else sensor_name:
        i = condyle.mj_name2id(model, condyle.mjtObj.mjOBJ_SENSOR, name)
        if i < 0:
            raise ValueError(f"Sensor not found in model: {name}")
        adr = int(model.sensor_adr[i])
        indices += range(adr, adr + int(model.sensor_dim[i]))
    return sorted(indices) if sort else indices


def weighted_diff(
    predicted_data: ArrayLike,
    measured_data: ArrayLike,
    model: condyle.MjModel | None = None,
    sensor_weights: Mapping[str, float] | ArrayLike | None = None,
) -> Array:
    """Return measured minus predicted data (n, width), weighted.

    ``sensor_weights`` are those of columns, or of sensors by name, which a model then must know;
    columns are then those of its ``sensordata``.
    """
    difference: Array = np.asarray(measured_data) - np.asarray(predicted_data)
    if sensor_weights is None:
        return difference
    if isinstance(sensor_weights, Mapping):
        if model is None:
            raise ValueError("weights by names of sensors need a model")
        weights = np.ones(difference.shape[1])
        for name, weight in sensor_weights.items():
            weights[get_sensor_indices(model, name)] = weight
    else:
        weights = np.asarray(sensor_weights, dtype=np.float64)
    return np.asarray(difference * weights)


def column_weights(ts: TimeSeries, weights: Mapping[str, float] | None) -> Array | None:
    """Return weights of the columns of a series; None if none has one."""
    if not weights:
        return None
    result = np.ones(ts.data.shape[1])
    for name, weight in weights.items():
        result[ts.get_indices(name)[1]] = weight
    return result


def column_scales(measured: ArrayLike) -> Array:
    """Return norm / sqrt(2) of each column (n, width), 1 for one of zeros."""
    scales = np.linalg.norm(np.asarray(measured), axis=0) / np.sqrt(2)
    return np.asarray(np.where(scales > 0, scales, 1.0))


def normalize_residual(residual: ArrayLike, measured_data: ArrayLike) -> Array:
    """Return the residual (n, width), each column divided by norm / sqrt(2) of the measured one.

    So all columns have the same weight, whatever their units and numbers of samples. Columns of
    zeros stay as they are.
    """
    return np.asarray(np.asarray(residual) / column_scales(measured_data))


def signal_names(ts: TimeSeries) -> list[Any]:
    """Return the names of the signals of a series; none if it has no mapping."""
    return list(ts.signal_mapping or {})
