"""Signals over time: ``TimeSeries``, samples with names for their columns.

A mapping says what columns hold: name -> (SignalType, column numbers). Names of states are those of
joints, or of bodies with a free joint, with ``_qpos`` or ``_qvel`` behind them; ``_act`` is behind
names of actuators with activation, ``_ctrl`` behind those of controls.
"""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import condyle
from condyle.sysid import _interpolate

__all__ = ["SignalMappingType", "SignalType", "TimeSeries"]

Array: TypeAlias = NDArray[np.float64]


class SignalType(enum.Enum):
    """What a signal is: a sensor, an observation of one's own, a part of the state, a control."""

    MjSensor = 0
    CustomObs = 1
    MjStateQPos = 2
    MjStateQVel = 3
    MjStateAct = 4
    MjCtrl = 5


SignalMappingType: TypeAlias = dict[str, tuple[SignalType, NDArray[np.intp]]]
Names: TypeAlias = Sequence["str | tuple[str, SignalType]"]

_SUFFIX = {
    SignalType.MjStateQPos: "_qpos",
    SignalType.MjStateQVel: "_qvel",
    SignalType.MjStateAct: "_act",
    SignalType.MjCtrl: "_ctrl",
}


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class TimeSeries:
    """Samples at increasing times.

    Attributes
    ----------
    times
        (n,), in seconds, strictly increasing.
    data
        (n, ...): the samples.
    signal_mapping
        What the columns hold; None: unknown.
    """

    times: Array
    data: Array
    signal_mapping: SignalMappingType | None = None

    def __post_init__(self) -> None:
        """Check times and lengths."""
        times, data = np.asarray(self.times), np.asarray(self.data)
        if not times.size or not len(np.atleast_1d(data)):
            raise ValueError("Empty arrays are not allowed in TimeSeries")
        if times.ndim != 1:
            raise ValueError(f"times must be a 1D array, got {times.ndim}D array")
        if len(times) != len(data):
            raise ValueError(f"Length of times ({len(times)}) and data ({len(data)}) must match")
        if not (times[1:] > times[:-1]).all():
            raise ValueError("times must be strictly increasing")
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "data", data)

    # making

    @classmethod
    def from_names(
        cls,
        times: ArrayLike,
        data: ArrayLike,
        model: condyle.MjModel,
        names: Names | None = None,
    ) -> TimeSeries:
        """Name the columns after parts of a model.

        Parameters
        ----------
        times, data
            (n,) and (n, width).
        model
            The model that knows the names.
        names
            In the order of the columns: sensors; joints and free bodies, whose positions are meant,
            or with ``_qpos`` or ``_qvel``; actuators with ``_act``; or (name, SignalType). None:
            all sensors of the model.
        """
        array = _matrix(data)
        if names is None:
            mapping = cls.compute_all_sensor_mapping(model)
            if array.shape[1] != model.nsensordata:
                raise ValueError(
                    f"data has {array.shape[1]} columns, and the sensors of the model"
                    f" {model.nsensordata}"
                )
            return cls(np.asarray(times), array, mapping)
        return cls(np.asarray(times), array, _laid_out(_found(model, names), array.shape[1]))

    @classmethod
    def from_control_names(
        cls,
        times: ArrayLike,
        data: ArrayLike,
        model: condyle.MjModel,
        names: Names | None = None,
    ) -> TimeSeries:
        """Name the columns (n, width) after actuators, in this order; None: all of the model."""
        array = _matrix(data)
        parts = []
        if names is None:
            parts = [
                (key, kind, 1) for key, (kind, _) in cls.compute_all_control_mapping(model).items()
            ]
        for item in names or ():
            name, kind = item if isinstance(item, tuple) else (item, SignalType.MjCtrl)
            bare = name.removesuffix("_ctrl")
            if kind is not SignalType.MjCtrl or _id(model, "ACTUATOR", bare) < 0:
                raise ValueError(f"{name!r} is not an actuator of the model")
            parts.append((bare + "_ctrl", SignalType.MjCtrl, 1))
        return cls(np.asarray(times), array, _laid_out(parts, array.shape[1]))

    @classmethod
    def from_custom_map(
        cls,
        times: ArrayLike,
        data: ArrayLike,
        signals: Sequence[str | tuple[str, int, SignalType]],
    ) -> TimeSeries:
        """Name the columns: a name for one observation of one's own, or (name, width, type)."""
        array = _matrix(data)
        parts = []
        for item in signals:
            name, width, kind = (item, 1, SignalType.CustomObs) if isinstance(item, str) else item
            parts.append((name, kind, int(width)))
        return cls(np.asarray(times), array, _laid_out(parts, array.shape[1]))

    @classmethod
    def create(
        cls,
        times: ArrayLike,
        data: ArrayLike,
        signal_mapping: Mapping[str, tuple[SignalType, Any]],
    ) -> TimeSeries:
        """Make one with a mapping whose columns may be numbers, lists or arrays."""
        mapping = {
            name: (kind, np.atleast_1d(np.asarray(columns, dtype=np.intp)))
            for name, (kind, columns) in signal_mapping.items()
        }
        return cls(np.asarray(times), np.asarray(data), mapping)

    @staticmethod
    def compute_all_sensor_mapping(model: condyle.MjModel) -> SignalMappingType:
        """Return where each sensor is in ``sensordata``."""
        mapping = {}
        for i in np.argsort(model.sensor_adr, kind="stable"):
            adr, width = int(model.sensor_adr[i]), int(model.sensor_dim[i])
            mapping[_name(model, "SENSOR", i)] = (SignalType.MjSensor, np.arange(adr, adr + width))
        return mapping

    @staticmethod
    def compute_all_control_mapping(model: condyle.MjModel) -> SignalMappingType:
        """Return where the controls of each actuator are in ``ctrl``."""
        mapping = {}
        for i in range(model.nactuator):
            adr, width = int(model.actuator_ctrladr[i]), int(model.actuator_ctrlnum[i])
            if width:
                name = _name(model, "ACTUATOR", i) + "_ctrl"
                mapping[name] = (SignalType.MjCtrl, np.arange(adr, adr + width))
        return mapping

    @staticmethod
    def compute_all_state_mappings(
        model: condyle.MjModel,
    ) -> tuple[SignalMappingType, SignalMappingType, SignalMappingType, SignalMappingType]:
        """Return mappings of qpos, qvel, act and ctrl.

        Columns of the first three are those of (qpos, qvel, act) side by side.
        """
        qpos, qvel, act = {}, {}, {}
        for i in range(model.njnt):
            name, (q, v) = _joint_name(model, i), _joint_widths(model, i)
            at_q, at_v = int(model.jnt_qposadr[i]), model.nq + int(model.jnt_dofadr[i])
            qpos[name + "_qpos"] = (SignalType.MjStateQPos, np.arange(at_q, at_q + q))
            qvel[name + "_qvel"] = (SignalType.MjStateQVel, np.arange(at_v, at_v + v))
        for i in range(model.nactuator):
            adr, n = int(model.actuator_actadr[i]), int(model.actuator_actnum[i])
            if adr >= 0:
                at = model.nq + model.nv + adr
                key = _name(model, "ACTUATOR", i) + "_act"
                act[key] = (SignalType.MjStateAct, np.arange(at, at + n))
        return qpos, qvel, act, TimeSeries.compute_all_control_mapping(model)

    def with_data(self, data: Array) -> TimeSeries:
        """Return other samples (n, ...) of the same signals at the same times."""
        other = object.__new__(type(self))
        object.__setattr__(other, "times", self.times)
        object.__setattr__(other, "data", data)
        object.__setattr__(other, "signal_mapping", self.signal_mapping)
        return other

    # columns

    def get_indices(self, obs_name: str) -> tuple[SignalType, NDArray[np.intp]]:
        """Return type and columns of a signal."""
        if self.signal_mapping is None:
            raise ValueError("the series has no names of signals")
        if obs_name not in self.signal_mapping:
            raise ValueError(
                f"{obs_name!r} is not a signal of the series; it has {list(self.signal_mapping)}"
            )
        return self.signal_mapping[obs_name]

    @classmethod
    def slice_by_name(cls, ts: TimeSeries, enabled_sensors: Sequence[str]) -> TimeSeries:
        """Return a series with the columns of these signals, in the order they have in ``ts``."""
        parts = {name: ts.get_indices(name) for name in enabled_sensors}
        none = np.empty(0, dtype=np.intp)
        kept = np.unique(np.concatenate([none, *(columns for _, columns in parts.values())]))
        mapping = {
            name: (kind, np.searchsorted(kept, columns)) for name, (kind, columns) in parts.items()
        }
        return cls(ts.times, ts.data[:, kept], mapping)

    # times

    def interpolate(self, t: ArrayLike, method: str = "linear") -> Array:
        """Return the data at times t; before the first and after the last sample these hold.

        Methods: "linear"; "quadratic", "cubic", "quintic" splines through all samples;
        "zero_order_hold" or "zoh", the last sample at or before t.
        """
        return _interpolate.at(self.times, self.data, np.asarray(t, dtype=np.float64), method)

    def get(self, t: ArrayLike, method: str = "linear") -> tuple[Array, Array]:
        """Return the times t and the data at them; one time has one row."""
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        return times, self.interpolate(times, method)

    def resample(
        self,
        new_times: ArrayLike | None = None,
        target_dt: float | None = None,
        method: str = "linear",
    ) -> TimeSeries:
        """Return the series at other times: those given, or evenly at most ``target_dt`` apart."""
        if (new_times is None) == (target_dt is None):
            raise ValueError("resample needs either new_times or target_dt")
        if target_dt is not None:
            if not target_dt > 0:
                raise ValueError(f"target_dt must be above 0, got {target_dt}")
            n = int(np.ceil((self.times[-1] - self.times[0]) / target_dt)) + 1
            new_times = np.linspace(self.times[0], self.times[-1], n)
        times = np.asarray(new_times, dtype=np.float64)
        return type(self)(times, self.interpolate(times, method), self.signal_mapping)

    def remove_from_beginning(self, time_to_remove_s: float) -> TimeSeries:
        """Return the samples from that time on, the first of them at time 0."""
        if time_to_remove_s < 0:
            raise ValueError("time_to_remove_s must be non-negative")
        kept = self.times >= time_to_remove_s
        if not kept.any():
            raise ValueError("time_to_remove_s is greater than the duration of the time series")
        times = self.times[kept]
        return type(self)(times - times[0], self.data[kept], self.signal_mapping)

    def dt_statistics(self) -> dict[str, float]:
        """Return mean, median, std, min and max of the times between samples."""
        dt = np.diff(self.times)
        if not dt.size:
            return dict.fromkeys(("mean", "median", "std", "min", "max"), 0.0)
        return {
            "mean": float(dt.mean()),
            "median": float(np.median(dt)),
            "std": float(dt.std()),
            "min": float(dt.min()),
            "max": float(dt.max()),
        }

    # files

    def save_to_disk(self, path: str | PathLike[str]) -> None:
        """Write times, data and mapping to an npz file."""
        np.savez(
            path, times=self.times, data=self.data, signal_mapping=mapping_text(self.signal_mapping)
        )

    @classmethod
    def load_from_disk(cls, path: str | PathLike[str]) -> TimeSeries:
        """Read what ``save_to_disk`` wrote."""
        with np.load(path, allow_pickle=False) as file:
            return cls(file["times"], file["data"], mapping_from_text(str(file["signal_mapping"])))

    def save_to_csv(self, path: str | PathLike[str]) -> None:
        """Write rows of time and data, with commas between, without names."""
        table = np.column_stack([self.times, self.data.reshape(len(self), -1)])
        np.savetxt(Path(path), table, delimiter=",")

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.times)

    def __repr__(self) -> str:
        """Tell sizes and ranges."""
        names = None if self.signal_mapping is None else list(self.signal_mapping)
        return (
            f"TimeSeries(samples={len(self)}, shape={self.data.shape},"
            f" times={self.times[0]:.4g}..{self.times[-1]:.4g}, signals={names})"
        )


def mapping_text(mapping: SignalMappingType | None) -> str:
    """Return a mapping as JSON: {name: [type, [columns]]}."""
    if mapping is None:
        return json.dumps(None)
    return json.dumps({k: [kind.value, columns.tolist()] for k, (kind, columns) in mapping.items()})


def mapping_from_text(text: str) -> SignalMappingType | None:
    """Return the mapping of ``mapping_text``."""
    content = json.loads(text)
    if content is None:
        return None
    return {
        name: (SignalType(kind), np.array(columns, dtype=np.intp))
        for name, (kind, columns) in content.items()
    }


# names


def _id(model: condyle.MjModel, kind: str, name: str) -> int:
    return int(condyle.mj_name2id(model, getattr(condyle.mjtObj, f"mjOBJ_{kind}"), name))


def _name(model: condyle.MjModel, kind: str, i: int) -> str:
    return condyle.mj_id2name(model, getattr(condyle.mjtObj, f"mjOBJ_{kind}"), int(i)) or ""


def _joint_name(model: condyle.MjModel, joint: int) -> str:
    """Name of a joint, or of its body if that is free."""
    if model.jnt_type[joint] == condyle.mjtJoint.mjJNT_FREE:
        return _name(model, "BODY", model.jnt_bodyid[joint])
    return _name(model, "JOINT", joint)


def _joint_widths(model: condyle.MjModel, joint: int) -> tuple[int, int]:
    """How many numbers its position and velocity have."""
    kind = condyle.mjtJoint(int(model.jnt_type[joint]))
    wide = {condyle.mjtJoint.mjJNT_FREE: (7, 6), condyle.mjtJoint.mjJNT_BALL: (4, 3)}
    return wide.get(kind, (1, 1))


def _found(model: condyle.MjModel, names: Names) -> list[tuple[str, SignalType, int]]:
    """Canonical name, type and width of each signal."""
    states = dict[str, tuple[SignalType, NDArray[np.intp]]]()
    for mapping in TimeSeries.compute_all_state_mappings(model)[:3]:
        states.update(mapping)
    sensors = TimeSeries.compute_all_sensor_mapping(model)
    parts = []
    for item in names:
        name, kind = item if isinstance(item, tuple) else (item, None)
        if kind in (SignalType.MjCtrl, SignalType.CustomObs):
            raise ValueError(
                f"{name!r}: observations of a model are sensors and parts of its state"
            )
        if kind in (None, SignalType.MjSensor) and name in sensors:
            parts.append((name, SignalType.MjSensor, len(sensors[name][1])))
            continue
        suffixes = ("", "_qpos", "_act") if kind is None else ("", _SUFFIX.get(kind, ""))
        for suffix in suffixes:
            found = states.get(name + suffix)
            if found is not None and kind in (None, found[0]):
                parts.append((name + suffix, found[0], len(found[1])))
                break
        else:
            known = [*sensors, *states]
            raise ValueError(f"{name!r} is not a sensor or state of the model; it has {known}")
    return parts


def _laid_out(parts: Sequence[tuple[str, SignalType, int]], width: int) -> SignalMappingType:
    """Mapping of signals side by side, which must fill the width."""
    mapping = {}
    start = 0
    for name, kind, n in parts:
        mapping[name] = (kind, np.arange(start, start + n))
        start += n
    if start != width:
        raise ValueError(f"data has {width} columns, and the signals {start}")
    return mapping


def _matrix(data: ArrayLike) -> Array:
    array: Array = np.asarray(data)
    if array.ndim != 2:
        raise ValueError(f"data must have two dimensions, got shape {array.shape}")
    return array
