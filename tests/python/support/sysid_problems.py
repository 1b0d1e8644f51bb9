"""Problems of identification: a pendulum whose fit by the reference is known, and harder ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle import sysid

Array = NDArray[np.float64]

_PENDULUM = """<mujoco><option timestep=".005" integrator="RK4"/><worldbody><body>
<joint name="j" axis="0 1 0" damping="%g"/>
<geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02" mass=".2"/><body pos="0 0 -.5">
<geom name="ball" size=".05" mass="%g"/></body></body></worldbody>
<actuator><motor name="m" joint="j"/></actuator>
<sensor><jointpos name="q" joint="j"/><jointvel name="w" joint="j"/></sensor></mujoco>"""


def set_mass(spec: Any, param: sysid.Parameter) -> None:
    spec.geom("ball").mass = param.value[0]


def set_damping(spec: Any, param: sysid.Parameter) -> None:
    spec.joint("j").damping = param.value[0]


class Pendulum:
    """A driven pendulum with damping 0.3 and a ball of 1.3, recorded with noise or without."""

    def __init__(self, noisy: bool = True) -> None:
        self.model = condyle.MjModel.from_xml_string(_PENDULUM % (0.3, 1.3))
        t = 0.005 * np.arange(400)
        u = 0.8 * np.sin(3 * t) + 0.4 * np.sin(7.3 * t)
        self.controls = sysid.TimeSeries.from_control_names(t, u[:, None], self.model)
        self.initial = sysid.create_initial_state(self.model, [0.6], [0.0])
        self.truth = sysid.sysid_rollout(
            self.model, condyle.MjData(self.model), self.controls, self.initial
        )[0]
        data = self.truth.sensordata.data
        if noisy:
            data = data + np.random.default_rng(7).normal(size=(399, 2)) * [0.002, 0.02]
        self.measured = sysid.TimeSeries.from_names(self.truth.sensordata.times, data, self.model)

    def params(self, **mass: Any) -> sysid.ParameterDict:
        """Mass and damping, where the fit begins; options of the mass."""
        options = {"nominal": 1.0, "min_value": 0.2, "max_value": 5.0, **mass}
        params = sysid.ParameterDict()
        params.add(sysid.Parameter("mass", **options, modifier=set_mass))
        params.add(sysid.Parameter("damping", 0.1, 0.01, 2.0, modifier=set_damping))
        return params

    def sequences(self) -> sysid.ModelSequences:
        spec = condyle.MjSpec.from_string(_PENDULUM % (0.1, 1))
        return sysid.ModelSequences("pend", spec, "run", self.initial, self.controls, self.measured)

    def residual_fn(self, **options: Any) -> Any:
        return sysid.build_residual_fn(models_sequences=[self.sequences()], n_threads=1, **options)


def half(residuals: list[Array]) -> float:
    """Half the sum of squares."""
    return 0.5 * sum(float(np.sum(r**2)) for r in residuals)


def recorded(
    spec: condyle.MjSpec,
    truth: dict[str, float],
    params: sysid.ParameterDict,
    controls: list[Array],
    states: list[Array],
) -> sysid.ModelSequences:
    """Motions of a system with true numbers; the spec stays as it is."""
    true = params.copy()
    for name, value in truth.items():
        if name in true:
            true[name].value[:] = value
    model = sysid.apply_param_modifiers(true, spec.copy())
    times = model.opt.timestep * np.arange(len(controls[0]))
    series = [sysid.TimeSeries.from_control_names(times, u, model) for u in controls]
    initial = [sysid.create_initial_state(model, state) for state in states]
    found = sysid.sysid_rollout(model, [condyle.MjData(model)], series, initial)
    measured = [trajectory.sensordata for trajectory in found]
    names = [f"run{i}" for i in range(len(series))]
    return sysid.ModelSequences("system", spec, names, initial, series, measured)
