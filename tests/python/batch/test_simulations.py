"""Simulations as rows: recorded numbers of release 4.0.0 of the interface, arrays, named objects.

Numbers are from 4.0.0 on the same models, to twelve digits.
"""

from __future__ import annotations

import copy
import gc
import pickle
from typing import Any

import numpy as np
import pytest

import condyle
from condyle import simulations
from condyle.simulations import Batch, SimulationError

S, ST = condyle.mjtState, condyle.mjtStage

PEND = """<mujoco><option timestep=".01"/><worldbody><geom name="f" type="plane" size="1 1 .1"/>
<body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" damping=".1"/>
<geom name="g" type="capsule" fromto="0 0 0 0 0 .5" size=".05"/><site name="s" pos="0 0 .5"/></body>
</worldbody><actuator><motor name="a" joint="j"/></actuator>
<sensor><jointpos name="se" joint="j"/><framepos name="fp" objtype="site" objname="s"/></sensor>
<keyframe><key name="k0" qpos=".3"/><key name="k1" qpos="-.4" time="7" ctrl="2"/></keyframe>
</mujoco>"""


@pytest.fixture
def m() -> Any:
    return condyle.MjModel.from_xml_string(PEND)


@pytest.fixture(params=[(1, False), (2, False), (2, True)], ids=["one", "two", "persistent"])
def make(request: Any, m: Any) -> Any:
    nthread, persistent = request.param
    return lambda n, model=m: Batch(model, n, nthread, persistent)


def same(array: Any, numbers: str) -> None:
    """Assert that an array holds the numbers of a text, to a part in 1e10."""
    np.testing.assert_allclose(
        np.ravel(array), [float(x) for x in numbers.split()], rtol=1e-10, atol=1e-15
    )


# numbers


def test_controls_of_their_own(make: Any) -> None:
    b = make(3)
    b.ctrl = [[0], [1], [2]]
    b.step(nstep=50)
    same(b.qpos, "0 .523371282897 1.03617336721")
    same(b.qvel, "0 2.99811923338 5.80739743318")
    same(b.time, ".5 .5 .5")


def test_outputs_lag_unless_a_stage_is_asked_for(make: Any) -> None:
    b = make(1)
    s = b.bind("sensordata")
    b.qpos[:] = 0.3
    b.step(nstep=2)
    same(s, ".300803221659 .148143729104 0 1.47754940637")
    b = make(1)
    s = b.bind("sensordata")
    b.qpos[:] = 0.3
    b.step(nstep=2, stage=ST.mjSTAGE_VEL)
    same(s, ".302409750236 .148910734368 0 1.47731079308")


@pytest.mark.parametrize(
    ("stage", "numbers"),
    [
        (ST.mjSTAGE_POS, "10.5497305843 -3.23659448656"),
        (ST.mjSTAGE_VEL, "10.5497305843 -3.25852579832"),
        (ST.mjSTAGE_ACC, "10.5782085076 -3.25852579832"),
    ],
)
def test_what_each_stage_makes_new(make: Any, stage: Any, numbers: str) -> None:
    b = make(1)
    qacc, bias = b.bind("qacc"), b.bind("qfrc_bias")
    b.qpos[:] = 0.3
    b.ctrl = 1
    b.step(nstep=2, stage=stage)
    same([qacc, bias], numbers)


def test_keyframes_of_their_own(make: Any) -> None:
    b = make(4)
    b.reset(keyframe=1)
    b.reset(ids=[1, 3], keyframe=[0, -1])
    same(b.qpos, "-.4 .3 -.4 0")
    same(b.time, "7 0 7 0")
    same(b.ctrl, "2 0 2 0")
    b.reset(keyframe="k0")
    same(b.qpos, ".3 .3 .3 .3")


def test_selections(make: Any) -> None:
    b = make(4)
    b.step([True, False, True, False])
    b.step(np.uint8([1, 2]), nstep=3)
    b.step([])
    same(b.time, ".01 .03 .04 0")


def test_constants_follow_masses(make: Any) -> None:
    b = make(3)
    k = np.arange(1.0, 4)
    b.expand("body_mass")[:] *= k[:, None]
    b.expand("body_inertia")[:] *= k[:, None, None]
    b.set_const()
    same(b.expanded("dof_M0"), ".400585788256 .801171576512 1.20175736477")
    same(b.expanded("dof_invweight0"), "2.49634417724 1.24817208862 .832114725748")
    same(b.expanded("body_subtreemass")[:, 0], "4.45058959259 8.90117918517 13.3517687778")
    made = {n for n in simulations.MODEL_FIELDS if b.expanded(n) is not None}
    assert made == {
        *("actuator_acc0", "body_inertia", "body_invweight0", "body_mass", "body_subtreemass"),
        *("dof_M0", "dof_invweight0"),
    }


def test_reference_positions_of_their_own(make: Any) -> None:
    b = make(3)
    b.expand("qpos0")[:, 0] = [0.1, 0.2, 0.3]
    b.set_const()
    b.reset()
    same(b.qpos, ".1 .2 .3")
    assert b.expanded("actuator_length0") is not None
    assert b.expanded("dof_M0") is None


def test_options_of_their_own(make: Any) -> None:
    b = make(2)
    b.expand("opt.timestep")[:] = [0.01, 0.02]
    b.expand("opt.gravity")[1] = 0
    b.qpos[:] = 0.1
    b.step(nstep=10)
    same(b.time, ".1 .2")
    same(b.qpos, ".11517676941 .1")
    same(b.qvel, ".280465787998 0")


def test_named_objects(make: Any) -> None:
    b = make(3)
    b.joint("j").damping = [[0.1], [1.0], [10.0]]
    b.body("b").mass = 2
    b.actuator("a").ctrl = 0.5
    b.step(nstep=20)
    same(b.qpos, ".0441101247535 .0344142869442 .00904914033036")
    same(b.expand("body_mass")[0], "0 2")


def test_models_of_the_caller(make: Any, m: Any) -> None:
    models = []
    for damping in range(3):
        model = condyle.MjModel.from_xml_string(PEND)
        model.dof_damping[0] = damping
        models.append(model)
    b = make(3)
    b.set_models(models)
    b.qpos[:] = 0.5
    b.step(nstep=10)
    same(b.qpos, ".573394504694 .56658012878 .560745748931")
    same(b.joint("j").damping, "0 1 2")
    assert b.models == tuple(models)
    assert not b.joint("j").damping.flags.writeable
    with pytest.raises(ValueError, match="dof_damping comes from the caller models"):
        b.joint("j").damping = 1
    assert b.get_model(2).dof_damping[0] == 2
    b.set_models(m)
    assert b.models is m


def test_rollout(make: Any) -> None:
    b = make(3)
    c = 0.1 * np.arange(3).reshape(3, 1, 1) * np.ones((3, 5, 1))
    r = b.rollout(5, c, record=("qpos", "sensordata"))
    qpos = "4.98025592162e-05 .000149419025878 .000298996113773 .000498815963932 .000749296574225"
    same(r["qpos"][2], qpos)
    same(r["sensordata"][2, :, 0], "0 " + qpos.rsplit(" ", 1)[0])
    same(b.ctrl, "0 .1 .2")


def test_a_warning_stops_a_rollout(make: Any) -> None:
    b = make(2)
    b.qvel[1] = 1e11
    r = b.rollout(4, record=(1,))
    same(r[1], ".01 .02 .03 .04 .01 .01 .01 .01")
    same(b.time, ".04 .01")
    assert b.warning[1, condyle.mjtWarning.mjWARN_BADQVEL, 1] == 1
    assert b.warning[1, :, 1].sum() == 1
    assert not b.warning[0, :, 1].any()


def test_forces_as_controls(make: Any) -> None:
    u = np.zeros((2, 3, 12))
    u[:, :, 6:9] = [1, 0, 0]
    b = make(2)
    b.rollout(3, u, control_spec=S.mjSTATE_XFRC_APPLIED)
    same(b.qpos, ".000373745140889 .000373745140889")
    same(b.xfrc_applied[0, 1], "1 0 0 0 0 0")


def test_errors_of_simulations(make: Any) -> None:
    b = make(3)
    b.expand("opt.integrator")[1] = 99
    with pytest.raises(SimulationError) as caught:
        b.step()
    text = "MuJoCo raised in 1 of 3 simulations (1); simulation 1: mj_step: invalid integrator"
    assert str(caught.value) == text
    assert caught.value.ids.tolist() == [1]
    assert caught.value.ids.dtype == np.int64
    assert pickle.loads(pickle.dumps(caught.value)).ids.tolist() == [1]
    assert b.status.tolist() == [0, 1, 0]
    assert b.error(1) == "mj_step: invalid integrator"
    assert b.error(0) == ""
    same(b.time, ".01 0 .01")
    b.expand("opt.integrator")[:] = 0
    b.step([0])
    assert b.status.tolist() == [0, 1, 0]


def test_many_failures_are_cut_short(make: Any) -> None:
    b = make(8)
    b.expand("opt.integrator")[:] = 99
    text = r"raised in 8 of 8 simulations \(0, 1, 2, 3, 4, \.\.\.\); simulation 0: mj_step: invalid"
    with pytest.raises(SimulationError, match=text):
        b.step()


def test_jacobians(make: Any) -> None:
    b = make(3)
    b.qpos[:, 0] = [0, 0.1, 0.2]
    jacp, jacr = b.jac([1, 1, 0], [[0, 0, 1.5], [0.1, 0, 1.4], [0, 0, 1]])
    same(jacp, ".5 0 0 .4 0 -.1 0 0 0")
    same(jacr, "0 1 0 0 1 0 0 0 0")


def test_rays(make: Any) -> None:
    b = make(3)
    b.qpos[:, 0] = [0, 0.1, 0.2]
    dist, geomid = b.ray([[0, 0, 3], [5, 5, 3]], [0, 0, -2])
    same(dist, ".725 -1 .749582846709 -1 .874162761308 -1")
    assert geomid.tolist() == [[1, -1]] * 3
    assert geomid.dtype == np.int32
    dist, _, normal = b.ray([0.01, 0, 3], [0, 0, -1], normal=True)
    same(dist, "1.45101020514 1.47238718179 1.69899397386")
    same(
        normal,
        ".2 0 .979795897113 -.798334166468 0 .602214711419 -.980066577841 0 .198669330795",
    )


def test_persistent_data(m: Any) -> None:
    b = Batch(m, 1, 1, persistent=True)
    for i in range(20):
        b.ctrl = 0.1 * i
        b.step(stage=ST.mjSTAGE_VEL)
    d = b.get_data(0)
    same(d.qpos, ".03455311352")
    same(d.qvel, ".507328864685")
    same(d.qacc, "5.4330795145")
    same(d.site_xpos, ".0172731191675 0 1.49970155028")
    same(d.time, ".2")


def test_counts(make: Any) -> None:
    ball = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .099'><freejoint/>"
        "<geom size='.1'/></body></worldbody></mujoco>"
    )
    b = make(2, ball)
    ncon, nefc = b.bind("ncon"), b.bind("nefc")
    b.qpos[1, 2] = 1
    b.step(nstep=3)
    same(ncon, "1 0")
    same(nefc, "4 0")
    same(b.qpos[:, 2], ".099041746644 .99976456")
    same(b.qvel[:, 2], ".00966050074322 -.05886")


def test_equalities_are_numbers(make: Any) -> None:
    model = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint name='j1'/><geom size='.1'/></body></worldbody>"
        "<equality><joint joint1='j1'/></equality></mujoco>"
    )
    b = make(3, model)
    b.qpos[:] = 0.1
    b.eq_active = [[0], [0.5], [2]]
    ne = b.bind("ne")
    b.step()
    same(b.eq_active, "0 1 1")
    same(ne, "0 1 1")
    same(b.qpos, ".1 .099 .099")


def test_order_of_a_row(make: Any) -> None:
    b = make(1)
    b.reset(keyframe=1)
    assert b.nstate == 18
    same(b.state[0, :8], "7 -.4 0 0 2 0 0 0")


# arrays


def test_state_fields_are_views_of_the_rows(make: Any, m: Any) -> None:
    b = make(3)
    d = condyle.MjData(m)
    for name in simulations.DATA_FIELDS:
        array = b.bind(name)
        assert array.shape == (3, *np.shape(getattr(d, name))), name
        is_state = np.may_share_memory(array, b.state)
        if array.size:
            assert array.flags.writeable == is_state, name
            assert (b.bind(name) is array) == (not is_state), name
    b.bind("xfrc_applied")[1, 1, 2] = 5
    assert (b.state == 5).sum() == 1


def test_dtypes(make: Any) -> None:
    b = make(2)
    assert b.eq_active.dtype == np.float64
    assert b.ncon.dtype == np.int32
    assert b.bvh_active.dtype == np.bool_
    assert b.expand("jnt_limited").dtype == np.bool_
    assert b.expand("geom_rgba").dtype == np.float32
    assert b.expand("opt.integrator").dtype == np.int32
    assert b.expand("body_sameframe").dtype == np.uint8
    assert b.expand("opt.gravity").shape == (2, 3)
    assert b.expand("opt.timestep").shape == (2,)
    assert b.expand("bvh_aabb").shape == (2, 2, 6)
    assert b.rollout(1, record=("eq_active", "time", "xmat"))["eq_active"].dtype == np.bool_


def test_arrays_keep_the_batch_alive(m: Any) -> None:
    b = Batch(m, 2, 1)
    qpos, xpos, mass = b.qpos, b.bind("xpos"), b.expand("body_mass")
    b.step(stage=ST.mjSTAGE_ACC)
    before = qpos.copy(), xpos.copy(), mass.copy()
    del b
    gc.collect()
    for array, kept in zip((qpos, xpos, mass), before, strict=True):
        np.testing.assert_array_equal(array, kept)


def test_copies(make: Any) -> None:
    b = make(2)
    handle = copy.copy(b)
    assert handle.state is b.state
    handle.step()
    same(b.time, ".01 .01")
    for action in (copy.deepcopy, pickle.dumps, len):
        with pytest.raises(TypeError):
            action(b)


def test_later_edits_of_the_model_have_no_effect(make: Any, m: Any) -> None:
    b = make(1)
    m.opt.gravity[:] = 0
    assert b.model is m
    b.qpos[:] = 0.3
    b.step()
    assert b.qvel[0, 0] > 0
    assert b.get_model(0).opt.gravity[2] < 0
    np.testing.assert_array_equal(b.body("b").mass, m.body("b").mass[None])


def test_rows_are_those_of_a_loop(make: Any, m: Any) -> None:
    b = make(4)
    c = np.random.default_rng(1).normal(size=(4, 30, 1))
    b.rollout(30, c)
    for i in range(4):
        d = condyle.MjData(m)
        for t in range(30):
            d.ctrl = c[i, t]
            condyle.mj_step(m, d)
        state = np.zeros(b.nstate)
        condyle.mj_getState(m, d, state, S.mjSTATE_INTEGRATION)
        np.testing.assert_array_equal(b.state[i], state)


def test_derived_quaternions_are_outputs(make: Any, m: Any) -> None:
    b = make(2)
    quat = b.bind("geom_xquat")
    b.qpos[:, 0] = [0, 1]
    b.forward()
    d = condyle.MjData(m)
    d.qpos[:] = 1
    condyle.mj_forward(m, d)
    np.testing.assert_array_equal(quat[1], d.geom_xquat)


def test_out_is_filled(make: Any) -> None:
    b = make(3)
    out = {"qpos": np.ones((3, 2, 1)), "foreign": 3}
    r = b.rollout(2, out=out)
    assert list(r) == ["qpos"]
    assert r["qpos"] is out["qpos"]
    same(r["qpos"], "0 0 0 0 0 0")
    assert b.rollout(2, record=()) == {}
    assert b.rollout(2, np.zeros((0, 2, 1)), ids=[])["qpos"].shape == (0, 2, 1)


# named objects


def test_parts_of_named_objects(make: Any) -> None:
    b = make(3)
    j = b.joint("j")
    assert (j.id, j.name) == (0, "j")
    assert j.qpos.flags.writeable
    assert not j.xanchor.flags.writeable
    assert not j.damping.flags.writeable
    assert j.limited.dtype == np.bool_
    j.qpos = 0.5
    same(b.qpos, ".5 .5 .5")
    b.bind("sensordata"), b.bind("site_xpos")
    b.forward()
    same(b.sensor("fp").data, " ".join([".239712769302 0 1.43879128095"] * 3))
    np.testing.assert_array_equal(b.site("s").xpos, b.bind("site_xpos")[:, 0])
    same(b.keyframe("k1").qpos, "-.4 -.4 -.4")
    assert b.actuator("a").trnid.tolist() == [[0, -1]] * 3
    b.body("b").mass = [[1], [2], [3]]
    same(b.expand("body_mass")[:, 1], "1 2 3")
    b.body("b").mass[2] = 7
    same(b.body(1).mass, "1 2 7")
    b.body("b").xfrc_applied = [1, 2, 3, 4, 5, 6]
    same(b.xfrc_applied[2, 1], "1 2 3 4 5 6")
    b.set_const()
    assert b.joint("j").M0.shape == (3, 1)
    assert not b.joint("j").M0.flags.writeable


@pytest.mark.parametrize(
    ("kind", "key", "name", "value", "error", "text"),
    [
        ("joint", "j", "qposadr", 2, ValueError, "jnt_qposadr is structural: it cannot differ"),
        ("geom", "g", "type", 2, ValueError, "geom_type is structural"),
        ("geom", "g", "matid", 0, ValueError, "geom_matid is structural"),
        ("joint", "j", "bodyid", 0, ValueError, "dof_bodyid is structural"),
        ("joint", "j", "id", 2, AttributeError, "id is read-only"),
        ("joint", "j", "name", "x", AttributeError, "name is read-only"),
        ("joint", "j", "foo", 2, AttributeError, "foo is not a field of a joint"),
        ("joint", "j", "xanchor", 1, ValueError, "joint xanchor is computed by every call"),
        ("actuator", "a", "moment", 2, AttributeError, "actuator moment is not a slice of a field"),
        ("actuator", "a", "ctrl", [1, 2, 3], ValueError, "could not broadcast"),
        ("body", "zz", "mass", 1, KeyError, "Invalid name 'zz'. Valid names:"),
        ("body", 99, "mass", 1, IndexError, "Invalid index 99. Valid indices from 0 to 1"),
    ],
)
def test_wrong_assignments_to_named_objects(
    m: Any, kind: str, key: Any, name: str, value: Any, error: type[Exception], text: str
) -> None:
    b = Batch(m, 3, 1)
    with pytest.raises(error, match=text):
        setattr(getattr(b, kind)(key), name, value)


def test_names_that_are_nearly_right(m: Any) -> None:
    b = Batch(m, 3, 1)
    with pytest.raises(AttributeError, match=r"stiffnes is not a field .* mean 'stiffness'"):
        b.joint("j").stiffnes  # noqa: B018


# one batch and several threads of Python, callbacks


def test_python_callbacks_are_refused(make: Any) -> None:
    b = make(2)
    text = (
        "mjcb_control is a Python function, and a batch accepts only C callbacks: uninstall it "
        r"with mujoco.set_mjcb_control\(None\), or install a C function through ctypes"
    )
    condyle.set_mjcb_control(lambda m, d: None)
    try:
        for call in (b.step, b.forward, b.reset, b.set_const, lambda: b.jac(1, [0, 0, 0])):
            with pytest.raises(ValueError, match=text):
                call()
        b.get_data(0)
    finally:
        condyle.set_mjcb_control(None)
    b.step()


def test_c_callbacks_run_on_all_threads(m: Any) -> None:
    import ctypes  # noqa: PLC0415
    import threading  # noqa: PLC0415

    calls: list[int] = []
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    function = kind(lambda m, d: calls.append(1))
    b = Batch(m, 6, 3)
    condyle.set_mjcb_control(function)
    try:
        # another thread registers outputs meanwhile, and must wait without the interpreter's lock
        names = ["xpos", "xquat", "qacc", "cvel", "M"]
        other = threading.Thread(target=lambda: [b.bind(name) for name in names])
        other.start()
        b.step(nstep=20)
        other.join()
    finally:
        condyle.set_mjcb_control(None)
    assert len(calls) == 6 * 20
    b.step()
    assert b.xpos.any()


def test_the_model_of_a_simulation_steps_as_its_row(make: Any) -> None:
    b = make(3)
    b.expand("body_mass")[:, 1] *= [1, 2, 3]
    b.expand("opt.timestep")[:] = [0.001, 0.002, 0.003]
    b.set_const()
    for i in range(3):
        model = b.get_model(i)
        d = condyle.MjData(model)
        d.qpos[:] = 0.2
        for _ in range(20):
            condyle.mj_step(model, d)
        b.qpos[i] = 0.2
        b.step([i], nstep=20)
        np.testing.assert_array_equal(b.qpos[i], d.qpos)
    target = condyle.MjModel.from_xml_string(PEND)
    assert b.get_model(2, target) is target
    assert target.opt.timestep == 0.003


def test_python_threads_take_turns(m: Any) -> None:
    import threading  # noqa: PLC0415

    b = Batch(m, 8, 2)
    threads = [threading.Thread(target=lambda: [b.step() for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_allclose(b.time, 2.0)


def test_constants_of_later_releases() -> None:
    assert (condyle.mjNPOLY, condyle.mjMINAWAKE) == (2, 10)
    assert condyle.MJTNUM_DTYPE is np.float64
    assert np.dtype(condyle.MJTNUM_DTYPE).itemsize == condyle.MJTNUM_BYTES
