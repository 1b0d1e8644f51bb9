"""System identification: numbers of a model fitted to recorded motion.

::

    def write(spec, param):
        spec.geom("ball").mass = param.value[0]

    mass = Parameter("mass", 1.0, 0.2, 5.0, modifier=write)
    params = ParameterDict({"mass": mass})
    recorded = ModelSequences("arm", spec, "first run", initial_state, controls, measured)
    fitted, result = optimize(params, build_residual_fn(models_sequences=[recorded]))

Parameters are written into an ``MjSpec``, its model is rolled out from a measured state under
measured controls, and box-constrained least squares brings predicted and measured signals together.
"""

from __future__ import annotations

from condyle.sysid import model_modifier, parameter, report, signal_modifier
from condyle.sysid._compare import ModifyResidualFn, construct_ts_from_defaults
from condyle.sysid._optimize import OptimizeResult, calculate_intervals, optimize
from condyle.sysid._residual import (
    BuildModelFn,
    CustomRolloutFn,
    build_residual_fn,
    model_residual,
    residual,
)
from condyle.sysid._save import save_results
from condyle.sysid._trajectory import (
    ModelSequences,
    SystemTrajectory,
    create_initial_state,
    render_rollout,
    sysid_rollout,
)
from condyle.sysid._transform import SignalTransform
from condyle.sysid.model_modifier import (
    apply_body_inertia,
    apply_dgain,
    apply_param_modifiers,
    apply_param_modifiers_spec,
    apply_pdgain,
    apply_pgain,
    body_inertia_param,
    remove_visuals,
)
from condyle.sysid.parameter import InertiaType, Parameter, ParameterDict
from condyle.sysid.report import default_report
from condyle.sysid.signal_modifier import (
    apply_bias,
    apply_delay,
    apply_delayed_ts_window,
    apply_gain,
    apply_resample_and_delay,
    get_sensor_indices,
    normalize_residual,
    weighted_diff,
)
from condyle.sysid.timeseries import SignalType, TimeSeries

__all__ = [
    "BuildModelFn",
    "CustomRolloutFn",
    "InertiaType",
    "ModelSequences",
    "ModifyResidualFn",
    "OptimizeResult",
    "Parameter",
    "ParameterDict",
    "SignalTransform",
    "SignalType",
    "SystemTrajectory",
    "TimeSeries",
    "apply_bias",
    "apply_body_inertia",
    "apply_delay",
    "apply_delayed_ts_window",
    "apply_dgain",
    "apply_gain",
    "apply_param_modifiers",
    "apply_param_modifiers_spec",
    "apply_pdgain",
    "apply_pgain",
    "apply_resample_and_delay",
    "body_inertia_param",
    "build_residual_fn",
    "calculate_intervals",
    "construct_ts_from_defaults",
    "create_initial_state",
    "default_report",
    "get_sensor_indices",
    "model_modifier",
    "model_residual",
    "normalize_residual",
    "optimize",
    "parameter",
    "remove_visuals",
    "render_rollout",
    "report",
    "residual",
    "save_results",
    "signal_modifier",
    "sysid_rollout",
    "weighted_diff",
]
