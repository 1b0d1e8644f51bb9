"""Residuals of recorded motions as functions of parameters.

``residual`` is the function of the parameters' numbers whose squares are minimised;
``build_residual_fn`` fixes its other arguments. It compiles one model for each candidate and rolls
all of them out together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import condyle
from condyle.sysid._compare import Comparison, ModifyResidualFn, Observations, Settings
from condyle.sysid._rollouts import Motion, Roller
from condyle.sysid._trajectory import ModelSequences, SystemTrajectory
from condyle.sysid.model_modifier import apply_param_modifiers
from condyle.sysid.parameter import ParameterDict
from condyle.sysid.timeseries import TimeSeries

Array: TypeAlias = NDArray[np.float64]
BuildModelFn: TypeAlias = Callable[[ParameterDict, condyle.MjSpec], condyle.MjModel]
CustomRolloutFn: TypeAlias = Callable[..., Sequence[SystemTrajectory]]
Residuals: TypeAlias = tuple[list[Array], list[list[TimeSeries]], list[list[TimeSeries]]]


def residual(
    x: ArrayLike,
    params: ParameterDict,
    models_sequences: Sequence[ModelSequences],
    build_model: BuildModelFn = apply_param_modifiers,
    modify_residual: ModifyResidualFn | None = None,
    custom_rollout: CustomRolloutFn | None = None,
    n_threads: int | None = None,
    return_pred_all: bool = False,
    resample_true: bool = True,
    sensor_weights: Mapping[str, float] | None = None,
    enabled_observations: Observations = (),
) -> Residuals:
    """Compare predicted with measured motions.

    Parameters
    ----------
    x
        Numbers of the parameters that are not frozen, (n,), or (n, k) for k candidates.
    params
        The parameters, which take x (the last candidate).
    models_sequences
        Recorded motions by systems.
    build_model
        ``build_model(params, spec)`` writes the parameters into a spec and compiles it.
    modify_residual
        ``modify_residual(params, predicted, measured, model, return_pred_all, state=...)`` returns
        the residual (n, width) with predicted and measured signals, which must have the same names,
        in place of what follows here.
    custom_rollout
        ``custom_rollout(models=, datas=, control_signal=, initial_states=, param_dicts=,
        rollout_signal_mapping=, rollout_state_mapping=, ctrl_mapping=)`` simulates, in place of
        ``sysid_rollout``.
    n_threads
        Threads; None: one for each processor.
    return_pred_all
        Return signals that are not enabled, too.
    resample_true
        Controls are interpolated to the steps of the model, and predictions to the measured times.
        False: both have a sample for each step, and of what was measured the first is dropped.
    sensor_weights
        Weights of signals by name.
    enabled_observations
        Names and types of the signals to compare; all if empty.

    Returns
    -------
    residuals, predicted, measured
        One entry for each motion: residuals (numbers,), or (numbers, k); lists of k TimeSeries.

    Notes
    -----
    The spec of each system is changed in place.
    """
    settings = Settings(
        modify_residual, return_pred_all, resample_true, sensor_weights, enabled_observations
    )
    result: Residuals = ([], [], [])
    for group in models_sequences:
        build = _built_with(build_model, group.spec)
        parts = _motions(
            x, params, build, group.measured_rollout, settings, custom_rollout, n_threads
        )
        result[0].extend(parts[0])
        result[1].extend(parts[1])
        result[2].extend(parts[2])
    return result


def _built_with(
    build_model: BuildModelFn, spec: condyle.MjSpec
) -> Callable[[ParameterDict], condyle.MjModel]:
    return lambda params: build_model(params, spec)


def model_residual(
    x: ArrayLike,
    params: ParameterDict,
    build_model: Callable[[ParameterDict], condyle.MjModel],
    traj_measured: Sequence[SystemTrajectory] | SystemTrajectory,
    modify_residual: ModifyResidualFn | None = None,
    custom_rollout: CustomRolloutFn | None = None,
    n_threads: int | None = None,
    return_pred_all: bool = False,
    resample_true: bool = True,
    sensor_weights: Mapping[str, float] | None = None,
    enabled_observations: Observations = (),
) -> Residuals:
    """Compare predicted with measured motions of one system: see ``residual``.

    ``build_model(params)`` returns the model.
    """
    settings = Settings(
        modify_residual, return_pred_all, resample_true, sensor_weights, enabled_observations
    )
    motions = [traj_measured] if isinstance(traj_measured, SystemTrajectory) else traj_measured
    return _motions(x, params, build_model, motions, settings, custom_rollout, n_threads)


def _motions(
    x: ArrayLike,
    params: ParameterDict,
    build_model: Callable[[ParameterDict], condyle.MjModel],
    measured: Sequence[SystemTrajectory],
    settings: Settings,
    custom_rollout: CustomRolloutFn | None,
    n_threads: int | None,
) -> Residuals:
    numbers = np.asarray(x, dtype=np.float64)
    columns = numbers.reshape(len(numbers), -1).T if numbers.ndim > 1 else numbers[None]
    dicts, models = [], []
    for column in columns:
        params.update_from_vector(column)
        models.append(build_model(params))
        dicts.append(params.copy())
    comparisons = [Comparison(models[0], motion, settings) for motion in measured]
    simulated = simulate(models, dicts, comparisons, custom_rollout, n_threads)
    result: Residuals = ([], [], [])
    for comparison, (state, sensor) in zip(comparisons, simulated, strict=True):
        candidates = [
            comparison.full(p, model, state[k], sensor[k])
            for k, (p, model) in enumerate(zip(dicts, models, strict=True))
        ]
        stacked = np.stack([r.ravel() for r, _, _ in candidates], axis=1)
        result[0].append(stacked if numbers.ndim > 1 else stacked[:, 0])
        result[1].append([predicted for _, predicted, _ in candidates])
        result[2].append([measured for _, _, measured in candidates])
    return result


def simulate(
    models: Sequence[condyle.MjModel],
    params: Sequence[ParameterDict],
    comparisons: Sequence[Comparison],
    custom_rollout: CustomRolloutFn | None,
    n_threads: int | None,
) -> list[tuple[Array, Array]]:
    """Return states (k, steps, nstate) and sensors of k models for each motion."""
    if custom_rollout is not None:
        return _simulate_custom(models, params, comparisons, custom_rollout, n_threads)
    # models with their own time step have their own controls
    steps = {float(model.opt.timestep) for model in models}
    if len(steps) == 1:
        motions = [Motion(c.measured.initial_state, c.control(models[0])[1]) for c in comparisons]
        return Roller(models[0], n_threads).run_models(models, motions)
    alone = [
        simulate([m], [p], comparisons, None, n_threads)
        for m, p in zip(models, params, strict=True)
    ]
    if len({len(part[0][0][0]) for part in alone}) > 1:
        raise ValueError("candidates whose time steps differ have different numbers of samples")
    return [
        (
            np.concatenate([part[i][0] for part in alone]),
            np.concatenate([part[i][1] for part in alone]),
        )
        for i in range(len(comparisons))
    ]


def _simulate_custom(
    models: Sequence[condyle.MjModel],
    params: Sequence[ParameterDict],
    comparisons: Sequence[Comparison],
    custom_rollout: CustomRolloutFn,
    n_threads: int | None,
) -> list[tuple[Array, Array]]:
    """All motions of all candidates in one call; candidates follow each other in each motion."""
    controls, initials, all_models, all_params = [], [], [], []
    for comparison in comparisons:
        for model, param in zip(models, params, strict=True):
            times, columns = comparison.control(model)
            control = comparison.measured.control
            if comparison.settings.resample_true:
                h = times[1] - times[0] if len(times) > 1 else model.opt.timestep
                times = np.append(times, times[-1] + h)
                control = control.resample(times)
            controls.append(control)
            initials.append(comparison.measured.initial_state)
            all_models.append(model)
            all_params.append(param)
    threads = n_threads or 2
    first = comparisons[0]
    found = custom_rollout(
        models=all_models,
        datas=[condyle.MjData(models[0]) for _ in range(threads)],
        control_signal=controls,
        initial_states=initials,
        param_dicts=all_params,
        rollout_signal_mapping=first.signals,
        rollout_state_mapping=first.states,
        ctrl_mapping=first.controls,
    )
    k = len(models)
    result = []
    for i in range(len(comparisons)):
        part = found[i * k : (i + 1) * k]
        states = [trajectory.state for trajectory in part]
        data = np.stack([s.data for s in states if s is not None])
        if len(data) != k:
            raise ValueError("custom_rollout must return trajectories with states")
        result.append((data, np.stack([trajectory.sensordata.data for trajectory in part])))
    return result


class ResidualFunction:
    """``residual`` with arguments fixed, as ``build_residual_fn`` returns it.

    ``f(x, params, **more)`` is ``residual(x, params, **arguments, **more)``.
    """

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self.arguments = dict(arguments)

    def __call__(self, x: ArrayLike, params: ParameterDict, **more: Any) -> Residuals:
        """Return residuals, predicted and measured signals."""
        return residual(x, params, **{**self.arguments, **more})


def build_residual_fn(**captured_kwargs: Any) -> ResidualFunction:
    """Return ``f(x, params, **more)``, which is ``residual`` with these arguments.

    Arguments of the call replace those given here.
    """
    return ResidualFunction(captured_kwargs)
