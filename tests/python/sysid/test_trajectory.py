"""Motions: initial states, records, groups, rollouts, pictures, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import condyle

pytest.importorskip("condyle._condyle")

from sysid_problems import Pendulum

from condyle import sysid
from condyle.sysid import TimeSeries

_MODEL = """<mujoco><worldbody><body name="free" pos="0 0 2"><freejoint/><geom size=".1"/></body>
<body><joint name="h"/><geom size=".1" pos="1 0 0"/></body></worldbody>
<actuator><motor name="m" joint="h"/><intvelocity name="v" joint="h" actrange="-1 1"/></actuator>
<sensor><jointpos name="q" joint="h"/><jointvel name="w" joint="h"/></sensor></mujoco>"""


def model() -> Any:
    return condyle.MjModel.from_xml_string(_MODEL)


def test_named_numbers_are_placed_and_the_rest_is_that_of_a_reset() -> None:
    m = model()
    state = sysid.create_initial_state(m, [0.5], [2.0], [0.3], ["h_qpos"], ["h_qvel"], ["v_act"])
    qpos = [0, 0, 2, 1, 0, 0, 0, 0.5]
    assert_allclose(state[: 1 + m.nq + m.nv + m.na], [0, *qpos, *[0] * 6, 2, 0.3])
    assert_allclose(sysid.create_initial_state(m, qpos)[: 1 + m.nq], [0, *qpos])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.0, 1],), "Expected qpos to have shape 8, got 2."),
        ((np.zeros(8), np.zeros(3)), "Expected qvel to have shape 7, got 3."),
        ((np.zeros(2), None, None, ["h_qpos"]), "Expected qpos to have shape 1, got 2."),
        ((np.zeros(1), None, None, ["k_qpos"]), "'k_qpos' is not in the qpos of the model"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sysid.create_initial_state(model(), *arguments)


def test_a_rollout_has_a_step_less_than_controls_and_simulated_times() -> None:
    found = Pendulum(noisy=False).truth
    assert len(found) == 399 and found.sensordim == 2
    assert_allclose(found.sensordata.times[[0, -1]], [0.005, 1.995])
    assert_allclose(found.sensordata.data[0], [0.6, 0])
    assert_allclose(found.sensordata.data[199], [-0.0759265819377, 1.15010778849], rtol=1e-9)
    assert_allclose(found.sensordata.data[-1], [-0.363422281268, 0.0641423580239], rtol=1e-9)
    # sensors are those of the state before the step
    assert found.state is not None
    assert_allclose(found.state.data[:-1, 1:], found.sensordata.data[1:], atol=1e-12)
    assert_array_equal(found.state.data[:, 0], found.state.times)


def test_rollouts_of_several_models_and_lengths_are_those_of_each_alone() -> None:
    p = Pendulum()
    light = p.sequences().gt_model
    short = TimeSeries(p.controls.times[:50], p.controls.data[:50], p.controls.signal_mapping)
    data = [condyle.MjData(p.model), condyle.MjData(p.model)]
    pair = sysid.sysid_rollout([p.model, light], data, [p.controls, short], [p.initial, p.initial])
    alone = sysid.sysid_rollout(light, data[0], short, p.initial)[0]
    assert [len(t) for t in pair] == [399, 49]
    assert_array_equal(pair[1].sensordata.data, alone.sensordata.data)
    assert_allclose(pair[0].sensordata.data, p.truth.sensordata.data, atol=1e-12)


def test_controls_are_placed_by_their_names() -> None:
    m = model()
    times = np.array([0.0, 0.002, 0.004])
    data = np.random.default_rng(0).normal(size=(3, 2))
    state = sysid.create_initial_state(m, model().qpos0)
    one = TimeSeries.from_control_names(times, data, m, ["m", "v"])
    other = TimeSeries.from_control_names(times, data[:, ::-1], m, ["v", "m"])
    found = [sysid.sysid_rollout(m, condyle.MjData(m), c, state)[0] for c in (one, other)]
    assert found[0].state is not None and found[1].state is not None
    assert_array_equal(found[0].state.data, found[1].state.data)


def test_widths_are_checked_against_the_model() -> None:
    p = Pendulum()
    trajectory = p.sequences().measured_rollout[0]
    trajectory.check_compatible()
    with pytest.raises(ValueError, match="Initial state dimension 2 does not match"):
        trajectory.replace(initial_state=np.zeros(2)).check_compatible()
    wide = TimeSeries(p.measured.times, np.zeros((399, 3)))
    with pytest.raises(ValueError, match="Sensor dimension 3 does not match"):
        trajectory.replace(sensordata=wide).check_compatible()
    trajectory.replace(sensordata=wide).check_compatible(allow_missing_sensors=True)
    with pytest.raises(ValueError, match="Control dimension 3 does not match"):
        trajectory.replace(control=wide).check_compatible()


def test_columns_of_joints_are_found_by_what_they_measure() -> None:
    trajectory = Pendulum(noisy=False).truth
    data = trajectory.sensordata.data
    assert_array_equal(trajectory.get_sensordata_slice("joint_vel"), data[:, 1:])
    with pytest.raises(ValueError, match="Unsupported sensor type: x"):
        trajectory.get_sensordata_slice("x")


def test_pieces_begin_in_the_state_before_them_and_keep_names() -> None:
    p = Pendulum(noisy=False)
    pieces = p.truth.split(100)
    assert [len(piece) for piece in pieces] == [100, 100, 100]
    piece = pieces[1]
    assert piece.control.signal_mapping == p.truth.control.signal_mapping
    control = piece.control.resample(
        np.append(piece.control.times, piece.control.times[-1] + 0.005)
    )
    again = sysid.sysid_rollout(p.model, condyle.MjData(p.model), control, piece.initial_state)[0]
    assert_allclose(again.sensordata.data, piece.sensordata.data, atol=1e-9)
    with pytest.raises(ValueError, match="Cannot split rollout with missing state field"):
        p.sequences().measured_rollout[0].split(3)


def test_files_keep_a_motion(tmp_path: Path) -> None:
    p = Pendulum()
    p.truth.save_to_disk(tmp_path / "t.npz")
    found = sysid.SystemTrajectory.load_from_disk(tmp_path / "t.npz", p.model)
    assert found.state is not None and p.truth.state is not None
    assert_array_equal(found.state.data, p.truth.state.data)
    assert_array_equal(found.control.data, p.truth.control.data)
    assert found.sensordata.signal_mapping is not None
    measured = p.sequences().measured_rollout[0]
    measured.save_to_disk(tmp_path / "m.npz")
    assert sysid.SystemTrajectory.load_from_disk(tmp_path / "m.npz", p.model).state is None


def test_groups_are_indexed_and_lists_must_be_equally_long() -> None:
    p = Pendulum()
    group = p.sequences()
    pair = sysid.ModelSequences(
        "two", group.spec, ["a", "b"], [p.initial] * 2, [p.controls] * 2, [p.measured] * 2
    )
    assert len(pair) == 2 and pair[1].sequence_name == ["b"] and len(pair[0:2]) == 2
    with pytest.raises(IndexError):
        pair[2]
    with pytest.raises(ValueError, match="equally long"):
        sysid.ModelSequences("x", group.spec, ["a", "b"], p.initial, p.controls, p.measured)


def test_signals_of_the_state_are_predicted_too() -> None:
    p = Pendulum(noisy=False)
    assert p.truth.state is not None
    measured = TimeSeries.from_names(
        p.truth.state.times, p.truth.state.data[:, [2, 1]], p.model, ["j_qvel", "j"]
    )
    predicted, same = sysid.construct_ts_from_defaults(p.truth.state, p.truth.sensordata, measured)
    assert same is measured
    assert_array_equal(predicted.data, measured.data)
    with pytest.raises(ValueError, match="needs a modify_residual"):
        own = TimeSeries.from_custom_map(measured.times, measured.data, ["a", "b"])
        sysid.construct_ts_from_defaults(p.truth.state, p.truth.sensordata, own)


def test_a_motion_is_drawn_as_often_as_asked() -> None:
    p = Pendulum(noisy=False)
    try:
        frames = p.truth.render(height=24, width=32, fps=5)
    except (condyle.FatalError, RuntimeError, ImportError) as error:
        pytest.skip(f"nothing can be drawn here: {error}")
    assert len(frames) == 10 and frames[0].shape == (24, 32, 3)
    assert p.truth.state is not None
    both = np.stack([p.truth.state.data, p.truth.state.data])
    data = condyle.MjData(p.model)
    frames = sysid.render_rollout(
        [p.model, p.model], data, both, 2, width=32, height=24, light_pos=[0, 0, 3]
    )
    assert len(frames) == 4
