"""``default_report``: what a fit found, how certain it is, and how well it predicts."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle.sysid._optimize import calculate_intervals
from condyle.sysid._residual import BuildModelFn
from condyle.sysid._trajectory import ModelSequences, control_columns, render_rollout, sysid_rollout
from condyle.sysid.model_modifier import apply_param_modifiers
from condyle.sysid.parameter import ParameterDict
from condyle.sysid.report import _svg, _video
from condyle.sysid.report._builder import ReportBuilder
from condyle.sysid.timeseries import TimeSeries

Array: TypeAlias = NDArray[np.float64]

_NEAR_BOUND = 1e-3
_CONFIDENCE = 95
_FPS = 15
_COLOURS = {
    "nominal": (0.2, 0.7, 0.2, 0.6),
    "initial": (0.9, 0.2, 0.2, 0.6),
    "fitted": (0.2, 0.4, 0.9, 1),
}


def default_report(
    models_sequences: Sequence[ModelSequences],
    initial_params: ParameterDict,
    opt_params: ParameterDict,
    residual_fn: Callable[..., Any],
    opt_result: Any,
    title: str = "SysID",
    save_path: str | PathLike[str] | None = None,
    build_model: BuildModelFn | None = apply_param_modifiers,
    generate_videos: bool = True,
) -> ReportBuilder:
    """Make a report of a fit.

    Parameters
    ----------
    models_sequences, initial_params, residual_fn
        What was fitted.
    opt_params, opt_result
        What ``optimize`` returned.
    title
        Title of the page.
    save_path
        Folder for ``report.html``; None: it is not written.
    build_model
        Makes the models of the pictures; None: there are none.
    generate_videos
        Draw the motions with nominal (green), initial (red) and fitted (blue) numbers; needs
        ``save_path``.

    Returns
    -------
    report
        The page, to which sections may be added.
    """
    if generate_videos and save_path is None:
        raise ValueError("generate_videos needs save_path, or pass generate_videos=False")
    report = ReportBuilder(title)
    x = opt_params.as_vector()
    params = opt_params.copy()
    fitted = residual_fn(x, params, return_pred_all=True)
    covariance, widths = calculate_intervals(residual_fn(x, params)[0], opt_result.jac)
    initial = residual_fn(initial_params.as_vector(), params, return_pred_all=True)
    residual_fn(x, params)
    if generate_videos and build_model is not None:
        report.add_section(
            "Motions", _videos(models_sequences, initial_params, opt_params, build_model)
        )
    report.add_section("Insights", _insights(opt_params, initial, fitted))
    report.add_section("Parameters", _parameters(initial_params, opt_params, widths))
    groups = [(g, i) for g in models_sequences for i in range(len(g))]
    for number, (group, i) in enumerate(groups):
        name = f"{group.name}, {group.sequence_name[i]}"
        report.add_section(f"Controls: {name}", _controls(group, i))
        report.add_section(f"Observations: {name}", _observations(initial, fitted, number))
    names = opt_params.get_non_frozen_parameter_names()
    report.add_section("Bounds and confidence", _bounds(initial_params, opt_params, widths))
    report.add_section("Covariance", _table(["", *names], _named(names, covariance)))
    report.add_section("Correlation", _svg.matrix(names, correlation(covariance)))
    if "extras" in opt_result and opt_result.extras.get("objective"):
        report.add_section("Search", _trace(names, opt_result.extras))
    if save_path is not None:
        folder = Path(save_path)
        folder.mkdir(parents=True, exist_ok=True)
        report.save(folder / "report.html")
    return report


def correlation(covariance: Array) -> Array:
    """Return the correlations (p, p) of a covariance, 0 where one is not defined."""
    deviation = np.sqrt(np.maximum(np.diag(covariance), 0))
    scale = np.outer(deviation, deviation)
    good = np.isfinite(covariance) & np.isfinite(scale) & (scale > 0)
    return np.asarray(np.where(good, covariance / np.where(good, scale, 1), 0.0))


def _half(parts: Sequence[Any]) -> float:
    return sum(0.5 * float(np.sum(np.square(part))) for part in parts)


def _insights(params: ParameterDict, initial: Any, fitted: Any) -> str:
    before, after = _half(initial[0]), _half(fitted[0])
    lines = [f"Half the sum of squared residuals went from {before:.6g} to {after:.6g}."]
    for name, value, low, high in zip(
        params.get_non_frozen_parameter_names(),
        params.as_vector(),
        *params.get_bounds(),
        strict=True,
    ):
        if min(value - low, high - value) < _NEAR_BOUND * (high - low):
            side = "lower" if value - low < high - value else "upper"
            lines.append(f"{name} = {value:.6g} lies at its {side} bound.")
    return "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>"


def _parameters(initial: ParameterDict, fitted: ParameterDict, widths: Array) -> str:
    heads = ["", "nominal", "initial", "fitted", f"{_CONFIDENCE} % within", "lower", "upper"]
    rows = []
    columns = [fitted.as_nominal_vector(), initial.as_vector(), fitted.as_vector()]
    spread = widths if len(widths) else np.full(len(columns[0]), np.nan)
    for i, name in enumerate(fitted.get_non_frozen_parameter_names()):
        numbers = [*(c[i] for c in columns), spread[i], *(b[i] for b in fitted.get_bounds())]
        cells = [f"{number:.6g}" for number in numbers]
        cells[3] = "±" + cells[3]
        rows.append([name, *cells])
    return _table(heads, rows)


def _controls(group: ModelSequences, i: int) -> str:
    control = group.control[i]
    columns = control_columns(group.gt_model, control)
    names = list(TimeSeries.compute_all_control_mapping(group.gt_model))
    return "".join(
        _svg.lines(name, [("control", _svg.MEASURED, control.times, columns[:, k])])
        for k, name in enumerate(names)
    )


def _observations(initial: Any, fitted: Any, number: int) -> str:
    measured, after, before = fitted[2][number][0], fitted[1][number][0], initial[1][number][0]
    width = measured.data.shape[1]
    labels = [f"column {k}" for k in range(width)]
    for name, (_, columns) in (measured.signal_mapping or {}).items():
        for k, column in enumerate(columns):
            labels[column] = name if len(columns) == 1 else f"{name}[{k}]"
    plots = []
    for k, label in enumerate(labels):
        series = [
            ("measured", _svg.MEASURED, measured.times, measured.data[:, k]),
            ("initial", _svg.INITIAL, before.times, before.data[:, k]),
            ("fitted", _svg.FITTED, after.times, after.data[:, k]),
        ]
        plots.append(_svg.lines(label, series))
    return "".join(plots)


def _bounds(initial: ParameterDict, fitted: ParameterDict, widths: Array) -> str:
    lower, upper = fitted.get_bounds()
    spread = widths if len(widths) else np.full(len(lower), np.nan)
    rows = [
        {"lower": a, "upper": b, "nominal": n, "initial": i, "fitted": f, "half_width": w}
        for a, b, n, i, f, w in zip(
            lower,
            upper,
            fitted.as_nominal_vector(),
            initial.as_vector(),
            fitted.as_vector(),
            spread,
            strict=True,
        )
    ]
    return _svg.between(fitted.get_non_frozen_parameter_names(), rows)


def _trace(names: Sequence[str], extras: Any) -> str:
    objective = np.asarray(extras["objective"])
    iterations = np.arange(len(objective))
    plots = [_svg.lines("objective", [("F", _svg.FITTED, iterations, objective)], log=True)]
    for i, name in enumerate(names):
        values = [np.ravel(candidate)[i] for candidate in extras["candidate"]]
        plots.append(_svg.lines(name, [("value", _svg.FITTED, iterations, values)]))
    return "".join(plots)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["<table><tr>" + "".join(f"<th>{html.escape(head)}</th>" for head in heads) + "</tr>"]
    for row in rows:
        lines.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>")
    return "".join(lines) + "</table>"


def _named(names: Sequence[str], values: Array) -> list[list[str]]:
    return [[name, *(f"{v:.4g}" for v in row)] for name, row in zip(names, values, strict=False)]


def _videos(
    groups: Sequence[ModelSequences],
    initial: ParameterDict,
    fitted: ParameterDict,
    build_model: BuildModelFn,
) -> str:
    """One moving picture for each system, of its first motion."""
    nominal = initial.copy()
    nominal.reset()
    variants = {"nominal": nominal, "initial": initial.copy(), "fitted": fitted.copy()}
    parts = []
    for group in groups:
        models, states = [], []
        for which, params in variants.items():
            model = build_model(params, group.spec)
            model.geom_matid[:] = -1
            moving = model.body_weldid[model.geom_bodyid] > 0
            model.geom_rgba[moving] = _COLOURS[which]
            control = group.control[0].resample(target_dt=float(model.opt.timestep))
            data = condyle.MjData(model)
            motion = sysid_rollout(model, data, control, group.initial_state[0])[0]
            assert motion.state is not None
            models.append(model)
            states.append(motion.state.data)
        length = min(len(state) for state in states)
        stacked = np.stack([state[:length] for state in states])
        title = html.escape(f"{group.name}: nominal green, initial red, fitted blue")
        try:
            frames = render_rollout(
                models, condyle.MjData(models[0]), stacked, _FPS, width=480, height=360
            )
        except (condyle.FatalError, ImportError, RuntimeError, ValueError) as error:
            parts.append(f"<p>{title}: no pictures ({html.escape(str(error))}).</p>")
            continue
        parts.append(f"<p>{title}</p>" + _video.element(frames, _FPS, title))
    return "".join(parts)
