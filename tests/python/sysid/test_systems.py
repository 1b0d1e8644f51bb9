"""Systems whose numbers are known: an arm, a quadruped on the floor, a pendulum that answers late.

Motions are made with true numbers, then fitted from wrong ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import condyle

pytest.importorskip("condyle._condyle")

from sysid_problems import Pendulum, recorded

from condyle import sysid
from condyle.sysid import InertiaType, Parameter, ParameterDict
from condyle.sysid._problem import Problem
from condyle.sysid._rollouts import Roller

Array = NDArray[np.float64]

_ARM = """<mujoco><option timestep=".002" integrator="implicitfast"/>
<default><geom type="capsule" size=".03" contype="0" conaffinity="0"/>
<joint armature=".02"/></default>
<worldbody><body name="b1"><joint name="j1" axis="0 0 1"/><geom fromto="0 0 0 0 0 .3" mass="1.5"/>
<body name="b2" pos="0 0 .3"><joint name="j2" axis="0 1 0"/>
<geom name="g2" fromto="0 0 0 .4 0 0" mass="1"/>
<body name="b3" pos=".4 0 0"><joint name="j3" axis="0 1 0"/>
<geom name="g3" fromto="0 0 0 .3 0 0" mass="1"/>
</body></body></body></worldbody>
<actuator><motor name="m1" joint="j1"/><motor name="m2" joint="j2"/>
<motor name="m3" joint="j3"/></actuator>
<sensor><jointpos name="q1" joint="j1"/><jointpos name="q2" joint="j2"/>
<jointpos name="q3" joint="j3"/>
<jointvel name="w1" joint="j1"/><jointvel name="w2" joint="j2"/>
<jointvel name="w3" joint="j3"/>%s</sensor>
</mujoco>"""

_LEG = """<body name="{n}" pos="{x} {y} 0"><joint class="hip" name="{n}hip" axis="0 1 0"/>
<geom size=".02" fromto="0 0 0 0 0 -.2" mass=".5"/><body pos="0 0 -.2">
<joint class="knee" name="{n}knee" axis="0 1 0"/>
<geom size=".015" fromto="0 0 0 0 0 -.2" mass=".2"/>
<geom class="foot" type="sphere" pos="0 0 -.2" size=".02" mass=".05"/></body></body>"""
_CORNERS = {"fl": (0.2, 0.1), "fr": (0.2, -0.1), "rl": (-0.2, 0.1), "rr": (-0.2, -0.1)}
_JOINTS = [n + kind for n in _CORNERS for kind in ("hip", "knee")]


def quadruped() -> condyle.MjSpec:
    legs = "".join(_LEG.format(n=n, x=x, y=y) for n, (x, y) in _CORNERS.items())
    motors = "".join(f'<position name="m{n}" joint="{n}" kp="30" kv="1"/>' for n in _JOINTS)
    sensors = "".join(
        f'<jointpos name="q{n}" joint="{n}"/><jointvel name="w{n}" joint="{n}"/>' for n in _JOINTS
    )
    return condyle.MjSpec.from_string(
        f"""<mujoco><option timestep=".002" integrator="implicitfast"/>
        <default><geom type="capsule" contype="0" conaffinity="0"/><default class="foot">
        <geom contype="1"/></default><default class="hip"><joint armature=".01" frictionloss=".1"/>
        </default><default class="knee"><joint armature=".01" frictionloss=".1"/></default>
        </default>
        <worldbody><geom type="plane" size="5 5 1" conaffinity="1"/><body pos="0 0 .39"><freejoint/>
        <geom type="box" size=".2 .1 .05" mass="4"/>{legs}</body></worldbody>
        <actuator>{motors}</actuator><sensor>{sensors}</sensor></mujoco>"""
    )


def write_joint(name: str, field: str) -> Any:
    return lambda spec, p: setattr(spec.joint(name), field, p.value[0])


def write_mass(name: str) -> Any:
    return lambda spec, p: setattr(spec.geom(name), "mass", p.value[0])


def arm_params() -> tuple[ParameterDict, dict[str, float]]:
    truth = {"mass2": 1.6, "mass3": 0.7}
    params = ParameterDict()
    for i in (2, 3):
        params.add(Parameter(f"mass{i}", 1.0, 0.1, 4.0, modifier=write_mass(f"g{i}")))
    for field, start, values in (
        ("damping", 0.15, (0.4, 0.3, 0.25)),
        ("frictionloss", 0.1, (0.3, 0.4, 0.2)),
    ):
        for i, value in enumerate(values, 1):
            name = f"{field}{i}"
            params.add(Parameter(name, start, 0.01, 2.0, modifier=write_joint(f"j{i}", field)))
            truth[name] = value
    return params, truth


def arm(params: ParameterDict, truth: dict[str, float], more: str = "") -> sysid.ModelSequences:
    random = np.random.default_rng(0)
    t = 0.002 * np.arange(201)[:, None]
    controls = [np.array([2.5, 6, 2]) * np.sin(9 * t + random.uniform(0, 6, 3)) for _ in range(4)]
    states = [random.uniform(-1, 1, 3) for _ in range(4)]
    return recorded(condyle.MjSpec.from_string(_ARM % more), truth, params, controls, states)


@pytest.mark.parametrize("jacobian", ["auto", "exact"])
def test_masses_and_friction_of_an_arm_are_found(jacobian: Any) -> None:
    params, truth = arm_params()
    f = sysid.build_residual_fn(models_sequences=[arm(params, truth)])
    found, result = sysid.optimize(params, f, verbose=False, jacobian=jacobian)
    assert_allclose(found.as_vector(), list(truth.values()), rtol=1e-5)
    assert (result.count.passes > 0) == (jacobian == "exact")


def test_motors_of_a_quadruped_on_the_floor_are_found() -> None:
    truth = {"kp": 55.0, "kv": 1.4, "hip": 0.02, "knee": 0.015, "frictionhip": 0.2}
    params = ParameterDict()

    def gain(spec: Any, param: Parameter) -> None:
        for n in _JOINTS:
            sysid.apply_pgain(spec, "m" + n, param.value)

    def damp(spec: Any, param: Parameter) -> None:
        for n in _JOINTS:
            sysid.apply_dgain(spec, "m" + n, param.value)

    def of_all(kind: str, field: str) -> Any:
        def write(spec: Any, param: Parameter) -> None:
            for n in _CORNERS:
                setattr(spec.joint(n + kind), field, param.value[0])

        return write

    params.add(Parameter("kp", 40.0, 10, 150, modifier=gain))
    params.add(Parameter("kv", 1.0, 0.1, 6, modifier=damp))
    params.add(Parameter("hip", 0.01, 0.001, 0.1, modifier=of_all("hip", "armature")))
    params.add(Parameter("knee", 0.01, 0.001, 0.1, modifier=of_all("knee", "armature")))
    friction = of_all("hip", "frictionloss")
    params.add(Parameter("frictionhip", 0.1, 0.01, 1, modifier=friction))
    random = np.random.default_rng(1)
    t = 0.002 * np.arange(76)[:, None]
    rest = np.tile([0.6, -1.2], 4)
    stand = np.array([0, 0, 0.39, 1, 0, 0, 0, *rest])
    controls = [rest + 0.25 * np.sin(15 * t + random.uniform(0, 6, 8)) for _ in range(6)]
    group = recorded(quadruped(), truth, params, controls, [stand] * 6)
    f = sysid.build_residual_fn(models_sequences=[group])
    found, _ = sysid.optimize(params, f, verbose=False)
    assert_allclose(found.as_vector(), list(truth.values()), rtol=1e-3)


def test_the_delay_of_a_pendulums_sensors_is_found_without_rollouts_for_it() -> None:
    p = Pendulum(noisy=False)
    late = p.truth.sensordata.interpolate(p.truth.sensordata.times - 0.0137)
    p.measured = sysid.TimeSeries.from_names(p.truth.sensordata.times, late, p.model)
    params = p.params()
    delay = Parameter("delay", 0.001, 0.0, 0.04)
    params.add(delay)
    transform = sysid.SignalTransform()
    transform.delay("*", delay)
    f = p.residual_fn(modify_residual=transform.apply)
    found, result = sysid.optimize(params, f, verbose=False)
    assert_allclose(found.as_vector(), [1.3, 0.3, 0.0137], rtol=1e-5)
    # one for each point, two for differences by mass and damping
    points = len(result.extras["objective"])
    assert result.count.rollouts == 3 * points


def test_the_inertia_of_a_body_that_spins_freely_is_found() -> None:
    """Without forces only ratios of moments matter: one stretch is fitted, the rest is known."""
    spec = condyle.MjSpec.from_string(
        """<mujoco><option timestep=".002" gravity="0 0 0"/><worldbody><body name="b"><freejoint/>
        <geom type="box" size=".1 .2 .3" density="200"/><site name="s"/></body></worldbody>
        <sensor><gyro name="w" site="s"/></sensor></mujoco>"""
    )
    theta = sysid.body_inertia_param(spec, spec.compile(), "b", InertiaType.Pseudo)
    nominal = theta.as_nominal_vector()

    def stretch(s: Any, p: Parameter) -> None:
        theta.update_from_vector(nominal + p.value[0] * np.eye(10)[1])
        sysid.apply_body_inertia(s, "b", theta)

    params = ParameterDict({"d1": Parameter("d1", 0.2, -0.5, 0.5, modifier=stretch)})
    true = sysid.apply_param_modifiers(params, spec.copy())
    initial = sysid.create_initial_state(true, true.qpos0, [0, 0, 0, 1.0, 3.0, 0.2])
    control = sysid.TimeSeries(0.002 * np.arange(301), np.zeros((301, 0)), {})
    measured = sysid.sysid_rollout(true, condyle.MjData(true), control, initial)[0].sensordata
    group = sysid.ModelSequences("body", spec, "run", initial, control, measured)
    params["d1"].value[0] = 0.0
    f = sysid.build_residual_fn(models_sequences=[group])
    assert_allclose(sysid.optimize(params, f, verbose=False)[0].as_vector(), [0.2], rtol=1e-5)


# exact derivatives


def _jacobians(params: ParameterDict, group: sysid.ModelSequences) -> tuple[Array, Array, Any]:
    """Exact and differenced, at the start."""
    arguments = {"models_sequences": [group]}
    x = params.as_vector()
    exact = Problem(params.copy(), arguments, "exact")
    found = exact.jacobian(x)
    return found, Problem(params.copy(), arguments, "differences", 1e-6).jacobian(x), exact.count


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_exact_derivatives_are_those_of_rollouts(integrator: str) -> None:
    params, truth = arm_params()
    for name in list(params):
        # rows of dry friction take part of the masses' effect through their softness
        if name.startswith("frictionloss"):
            del params.parameters[name], truth[name]
    group = arm(params, truth)
    group.spec.option.integrator = getattr(condyle.mjtIntegrator, f"mjINT_{integrator.upper()}")
    exact, differences, count = _jacobians(params, group)
    assert count.rollouts == 4 and count.passes == 4
    assert_allclose(exact, differences, rtol=2e-4, atol=2e-5 * np.abs(differences).max())


@pytest.mark.parametrize(("lanes", "passes"), [(8, 0), (0, 1)])
def test_many_numbers_are_differentiated_exactly_where_there_are_no_lanes(
    monkeypatch: pytest.MonkeyPatch, lanes: int, passes: int
) -> None:
    """Lanes make differences cheap."""
    monkeypatch.setattr(Roller, "lanes", property(lambda _: lanes))

    def write(spec: Any, param: Parameter) -> None:
        for joint, parts in zip(spec.joints, param.value, strict=True):
            joint.damping = parts.sum()

    spec = condyle.MjSpec.from_string(_ARM % "")
    params = ParameterDict()
    params.add(Parameter("parts", np.full((3, 6), 0.05), 0.01, 1.0, modifier=write))
    t = 0.002 * np.arange(21)[:, None]
    controls = [np.sin(9 * t + np.arange(3))]
    group = recorded(spec, {}, params, controls, [np.zeros(3)])
    problem = Problem(params.copy(), {"models_sequences": [group]})
    found = problem.jacobian(params.as_vector())
    assert problem.count.passes == passes
    differences = Problem(params.copy(), {"models_sequences": [group]}, "differences", 1e-6)
    expected = differences.jacobian(params.as_vector())
    assert_allclose(found, expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())


def test_a_parameter_without_exact_derivatives_is_differenced_beside_others() -> None:
    params, truth = arm_params()
    # where rows of constraints are, they are softer for lighter bodies, so masses are differenced
    exact, differences, count = _jacobians(params, arm(params, truth))
    assert count.passes == 4 and count.rollouts == 4 + 2 * 4
    assert_allclose(exact, differences, rtol=1e-3, atol=1e-4 * np.abs(differences).max())


def test_sensors_of_accelerations_have_derivatives_of_their_own() -> None:
    params = ParameterDict()
    params.add(Parameter("d", 0.15, 0.01, 2, modifier=write_joint("j2", "damping")))
    params.add(Parameter("a", 0.02, 0.01, 2, modifier=write_joint("j3", "armature")))
    more = '<framelinacc name="a3" objtype="body" objname="b3"/>'
    exact, differences, count = _jacobians(params, arm(params, {"d": 0.3}, more))
    assert count.passes == 4 and count.rollouts == 4
    assert_allclose(exact, differences, rtol=2e-4, atol=5e-5 * np.abs(differences).max())


def test_states_with_quaternions_have_exact_derivatives() -> None:
    spec = quadruped()
    for geom in spec.geoms:
        geom.contype, geom.conaffinity = 0, 0
    params = ParameterDict()
    params.add(Parameter("a", 0.02, 0.01, 2, modifier=write_joint("flhip", "armature")))
    t = 0.002 * np.arange(60)[:, None]
    rest = np.tile([0.6, -1.2], 4)
    model = spec.compile()
    group = recorded(
        spec, {}, params, [rest + 0.3 * np.sin(15 * t + np.arange(8))],
        [np.array([0, 0, 0.39, 1, 0, 0, 0, *rest])],
    )  # fmt: skip
    trajectory = sysid.sysid_rollout(
        model, condyle.MjData(model), group.control[0], group.initial_state[0]
    )[0]
    assert trajectory.state is not None
    (body,) = [k for k in sysid.TimeSeries.compute_all_state_mappings(model)[0] if "hip" not in k][
        :1
    ]
    measured = sysid.TimeSeries.from_names(
        trajectory.state.times, trajectory.state.data[:, 1:8], model, [body]
    )
    group.measured_rollout[0] = group.measured_rollout[0].replace(sensordata=measured)
    # columns that hardly move are measured beside those that do
    exact, differences, _ = _jacobians(params, group)
    assert_allclose(exact, differences, rtol=1e-3, atol=1e-4 * np.abs(differences).max())
