"""Fits: residuals, paths and intervals of the reference; systems whose numbers are known."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

import condyle

pytest.importorskip("condyle._condyle")

from sysid_problems import Pendulum, half, recorded, set_mass

from condyle import sysid
from condyle.sysid import Parameter, ParameterDict, SignalType, TimeSeries
from condyle.sysid._problem import Problem
from condyle.sysid._student import quantile

Array = NDArray[np.float64]

_NOISY = np.array([1.29982588023, 0.300478358399])


def fit(p: Pendulum, params: ParameterDict | None = None, **options: Any) -> Any:
    begin = p.params() if params is None else params
    return sysid.optimize(begin, p.residual_fn(), verbose=False, **options)[1]


# residuals


def test_residuals_at_the_start_are_the_references() -> None:
    p = Pendulum()
    residuals, predicted, measured = p.residual_fn()(p.params().as_vector(), p.params())
    first = [6.76246072153e-07, 0.000386580167967, -0.000150421779494, -0.0011246889572]
    assert residuals[0].shape == (798,)
    assert_allclose(residuals[0][:4], first, rtol=1e-9)
    assert_allclose(half(residuals), 0.124831605297, rtol=1e-10)
    assert len(predicted[0]) == 1 and predicted[0][0].data.shape == (399, 2)
    assert measured[0][0].signal_mapping == p.measured.signal_mapping


def test_weights_and_enabled_signals_are_the_references() -> None:
    p = Pendulum()
    x = p.params().as_vector()
    weighted = p.residual_fn(sensor_weights={"w": 2})(x, p.params())
    assert_allclose(half(weighted[0]), 0.307463220789, rtol=1e-10)
    q = p.residual_fn(enabled_observations=[("q", SignalType.MjSensor)])(x, p.params())
    assert_allclose(half(q[0]), 0.0639544001332, rtol=1e-10)
    with pytest.raises(ValueError, match="'q' is a MjSensor, not a CustomObs"):
        p.residual_fn(enabled_observations=[("q", SignalType.CustomObs)])(x, p.params())


def test_candidates_side_by_side_are_columns() -> None:
    p = Pendulum()
    residuals, predicted, _ = p.residual_fn()([[1, 1.1], [0.1, 0.1]], p.params())
    assert residuals[0].shape == (798, 2) and len(predicted[0]) == 2
    f = [half([residuals[0][:, k]]) for k in range(2)]
    assert_allclose(f, [0.124831605297, 0.133213451251], rtol=1e-10)


def test_parameters_and_spec_hold_the_point_after_the_call() -> None:
    p = Pendulum()
    params, sequences = p.params(), p.sequences()
    sysid.residual([2.0, 0.5], params, [sequences])
    assert_array_equal(params.as_vector(), [2, 0.5])
    assert sequences.spec.geom("ball").mass == 2
    # a parameter that is frozen later does not restore it
    params["mass"].frozen = True
    params.reset()
    assert_allclose(half(sysid.residual([0.1], params, [sequences])[0]), 0.446568542432, rtol=1e-10)


def test_a_transform_gives_the_references_residual() -> None:
    p = Pendulum()
    params = p.params()
    for name, value, low, high in (("d", 0.004, 0, 0.02), ("g", 1.1, 0, 2), ("o", 0.05, -1, 1)):
        params.add(Parameter(name, value, low, high))
    transform = sysid.SignalTransform()
    transform.delay("*", params["d"])
    transform.gain("q", params["g"], target="predicted")
    transform.bias("w", params["o"], target="measured")
    f = p.residual_fn(modify_residual=transform.apply)
    residuals, _, measured = f(params.as_vector(), params)
    assert residuals[0].shape == (788,)
    assert_allclose(measured[0][0].times[[0, -1]], [0.005, 1.97])
    assert_allclose(half(residuals), 0.179155829568, rtol=1e-10)


def test_rows_are_compared_one_to_one_without_resampling() -> None:
    p = Pendulum(noisy=False)
    data = np.concatenate([[[9, 9]], p.truth.sensordata.data])
    sequences = p.sequences()
    times = 0.005 * np.arange(400)
    sequences.measured_rollout[0] = sequences.measured_rollout[0].replace(
        sensordata=TimeSeries.from_names(times, data, p.model)
    )
    residuals = sysid.residual([1.3, 0.3], p.params(), [sequences], resample_true=False)[0]
    assert_allclose(residuals[0], 0, atol=1e-12)


def test_names_must_come_out_of_a_residual_of_ones_own_as_a_pair() -> None:
    def modify(params: Any, predicted: Any, measured: Any, *_: Any, **more: Any) -> Any:
        assert more["state"].shape == (399, 3)
        part = TimeSeries.slice_by_name(predicted, ["q"])
        return predicted.data - measured.data, part, measured

    p = Pendulum()
    with pytest.raises(ValueError, match="must return predicted and measured signals of the same"):
        p.residual_fn(modify_residual=modify)([1.0, 0.1], p.params())


def test_a_rollout_of_ones_own_may_shift_controls() -> None:
    """The delay of an actuator, for which the engine has no attribute: controls come later."""
    p = Pendulum(noisy=False)
    late = p.controls.resample(p.controls.times - 0.017)
    shifted = TimeSeries(p.controls.times, late.data, p.controls.signal_mapping)
    truth = sysid.sysid_rollout(p.model, condyle.MjData(p.model), shifted, p.initial)[0]
    p.measured = TimeSeries.from_names(truth.sensordata.times, truth.sensordata.data, p.model)

    def delayed(*, control_signal: Any, param_dicts: Any, **arguments: Any) -> Any:
        controls = []
        for control, params in zip(control_signal, param_dicts, strict=True):
            data = control.interpolate(control.times - params["delay"].value[0])
            controls.append(TimeSeries(control.times, data, control.signal_mapping))
        arguments.pop("ctrl_mapping")
        return sysid.sysid_rollout(control_signal=controls, **arguments)

    params = p.params()
    params.add(Parameter("delay", 0.002, 0.0, 0.05))
    f = sysid.build_residual_fn(models_sequences=[p.sequences()], custom_rollout=delayed)
    found, _ = sysid.optimize(params, f, verbose=False)
    assert_allclose(found.as_vector(), [1.3, 0.3, 0.017], rtol=2e-3)


# the pendulum of the reference


@pytest.mark.parametrize("jacobian", ["auto", "exact", "differences"])
def test_the_path_of_a_fit_is_the_references(jacobian: Any) -> None:
    result = fit(Pendulum(), jacobian=jacobian)
    objective = [0.124831605297, 0.00758303149638, 0.000416216347517, 0.000359110544551]
    assert_allclose(result.extras["objective"][:4], objective, rtol=2e-6)
    assert_allclose(result.extras["objective"][-1], 0.000359105545292, rtol=1e-9)
    path = [[1, 0.1], [1.21040646267, 0.237477074778], [1.29145005579, 0.294370991421]]
    assert_allclose(result.extras["candidate"][:3], path, rtol=1e-7)
    assert_allclose(result.x, _NOISY, rtol=1e-8)
    assert result.jac.shape == (798, 2) and result.grad.shape == (2, 1)


def test_exact_derivatives_need_no_rollout_but_those_of_the_path() -> None:
    exact, differences = (fit(Pendulum(), jacobian=kind) for kind in ("exact", "differences"))
    assert exact.count.rollouts == len(exact.extras["objective"]) == 6
    assert exact.count.passes == 6
    assert differences.count.rollouts == 18 and differences.count.passes == 0
    assert_allclose(exact.jac, differences.jac, rtol=1e-5, atol=1e-6)


def test_clean_data_give_the_truth() -> None:
    result = fit(Pendulum(noisy=False), jacobian="exact")
    assert_allclose(result.x, [1.3, 0.3], rtol=1e-7)
    assert half([result.extras["objective"][-1]]) < 1e-15


def test_intervals_are_the_references() -> None:
    p = Pendulum()
    result = fit(p)
    covariance, widths = sysid.calculate_intervals(
        p.residual_fn()(result.x, p.params())[0], result.jac
    )
    expected = [[1.96931804672e-6, 5.80690739988e-7], [5.80690739988e-7, 3.20526491401e-7]]
    assert_allclose(covariance, expected, rtol=1e-5)
    assert_allclose(widths, [0.00275465285819, 0.0011113245573], rtol=1e-5)


def test_bounds_hold_and_frozen_parameters_stay() -> None:
    assert_allclose(
        fit(Pendulum(), Pendulum().params(max_value=1.2)).x, [1.2, 0.271453217008], rtol=1e-7
    )
    params = Pendulum().params(frozen=True)
    assert_allclose(fit(Pendulum(), params).x, [0.216476139383], rtol=1e-7)


def test_the_number_of_iterations_is_limited() -> None:
    assert_allclose(fit(Pendulum(), max_iters=2).x, [1.29145005579, 0.294370991421], rtol=1e-7)


@pytest.mark.parametrize("scale", ["jac", [2.0, 0.5], 3.0])
def test_scales_of_parameters_change_the_path_and_not_the_end(scale: Any) -> None:
    assert_allclose(fit(Pendulum(), x_scale=scale).x, _NOISY, rtol=1e-7)


@pytest.mark.parametrize("optimizer", ["scipy", "scipy_parallel_fd"])
def test_scipys_method_finds_the_same(optimizer: Any) -> None:
    pytest.importorskip("scipy.optimize")
    assert_allclose(fit(Pendulum(), optimizer=optimizer).x, _NOISY, rtol=1e-7)
    soft = fit(Pendulum(), optimizer=optimizer, loss="soft_l1")
    assert_allclose(soft.x, _NOISY, rtol=1e-4)


def test_what_is_given_stays_and_the_copy_has_the_numbers() -> None:
    p = Pendulum()
    params = p.params()
    found, result = sysid.optimize(params, p.residual_fn(), verbose=False)
    assert_array_equal(params.as_vector(), [1, 0.1])
    assert_array_equal(found.as_vector(), result.x)


def test_a_silent_fit_prints_nothing(capsys: Any) -> None:
    fit(Pendulum())
    assert capsys.readouterr().out == ""


def test_any_function_may_be_fitted() -> None:
    p = Pendulum()
    inner = p.residual_fn()
    calls = []

    def counted(x: Array, params: ParameterDict) -> Any:
        calls.append(x.shape)
        return inner(x, params)

    result = sysid.optimize(p.params(), counted, verbose=False)[1]
    assert_allclose(result.x, _NOISY, rtol=1e-8)
    assert (2, 2) in calls and (2, 1) in calls


def test_wrong_choices_and_lonely_starts_are_told(caplog: Any) -> None:
    p = Pendulum()
    with pytest.raises(ValueError, match="Unsupported optimizer: 'foo'"):
        sysid.optimize(p.params(), p.residual_fn(), optimizer="foo")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="jacobian must be"):
        sysid.optimize(p.params(), p.residual_fn(), jacobian="foo")  # type: ignore[arg-type]
    with caplog.at_level(logging.WARNING, "condyle.sysid"):
        fit(p, p.params(nominal=5.0), max_iters=1)
        frozen = p.params(frozen=True)
        frozen["damping"].frozen = True
        assert fit(p, frozen).x.size == 0
    assert "mass starts at 5, close to a bound of [0.2, 5]." in caplog.text
    assert "all are frozen" in caplog.text


def test_parameters_that_can_not_be_told_apart_are_told(caplog: Any) -> None:
    p = Pendulum()
    params = p.params()
    params.add(Parameter("idle", 0.5, 0, 1))
    with caplog.at_level(logging.WARNING, "condyle.sysid"):
        fit(p, params, check_conditioning=True, max_iters=1)
    assert "condition number inf" in caplog.text


# uncertainty


def test_intervals_of_given_numbers_are_the_references() -> None:
    residuals, jac = [[0.1, -0.2], [0.3, 0.1]], [[1, 0], [0, 2], [0, 0], [1, 1]]
    covariance, widths = sysid.calculate_intervals(np.array(residuals), np.array(jac))
    expected = [[0.0416666666667, -0.00833333333333], [-0.00833333333333, 0.0166666666667]]
    assert_allclose(covariance, expected, rtol=1e-10)
    assert_allclose(widths, [0.87827531069, 0.555470078894], rtol=1e-10)
    assert_allclose(
        sysid.calculate_intervals(residuals, jac, alpha=0.1)[1],
        [0.596039560679, 0.376968517463],
        rtol=1e-10,
    )
    assert sysid.calculate_intervals(residuals, None)[0].size == 0


def test_what_no_residual_depends_on_is_not_known_at_all() -> None:
    jac = np.array([[1.0, 0], [2, 0], [3, 0]])
    widths = sysid.calculate_intervals([np.array([0.1, 0.2, -0.1])], jac)[1]
    assert np.isfinite(widths[0]) and np.isinf(widths[1])


def test_quantiles_of_students_t_are_the_tables() -> None:
    assert_allclose(quantile(0.975, 1), 12.706204736174694, rtol=1e-12)
    assert_allclose(quantile(0.975, 10), 2.228138851986274, rtol=1e-12)
    assert_allclose(quantile(0.95, 1e6), 1.6448551507, rtol=1e-8)
    assert_allclose(quantile(0.975, 2), 4.302652729749462, rtol=1e-12)


# models that are written instead of compiled


def _problem(p: Pendulum, params: ParameterDict, **options: Any) -> Problem:
    return Problem(params, p.residual_fn(**options).arguments)


def test_written_models_give_the_numbers_of_compiled_ones() -> None:
    p = Pendulum()
    problem = _problem(p, p.params())
    assert problem.systems[0].variants.map is not None
    random = np.random.default_rng(0)
    for _ in range(5):
        x = random.uniform(*p.params().get_bounds())
        expected = p.residual_fn()(x, p.params())[0][0]
        assert_allclose(problem.residual(x[:, None])[:, 0], expected, atol=1e-11)
    compiled = problem.count.compiled
    problem.residual(np.ones((2, 7)))
    assert problem.count.compiled == compiled


def test_modifiers_that_are_not_linear_are_compiled() -> None:
    def logarithm(spec: Any, param: Parameter) -> None:
        spec.geom("ball").mass = np.exp(param.value[0])

    p = Pendulum()
    params = p.params()
    params.add(Parameter("mass", 0.0, -1.5, 1.5, modifier=logarithm))
    assert _problem(p, params).systems[0].variants.map is None
    for jacobian in ("exact", "differences"):
        result = fit(p, params, jacobian=jacobian)
        assert_allclose([np.exp(result.x[0]), result.x[1]], _NOISY, rtol=1e-7)


def test_points_that_a_modifier_refuses_matter_only_where_the_search_goes() -> None:
    def careful(spec: Any, param: Parameter) -> None:
        if param.value[0] > 1.5:
            raise ValueError("too heavy")
        set_mass(spec, param)

    p = Pendulum()
    params = p.params()
    params.add(Parameter("mass", 1.0, 0.2, 5.0, modifier=careful))
    assert_allclose(fit(p, params).x, _NOISY, rtol=1e-7)


def test_a_modifier_that_changes_its_mind_is_found_out() -> None:
    def kinked(spec: Any, param: Parameter) -> None:
        mass = param.value[0]
        spec.geom("ball").mass = mass + 3 * max(0.0, 0.05 - abs(mass - 1.25))

    p = Pendulum()
    params = p.params()
    params.add(Parameter("mass", 1.0, 0.2, 5.0, modifier=kinked))
    problem = _problem(p, params)
    assert problem.systems[0].variants.map is not None
    assert problem.settle(np.array([2.0, 0.3]))
    assert not problem.settle(np.array([1.25, 0.3]))
    assert problem.settle(np.array([1.25, 0.3]))
    x = np.array([1.25, 0.3])
    assert_allclose(
        problem.residual(x[:, None])[:, 0], p.residual_fn()(x, params)[0][0], atol=1e-11
    )


def test_sizes_of_shapes_which_worlds_share_are_fitted_too() -> None:
    def radius(spec: Any, param: Parameter) -> None:
        spec.geom("ball").size[0] = param.value[0]

    p = Pendulum(noisy=False)
    params = ParameterDict()
    params.add(Parameter("radius", 0.09, 0.02, 0.2, modifier=radius))
    spec = condyle.MjSpec.from_string(
        """<mujoco><option timestep=".005"/><worldbody><body><joint name="j" axis="0 1 0"/>
        <geom name="ball" size=".05" pos="0 0 -.5"/></body></worldbody>
        <actuator><motor name="m" joint="j"/></actuator>
        <sensor><jointpos name="q" joint="j"/></sensor></mujoco>"""
    )
    group = recorded(spec, {"radius": 0.05}, params, [p.controls.data], [np.array([0.6])])
    f = sysid.build_residual_fn(models_sequences=[group])
    found, _ = sysid.optimize(params, f, verbose=False)
    assert_allclose(found.as_vector(), [0.05], rtol=1e-6)


def test_a_motion_that_explodes_is_no_improvement() -> None:
    p = Pendulum(noisy=False)
    params = ParameterDict()
    params.add(Parameter("mass", 1.0, 0.2, 5.0, modifier=set_mass))

    def gain(spec: Any, param: Parameter) -> None:
        spec.actuator("m").gainprm[0] = param.value[0]

    params.add(Parameter("gain", 1.0, -1e14, 1e14, modifier=gain))
    problem = _problem(p, params)
    found = problem.residual(np.array([[1.0, 1.0], [1.0, 1e14]]))
    assert np.isfinite(found[:, 0]).all() and not np.isfinite(found[:, 1]).any()
