"""``save_results``: a fit as files."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from condyle._support.output import write_file
from condyle.sysid._optimize import calculate_intervals
from condyle.sysid._trajectory import ModelSequences
from condyle.sysid.parameter import ParameterDict


def save_results(
    experiment_results_folder: str | PathLike[str],
    models_sequences: Sequence[ModelSequences],
    initial_params: ParameterDict,
    opt_params: ParameterDict,
    opt_result: Any,
    residual_fn: Callable[..., Any],
) -> None:
    """Write what was fitted, and how certain it is.

    Parameters
    ----------
    experiment_results_folder
        Folder, made if it is missing. It gets ``params_x_0.yaml`` and ``params_x_hat.yaml``
        (parameters before and after), ``results.pkl`` (the result), ``confidence.pkl`` (``cov`` and
        ``intervals``) and for each system NAME.xml with the fitted numbers.
    models_sequences, initial_params, residual_fn
        What was fitted.
    opt_params, opt_result
        What ``optimize`` returned.
    """
    folder = Path(experiment_results_folder)
    folder.mkdir(parents=True, exist_ok=True)
    initial_params.save_to_disk(folder / "params_x_0.yaml")
    opt_params.save_to_disk(folder / "params_x_hat.yaml")
    residuals = residual_fn(opt_params.as_vector(), opt_params.copy())[0]
    covariance, intervals = calculate_intervals(residuals, opt_result.jac)
    write_file(folder / "results.pkl", pickle.dumps(opt_result))
    confidence = {"cov": covariance, "intervals": intervals}
    write_file(folder / "confidence.pkl", pickle.dumps(confidence))
    for group in models_sequences:
        write_file(folder / f"{group.name}.xml", group.spec.to_xml().encode())
