"""Recorded and simulated motions: ``SystemTrajectory``, ``ModelSequences``, rollouts, pictures."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import condyle
from condyle._support import state as state_bits
from condyle.rollout import rollout
from condyle.sysid.timeseries import (
    SignalMappingType,
    SignalType,
    TimeSeries,
    mapping_from_text,
    mapping_text,
)

Array: TypeAlias = NDArray[np.float64]


# sensors of the parts that get_sensordata_slice knows
_PARTS = {
    "joint_pos": condyle.mjtSensor.mjSENS_JOINTPOS,
    "joint_vel": condyle.mjtSensor.mjSENS_JOINTVEL,
    "joint_torque": condyle.mjtSensor.mjSENS_JOINTACTFRC,
}


def create_initial_state(
    model: condyle.MjModel,
    qpos: ArrayLike,
    qvel: ArrayLike | None = None,
    act: ArrayLike | None = None,
    qpos_names: Sequence[str] | None = None,
    qvel_names: Sequence[str] | None = None,
    act_names: Sequence[str] | None = None,
) -> Array:
    """Return a state (mjSTATE_FULLPHYSICS) at time 0.

    Parameters
    ----------
    model
        The model.
    qpos, qvel, act
        Positions, velocities and activations; velocities and activations are 0 if None.
    qpos_names, qvel_names, act_names
        What the numbers belong to (``j_qpos``, ``j_qvel``, ``a_act``), in this order; all else is
        as after a reset.

    Raises
    ------
    ValueError
        Numbers don't fit the model, or a name is unknown.
    """
    data = condyle.MjData(model)
    mappings = TimeSeries.compute_all_state_mappings(model)
    offsets = (0, model.nq, model.nq + model.nv)
    given = (("qpos", qpos, qpos_names), ("qvel", qvel, qvel_names), ("act", act, act_names))
    for (name, value, names), mapping, offset in zip(given, mappings, offsets, strict=False):
        if value is None:
            continue
        numbers = np.ravel(np.asarray(value, dtype=np.float64))
        array = getattr(data, name)
        if names is None:
            places = np.arange(array.size)
        else:
            for key in names:
                if key not in mapping:
                    raise ValueError(f"{key!r} is not in the {name} of the model: {list(mapping)}")
            places = np.array([i for key in names for i in mapping[key][1]], dtype=np.intp)
            places = places - offset
        if numbers.size != places.size:
            raise ValueError(f"Expected {name} to have shape {places.size}, got {numbers.size}.")
        array[places] = numbers
    state = np.empty(condyle.mj_stateSize(model, state_bits.full()))
    condyle.mj_getState(model, data, state, state_bits.full())
    return state


@dataclasses.dataclass(frozen=True, eq=False)
class SystemTrajectory:
    """A motion: controls, what was sensed, where it began, and for simulated ones the states.

    Attributes
    ----------
    model
        Model of the system.
    control, sensordata
        Controls and observations.
    initial_state
        (nstate,): state (mjSTATE_FULLPHYSICS) at the first control.
    state
        States (n, nstate), or None. Its mapping counts columns of qpos, qvel and act from 0; in the
        data they have the time before them.
    """

    model: condyle.MjModel
    control: TimeSeries
    sensordata: TimeSeries
    initial_state: Array
    state: TimeSeries | None

    def replace(self, **kwargs: Any) -> SystemTrajectory:
        """Return it with other attributes."""
        return dataclasses.replace(self, **kwargs)

    def __len__(self) -> int:
        """Return the number of samples of observations."""
        return len(self.sensordata)

    @property
    def sensordim(self) -> int:
        """How many columns the observations have."""
        return int(self.sensordata.data.shape[1])

    def get_sensordata_slice(self, sensor: str = "joint_pos") -> Array:
        """Return columns of sensors of joints: "joint_pos", "joint_vel" or "joint_torque"."""
        if sensor not in _PARTS:
            raise ValueError(f"Unsupported sensor type: {sensor}")
        model = self.model
        columns: list[int] = []
        for i in np.flatnonzero(model.sensor_type == int(_PARTS[sensor])):
            adr = int(model.sensor_adr[i])
            columns += range(adr, adr + int(model.sensor_dim[i]))
        return np.asarray(self.sensordata.data[:, columns])

    def check_compatible(self, allow_missing_sensors: bool = False) -> None:
        """Check widths against the model; ValueError if one does not fit.

        ``allow_missing_sensors``: observations may be fewer than sensors of the model.
        """
        model = self.model
        state = condyle.mj_stateSize(model, state_bits.full())
        control, sensor = self.control.data.shape[1], self.sensordim
        if not allow_missing_sensors and sensor != model.nsensordata:
            raise ValueError(
                f"Sensor dimension {sensor} does not match model sensor dimension"
                f" {model.nsensordata}"
            )
        if control != model.nu:
            raise ValueError(
                f"Control dimension {control} does not match model control dimension {model.nu}"
            )
        if len(self.initial_state) != state:
            raise ValueError(
                f"Initial state dimension {len(self.initial_state)} does not match model state"
                f" dimension {state}"
            )
        if self.state is not None and self.state.data.shape[1] != state:
            raise ValueError(
                f"State dimension {self.state.data.shape[1]} does not match model state dimension"
                f" {state}"
            )

    def split(self, chunk_size: int) -> list[SystemTrajectory]:
        """Return consecutive pieces of that many samples; what is left over is dropped.

        Each begins in the state before it, so states must be known.
        """
        if self.state is None:
            raise ValueError("Cannot split rollout with missing state field.")
        if chunk_size < 1:
            raise ValueError(f"chunk_size must be at least 1, got {chunk_size}")
        pieces = []
        for begin in range(0, len(self) - chunk_size + 1, chunk_size):
            rows = slice(begin, begin + chunk_size)
            initial = self.state.data[begin - 1] if begin else self.initial_state
            parts = {
                name: TimeSeries(ts.times[rows], ts.data[rows], ts.signal_mapping)
                for name, ts in (
                    ("control", self.control),
                    ("sensordata", self.sensordata),
                    ("state", self.state),
                )
            }
            pieces.append(self.replace(initial_state=initial, **parts))
        return pieces

    def save_to_disk(self, path: str | PathLike[str]) -> None:
        """Write everything but the model to an npz file."""
        arrays: dict[str, Any] = {"initial_state": self.initial_state}
        parts = {"control": self.control, "sensordata": self.sensordata, "state": self.state}
        for name, ts in parts.items():
            if ts is not None:
                arrays[f"{name}_times"] = ts.times
                arrays[f"{name}_data"] = ts.data
                arrays[f"{name}_signal_mapping"] = mapping_text(ts.signal_mapping)
        np.savez(Path(path), **arrays)

    @staticmethod
    def load_from_disk(
        path: str | PathLike[str], model: condyle.MjModel, allow_missing_sensors: bool = False
    ) -> SystemTrajectory:
        """Read what ``save_to_disk`` wrote, of a motion of this model."""
        with np.load(Path(path), allow_pickle=False) as file:
            series = {}
            for name in ("control", "sensordata", "state"):
                if f"{name}_times" in file:
                    series[name] = TimeSeries(
                        file[f"{name}_times"],
                        file[f"{name}_data"],
                        mapping_from_text(str(file[f"{name}_signal_mapping"])),
                    )
            result = SystemTrajectory(
                model,
                series["control"],
                series["sensordata"],
                file["initial_state"],
                series.get("state"),
            )
        result.check_compatible(allow_missing_sensors)
        return result

    def render(
        self, height: int = 240, width: int = 320, camera: str | int = -1, fps: int = 30
    ) -> list[NDArray[np.uint8]]:
        """Return pictures (height, width, 3) of the states, ``fps`` for each second."""
        if self.state is None:
            raise ValueError("Cannot render a trajectory with missing state field.")
        data = condyle.MjData(self.model)
        return render_rollout(self.model, data, self.state.data, fps, camera, width, height)


class ModelSequences:
    """Recorded motions of one system.

    Parameters
    ----------
    name
        Name of the system.
    spec
        Its spec, into which parameters are written.
    sequence_name, initial_state, control, sensordata
        Of one motion, or lists of equal length of several.
    allow_missing_sensors
        Observations may be other than all sensors of the model.

    Attributes
    ----------
    gt_model
        The model of the spec as it was given.
    measured_rollout
        A SystemTrajectory, without states, for each motion.

    Notes
    -----
    Indexing with a number or a slice gives a group of fewer motions.
    """

    def __init__(
        self,
        name: str,
        spec: condyle.MjSpec,
        sequence_name: str | Sequence[str],
        initial_state: ArrayLike | Sequence[ArrayLike],
        control: TimeSeries | Sequence[TimeSeries],
        sensordata: TimeSeries | Sequence[TimeSeries],
        allow_missing_sensors: bool = False,
    ) -> None:
        self.name = name
        self.spec = spec
        self.allow_missing_sensors = allow_missing_sensors
        self.gt_model: condyle.MjModel = spec.compile()
        self.sequence_name = [sequence_name] if isinstance(sequence_name, str) else [*sequence_name]
        states = np.asarray(initial_state, dtype=np.float64)
        self.initial_state: list[Array] = [states] if states.ndim == 1 else list(states)
        self.control = [control] if isinstance(control, TimeSeries) else [*control]
        self.sensordata = [sensordata] if isinstance(sensordata, TimeSeries) else [*sensordata]
        counts = {
            "sequence_name": len(self.sequence_name),
            "initial_state": len(self.initial_state),
            "control": len(self.control),
            "sensordata": len(self.sensordata),
        }
        if len(set(counts.values())) != 1:
            raise ValueError(f"lists of sequences must be equally long, got {counts}")
        self.measured_rollout = [
            SystemTrajectory(self.gt_model, control, sensordata, state, None)
            for control, sensordata, state in zip(
                self.control, self.sensordata, self.initial_state, strict=True
            )
        ]
        for trajectory in self.measured_rollout:
            trajectory.check_compatible(allow_missing_sensors or _is_mapped(trajectory))

    def __getitem__(self, key: int | slice) -> ModelSequences:
        """Return the group of one motion, or of those of a slice."""
        rows = range(len(self.sequence_name))[key]
        chosen = [rows] if isinstance(rows, int) else list(rows)
        part = object.__new__(type(self))
        part.__dict__.update(self.__dict__)
        for name in ("sequence_name", "initial_state", "control", "sensordata", "measured_rollout"):
            part.__dict__[name] = [getattr(self, name)[i] for i in chosen]
        return part

    def __len__(self) -> int:
        """Return the number of motions."""
        return len(self.sequence_name)


def _is_mapped(trajectory: SystemTrajectory) -> bool:
    """Whether the observations are named, and parts of the state or one's own among them."""
    mapping = trajectory.sensordata.signal_mapping or {}
    return any(kind is not SignalType.MjSensor for kind, _ in mapping.values())


def control_columns(model: condyle.MjModel, control: TimeSeries) -> Array:
    """Return controls (n, nu) in the order of the model's actuators.

    Columns without a name are those of the model; actuators that are not named get 0.
    """
    mapping = control.signal_mapping
    if not mapping:
        if control.data.shape[1] != model.nu:
            raise ValueError(f"controls have {control.data.shape[1]} columns, the model {model.nu}")
        return np.asarray(control.data, dtype=np.float64)
    places = TimeSeries.compute_all_control_mapping(model)
    result = np.zeros((len(control), model.nu))
    for name, (_, columns) in mapping.items():
        if name not in places:
            raise ValueError(f"{name!r} is not a control of the model; it has {list(places)}")
        result[:, places[name][1]] = control.data[:, columns]
    return result


def sysid_rollout(
    models: condyle.MjModel | Sequence[condyle.MjModel],
    datas: condyle.MjData | Sequence[condyle.MjData],
    control_signal: Sequence[TimeSeries] | TimeSeries,
    initial_states: ArrayLike | Sequence[ArrayLike],
    rollout_signal_mapping: SignalMappingType | None = None,
    rollout_state_mapping: SignalMappingType | None = None,
    ctrl_mapping: SignalMappingType | None = None,
) -> list[SystemTrajectory]:
    """Simulate motions under controls that have one sample for each step.

    Parameters
    ----------
    models
        One model, or one for each motion.
    datas
        Working memory, one for each thread.
    control_signal, initial_states
        Of each motion. n samples of controls give n - 1 steps.
    rollout_signal_mapping, rollout_state_mapping, ctrl_mapping
        Names of columns of sensors, states and controls; those of the model if None.

    Returns
    -------
    trajectories
        Sensors and states carry the simulated time after each step, and sensors are those computed
        in the step, at the state before it.
    """
    controls = [control_signal] if isinstance(control_signal, TimeSeries) else [*control_signal]
    states = np.atleast_2d(np.asarray(initial_states, dtype=np.float64))
    n = max(len(controls), len(states))
    alike = [models] * n if isinstance(models, condyle.MjModel) else [*models]
    controls, states = (
        controls * (n if len(controls) == 1 else 1),
        np.resize(states, (n, states.shape[1])),
    )
    if len(alike) == 1:
        alike *= n
    if not len(alike) == len(controls) == len(states):
        raise ValueError(f"{len(alike)} models, {len(controls)} controls, {len(states)} states")
    result: list[SystemTrajectory | None] = [None] * n
    for length in {len(control) for control in controls}:
        rows = [i for i in range(n) if len(controls[i]) == length]
        if length < 2:
            raise ValueError("controls need at least two samples, for one step")
        columns = [control_columns(alike[i], controls[i])[:-1] for i in rows]
        chosen = [alike[i] for i in rows]
        one = chosen[0] if all(m is chosen[0] for m in chosen) else chosen
        state, sensor = rollout(one, datas, states[rows], np.stack(columns))
        for k, i in enumerate(rows):
            names = (rollout_signal_mapping, rollout_state_mapping, ctrl_mapping)
            control, initial = TimeSeries(controls[i].times[:-1], columns[k]), states[i]
            result[i] = trajectory_of(alike[i], control, initial, state[k], sensor[k], names)
    return [trajectory for trajectory in result if trajectory is not None]


def trajectory_of(
    model: condyle.MjModel,
    control: TimeSeries,
    initial: Array,
    state: Array,
    sensor: Array,
    names: tuple[SignalMappingType | None, ...] = (None, None, None),
) -> SystemTrajectory:
    """Return a simulated motion from its states (n, nstate) and sensors (n, nsensordata)."""
    signals, states, controls = names
    if signals is None:
        signals = TimeSeries.compute_all_sensor_mapping(model)
    if states is None:
        states = state_mapping(model)
    if controls is None:
        controls = TimeSeries.compute_all_control_mapping(model)
    times = state[:, 0].copy()
    return SystemTrajectory(
        model,
        TimeSeries(control.times, control.data, controls),
        TimeSeries(times, sensor, signals),
        initial,
        TimeSeries(times, state, states),
    )


def state_mapping(model: condyle.MjModel) -> SignalMappingType:
    """Return names of qpos, qvel and act side by side."""
    mapping: SignalMappingType = {}
    for part in TimeSeries.compute_all_state_mappings(model)[:3]:
        mapping.update(part)
    return mapping


def render_rollout(
    model: condyle.MjModel | Sequence[condyle.MjModel],
    data: condyle.MjData,
    state: ArrayLike,
    framerate: int,
    camera: str | int = -1,
    width: int = 640,
    height: int = 480,
    light_pos: Sequence[float] | None = None,
) -> list[NDArray[np.uint8]]:
    """Return pictures (height, width, 3) of motions, ``framerate`` for each second.

    Parameters
    ----------
    model
        One model, or one for each motion; all are drawn into one picture.
    data
        Working memory.
    state
        (n, steps, nstate) of mjSTATE_FULLPHYSICS, or (steps, nstate).
    framerate
        Pictures for each second of simulated time.
    camera, width, height
        Camera by name or number, and size of the pictures.
    light_pos
        Where another light stands, in the world.
    """
    states = np.asarray(state, dtype=np.float64)
    states = states[None] if states.ndim == 2 else states
    models = [model] * len(states) if isinstance(model, condyle.MjModel) else [*model]
    if len(models) != len(states):
        raise ValueError(f"{len(models)} models, {len(states)} motions")
    times = states[0, :, 0]
    frames: list[NDArray[np.uint8]] = []
    option, pert = condyle.MjvOption(), condyle.MjvPerturb()
    datas = [data, *(condyle.MjData(m) for m in models[1:])]
    with condyle.Renderer(models[0], height, width) as renderer:
        for row in _frame_rows(times, framerate):
            for i, (m, d) in enumerate(zip(models, datas, strict=True)):
                condyle.mj_setState(m, d, states[i, row], state_bits.full())
                condyle.mj_forward(m, d)
                if i == 0:
                    renderer.update_scene(d, camera)
                else:
                    catmask = int(condyle.mjtCatBit.mjCAT_DYNAMIC)
                    condyle.mjv_addGeoms(m, d, option, pert, catmask, renderer.scene)
            if light_pos is not None and renderer.scene.nlight < len(renderer.scene.lights):
                _add_light(renderer.scene, light_pos)
            frames.append(renderer.render())
    return frames


def _frame_rows(times: Array, framerate: int) -> list[int]:
    """Rows of the first state at or after each picture's time."""
    n = int(np.floor((times[-1] - times[0]) * framerate)) + 1
    wanted = times[0] + np.arange(n) / framerate
    return [int(i) for i in np.minimum(np.searchsorted(times, wanted), len(times) - 1)]


def _add_light(scene: Any, position: Sequence[float]) -> None:
    light = scene.lights[scene.nlight]
    light.pos = position
    light.dir = [0, 0, -1]
    light.ambient = [0.2, 0.2, 0.2]
    light.diffuse = [0.5, 0.5, 0.5]
    scene.nlight += 1
