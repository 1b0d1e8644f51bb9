"""Time series: names, interpolation, files; signals shifted, scaled, compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import condyle

pytest.importorskip("condyle._condyle")

from condyle import sysid
from condyle.sysid import Parameter, SignalType, TimeSeries

_MODEL = """<mujoco><worldbody><body name="free"><freejoint/><geom size=".1"/>
<body><joint name="h"/><geom size=".1" pos="1 0 0"/></body></body>
<body pos="3 0 0"><joint name="ball" type="ball"/><geom size=".1"/></body></worldbody>
<actuator><motor name="m" joint="h"/><intvelocity name="v" joint="h" actrange="-1 1"/></actuator>
<sensor><jointpos name="q" joint="h"/><framepos name="p" objtype="body" objname="free"/>
<jointvel name="w" joint="h"/></sensor></mujoco>"""


def model() -> Any:
    return condyle.MjModel.from_xml_string(_MODEL)


def steps() -> TimeSeries:
    return TimeSeries(np.array([0.0, 1, 3]), np.array([[0.0, 0], [1, 10], [3, 0]]))


def named(n: int = 6) -> TimeSeries:
    t = np.arange(n, dtype=float)
    data = np.stack([t**2, 10 - t], axis=1)
    return TimeSeries.from_custom_map(t, data, ["a", "b"])


# making


@pytest.mark.parametrize(
    ("times", "data", "message"),
    [
        ([], [], "Empty arrays are not allowed"),
        (np.zeros((2, 2)), np.zeros(2), "times must be a 1D array, got 2D array"),
        ([0.0, 1], np.zeros(3), r"Length of times \(2\) and data \(3\) must match"),
        ([1.0, 1], np.zeros(2), "times must be strictly increasing"),
        ([0.0, np.nan], np.zeros(2), "times must be strictly increasing"),
    ],
)
def test_times_that_are_none_are_refused(times: Any, data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TimeSeries(np.asarray(times), np.asarray(data))


def test_all_sensors_are_named_in_the_order_of_their_numbers() -> None:
    ts = TimeSeries.from_names([0, 1], np.zeros((2, 5)), model())
    assert ts.signal_mapping is not None
    assert list(ts.signal_mapping) == ["q", "p", "w"]
    assert_array_equal(ts.get_indices("p")[1], [1, 2, 3])
    with pytest.raises(ValueError, match="data has 4 columns, and the sensors of the model 5"):
        TimeSeries.from_names([0, 1], np.zeros((2, 4)), model())


def test_names_of_states_become_canonical_and_columns_follow_the_names() -> None:
    names = ["w", "h", "h_qvel", "free", "v_act", ("ball", SignalType.MjStateQVel)]
    ts = TimeSeries.from_names([0, 1], np.zeros((2, 14)), model(), names)
    assert ts.signal_mapping is not None
    assert {k: (v[0].name, v[1].tolist()) for k, v in ts.signal_mapping.items()} == {
        "w": ("MjSensor", [0]),
        "h_qpos": ("MjStateQPos", [1]),
        "h_qvel": ("MjStateQVel", [2]),
        "free_qpos": ("MjStateQPos", list(range(3, 10))),
        "v_act": ("MjStateAct", [10]),
        "ball_qvel": ("MjStateQVel", [11, 12, 13]),
    }


@pytest.mark.parametrize("name", ["zz", "m", "m_ctrl", ("h", SignalType.MjCtrl)])
def test_what_is_not_observed_is_refused(name: Any) -> None:
    with pytest.raises(ValueError, match="not a sensor or state|observations of a model"):
        TimeSeries.from_names([0, 1], np.zeros((2, 1)), model(), [name])


def test_controls_are_named_after_actuators() -> None:
    ts = TimeSeries.from_control_names([0, 1], np.zeros((2, 2)), model())
    assert ts.signal_mapping is not None and list(ts.signal_mapping) == ["m_ctrl", "v_ctrl"]
    ts = TimeSeries.from_control_names([0, 1], np.zeros((2, 1)), model(), ["v"])
    assert ts.get_indices("v_ctrl")[0] is SignalType.MjCtrl
    with pytest.raises(ValueError, match="'h' is not an actuator"):
        TimeSeries.from_control_names([0, 1], np.zeros((2, 1)), model(), ["h"])


def test_mappings_of_states_count_columns_side_by_side() -> None:
    qpos, qvel, act, ctrl = TimeSeries.compute_all_state_mappings(model())
    assert {k: v[1].tolist() for k, v in qpos.items()} == {
        "free_qpos": [0, 1, 2, 3, 4, 5, 6],
        "h_qpos": [7],
        "ball_qpos": [8, 9, 10, 11],
    }
    assert qvel["ball_qvel"][1].tolist() == [19, 20, 21]
    assert act["v_act"][1].tolist() == [22] and list(ctrl) == ["m_ctrl", "v_ctrl"]


def test_columns_may_be_given_as_numbers_and_have_to_be_there() -> None:
    ts = TimeSeries.create([0, 1], np.zeros((2, 3)), {"a": (SignalType.CustomObs, 2)})
    assert_array_equal(ts.get_indices("a")[1], [2])
    with pytest.raises(ValueError, match="'b' is not a signal"):
        ts.get_indices("b")
    with pytest.raises(ValueError, match="data has 2 columns, and the signals 3"):
        TimeSeries.from_custom_map([0, 1], np.zeros((2, 2)), ["a", ("b", 2, SignalType.CustomObs)])


def test_slices_keep_the_columns_of_the_source_and_the_names_of_the_list() -> None:
    part = TimeSeries.slice_by_name(named(), ["b", "a"])
    assert_array_equal(part.data, named().data)
    assert part.signal_mapping is not None and list(part.signal_mapping) == ["b", "a"]
    assert_array_equal(TimeSeries.slice_by_name(named(), ["b"]).data, named().data[:, 1:])


# times


def test_interpolation_is_the_references() -> None:
    ts = steps()
    assert_allclose(ts.interpolate([-1, 0.5, 2, 9]), [[0, 0], [0.5, 5], [2, 5], [3, 0]])
    for method in ("zoh", "zero_order_hold"):
        assert_allclose(ts.interpolate([-1, 0.5, 2, 9], method), [[0, 0], [0, 0], [1, 10], [3, 0]])
    times, row = ts.get(0.5)
    assert row.shape == (1, 2) and times.shape == (1,)


def test_splines_are_the_references() -> None:
    t = np.array([0, 1.0, 3, 4, 6, 7, 8])
    ts = TimeSeries(t, np.sin(t))
    at = [0.5, 2.2, 3.3, 7.9, 9]
    quadratic = [0.52995861, 0.70736253, -0.13683504, 0.99036664, 0.98935825]
    cubic = [0.54244941, 0.72685926, -0.15059914, 1.01319141, 0.98935825]
    assert_allclose(ts.interpolate(at, "quadratic"), quadratic, atol=5e-9)
    assert_allclose(ts.interpolate(at, "cubic"), cubic, atol=5e-9)


@pytest.mark.parametrize(("method", "degree"), [("quadratic", 2), ("cubic", 3), ("quintic", 5)])
def test_a_spline_goes_through_its_samples_and_reproduces_its_polynomials(
    method: str, degree: int
) -> None:
    t = np.array([0, 0.3, 1, 1.7, 2, 3.1, 4, 4.2])
    power = np.random.default_rng(0).normal(size=degree + 1)
    ts = TimeSeries(t, np.polyval(power, t))
    at = np.linspace(0, 4.2, 57)
    assert_allclose(ts.interpolate(at, method), np.polyval(power, at), rtol=1e-9, atol=1e-9)
    rough = TimeSeries(t, np.random.default_rng(1).normal(size=8))
    assert_allclose(rough.interpolate(t, method), rough.data, atol=1e-12)


@pytest.mark.parametrize("degree", [2, 3, 5])
def test_splines_agree_with_scipys(degree: int) -> None:
    interpolate = pytest.importorskip("scipy.interpolate")
    random = np.random.default_rng(2)
    t = np.cumsum(random.uniform(0.1, 1, 30))
    data = random.normal(size=(30, 3))
    name = {2: "quadratic", 3: "cubic", 5: "quintic"}[degree]
    at = np.linspace(t[0], t[-1], 200)
    expected = interpolate.make_interp_spline(t, data, k=degree)(at)
    assert_allclose(TimeSeries(t, data).interpolate(at, name), expected, atol=1e-9)


def test_an_unknown_method_and_too_few_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="'nearest'"):
        steps().interpolate(0, "nearest")
    with pytest.raises(ValueError, match="degree 3 needs 4 samples, got 3"):
        steps().interpolate(0, "cubic")


def test_resampled_times_are_at_most_the_wanted_step_apart() -> None:
    assert_allclose(steps().resample(target_dt=0.8).times, [0, 0.75, 1.5, 2.25, 3])
    assert_allclose(steps().resample([0.5, 2.0]).data, [[0.5, 5], [2, 5]])
    with pytest.raises(ValueError, match="either new_times or target_dt"):
        steps().resample()


def test_the_beginning_is_removed_and_the_rest_starts_at_zero() -> None:
    part = steps().remove_from_beginning(0.5)
    assert_allclose(part.times, [0, 2])
    assert_allclose(part.data, [[1, 10], [3, 0]])
    for seconds, message in ((-1, "non-negative"), (20, "greater than the duration")):
        with pytest.raises(ValueError, match=message):
            steps().remove_from_beginning(seconds)


def test_statistics_are_those_of_the_steps() -> None:
    assert steps().dt_statistics() == {"mean": 1.5, "median": 1.5, "std": 0.5, "min": 1, "max": 2}


# files


def test_files_keep_data_and_names(tmp_path: Path) -> None:
    ts = TimeSeries.from_names([0, 1], np.random.default_rng(0).normal(size=(2, 5)), model())
    ts.save_to_disk(tmp_path / "a.npz")
    found = TimeSeries.load_from_disk(tmp_path / "a.npz")
    assert_array_equal(found.data, ts.data)
    assert found.signal_mapping is not None and ts.signal_mapping is not None
    assert {k: (v[0], v[1].tolist()) for k, v in found.signal_mapping.items()} == {
        k: (v[0], v[1].tolist()) for k, v in ts.signal_mapping.items()
    }
    steps().save_to_disk(tmp_path / "b.npz")
    assert TimeSeries.load_from_disk(tmp_path / "b.npz").signal_mapping is None


def test_text_files_have_the_time_first(tmp_path: Path) -> None:
    steps().save_to_csv(tmp_path / "a.csv")
    table = np.loadtxt(tmp_path / "a.csv", delimiter=",")
    assert_array_equal(table, np.column_stack([steps().times, steps().data]))


# signals


def test_bias_gain_and_delay_leave_the_series_as_it_was() -> None:
    ts = named()
    before = ts.data.copy()
    assert_allclose(
        sysid.apply_bias(ts, "a", Parameter("p", 2.0, 0, 3)).data[:, 0], before[:, 0] + 2
    )
    assert_allclose(
        sysid.apply_gain(ts, "b", Parameter("p", 2.0, 0, 3)).data[:, 1], 2 * before[:, 1]
    )
    late = sysid.apply_delay(ts, "a", Parameter("p", 0.25, 0, 1))
    assert_allclose(late.data[:, 0], [0, 0.75, 3.25, 7.75, 14.25, 22.75])
    assert_array_equal(late.data[:, 1], before[:, 1])
    assert_array_equal(ts.data, before)


def test_resampling_with_a_delay_is_the_references() -> None:
    ts = named()
    late = sysid.apply_resample_and_delay(ts, [1, 2, 3], 0.25)
    assert_allclose(late.data[:, 0], [0.75, 3.25, 7.75])
    early = sysid.apply_resample_and_delay(ts, [1, 2, 3], 0.25, predicted_data=False)
    assert_allclose(early.data[:, 0], [1.75, 5.25, 10.75])
    mixed = sysid.apply_resample_and_delay(ts, [1, 2, 3], 0.25, {"b": 1.0})
    assert_allclose(mixed.data, [[0.75, 10], [3.25, 9], [7.75, 8]])


def test_a_window_keeps_what_every_delay_needs_both_ends_included() -> None:
    part = sysid.apply_delayed_ts_window(named(8), named(6), -1.0, 2.0)
    assert_allclose(part.times, [1, 2, 3])
    with pytest.raises(ValueError, match="received 2 and 1"):
        sysid.apply_delayed_ts_window(named(), named(), 2, 1)


def test_places_of_sensors_are_in_the_order_of_names_or_sorted() -> None:
    m = model()
    assert sysid.get_sensor_indices(m, ["w", "p"]) == [4, 1, 2, 3]
    assert sysid.get_sensor_indices(m, ["w", "p"], sort=True) == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="Sensor not found in model: zz"):
        sysid.get_sensor_indices(m, "zz")


def test_residuals_are_normalised_by_the_measured_norm() -> None:
    found = sysid.normalize_residual(np.ones((3, 2)), [[1, 0], [2, 3], [2, 4]])
    assert_allclose(found, [[0.471404520791, 0.282842712475]] * 3, rtol=1e-11)
    assert_array_equal(sysid.normalize_residual(np.ones((2, 1)), np.zeros((2, 1))), [[1], [1]])


def test_weights_hold_for_every_number_of_a_sensor() -> None:
    measured, predicted = np.ones((2, 5)), np.zeros((2, 5))
    found = sysid.weighted_diff(predicted, measured, model(), {"p": 3.0, "w": 2.0})
    assert_array_equal(found, [[1, 3, 3, 3, 2]] * 2)
    assert_array_equal(sysid.weighted_diff(predicted, measured), measured)


def test_a_transform_applies_gain_and_bias_to_what_it_is_told() -> None:
    params = sysid.ParameterDict()
    for name, value in (("g", 2.0), ("o", 1.0)):
        params.add(Parameter(name, value, 0, 5))
    transform = sysid.SignalTransform(normalize=False)
    transform.gain("a*", params["g"], target="predicted")
    transform.bias("b", params["o"], target="measured")
    residual, predicted, measured = transform.apply(params, named(), named(), model(), False)
    assert_allclose(predicted.data[:, 0], 2 * named().data[:, 0])
    assert_allclose(measured.data[:, 1], named().data[:, 1] + 1)
    assert_allclose(residual, measured.data - predicted.data)
    transform.enable_sensors(["b"])
    transform.set_sensor_weights({"b": 3.0})
    residual, predicted, _ = transform.apply(params, named(), named(), model(), False)
    assert_allclose(residual, np.full((6, 1), 3.0))
    assert predicted.data.shape == (6, 1)
    assert transform.apply(params, named(), named(), model(), True)[0].shape == (6, 2)
    with pytest.raises(ValueError, match="target must be one of"):
        transform.gain("a", params["g"], target="all")  # type: ignore[arg-type]


def test_the_last_delay_that_fits_a_signal_counts() -> None:
    params = sysid.ParameterDict()
    for name, value in (("all", 1.0), ("one", 2.0)):
        params.add(Parameter(name, value, 0, 2))
    transform = sysid.SignalTransform(normalize=False)
    transform.delay("*", params["all"])
    transform.delay("b", params["one"])
    _, predicted, measured = transform.apply(params, named(), named(), model(), False)
    assert_allclose(measured.times, [0, 1, 2, 3])
    assert_allclose(predicted.data, [[0, 10], [0, 10], [1, 10], [4, 9]])
