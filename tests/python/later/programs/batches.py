"""Programs on batches of simulations."""

import mujoco
import numpy as np
from mujoco.batch import DATA_FIELDS, MODEL_FIELDS, Batch, SimulationError

S, ST = mujoco.mjtState, mujoco.mjtStage
XML = """<mujoco><option timestep=".01"/><worldbody><geom name="f" type="plane" size="1 1 .1"/>
<body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" damping=".1"/>
<geom name="g" type="capsule" fromto="0 0 0 0 0 .5" size=".05"/><site name="s" pos="0 0 .5"/></body>
</worldbody><actuator><motor name="a" joint="j"/></actuator>
<sensor><jointpos name="se" joint="j"/></sensor>
<keyframe><key name="k0" qpos=".3"/><key name="k1" qpos="-.4" time="7" ctrl="2"/></keyframe>
</mujoco>"""


def _made(n=3, **options):
    return Batch(mujoco.MjModel.from_xml_string(XML), n, 1, **options)


def _show(*arrays):
    for array in arrays:
        print(array.dtype, array.shape, (np.round(np.ravel(array), 9) + 0).tolist())


def what_it_has():
    b = _made()
    print(b.nsim, b.nthread, b.nstate, b.persistent, b.models, type(b.model).__name__)
    _show(b.state, b.warning, b.status)
    print(DATA_FIELDS >= {"qpos", "xpos", "ncon"}, MODEL_FIELDS >= {"body_mass", "opt.gravity"})


def controls():
    b = _made()
    b.ctrl = [[0], [1], [2]]
    b.step(nstep=20)
    _show(b.qpos, b.qvel, b.time)


def parts_of_all():
    b = _made(4)
    b.step([True, False, True, False])
    b.step(np.uint8([1, 2]), nstep=3)
    b.step((), nstep=3)
    _show(b.time)


def wrong_parts():
    b = _made(4)
    for ids in ([2, 1], [-1], [0.5], 3, [True], [4]):
        try:
            b.step(ids)
        except ValueError as error:
            print(error)


def rows_of_state():
    b = _made(1)
    b.reset(keyframe=1)
    _show(b.state[0, :8], b.qpos, b.ctrl, b.eq_active)


def keyframes():
    b = _made(4)
    b.reset(keyframe=1)
    b.reset(ids=[1, 3], keyframe=[0, -1])
    _show(b.qpos, b.time)
    for keyframe in (2, 0.5):
        try:
            b.reset(keyframe=keyframe)
        except ValueError as error:
            print(error)


def outputs():
    b = _made()
    sensordata, xpos = b.bind("sensordata"), b.xpos
    print(sensordata.flags.writeable, b.xpos is xpos)
    b.qpos[:, 0] = [0.1, 0.2, 0.3]
    b.forward()
    _show(sensordata, b.site_xpos[:, 0])


def stages():
    for stage in (ST.mjSTAGE_NONE, ST.mjSTAGE_POS, ST.mjSTAGE_VEL, ST.mjSTAGE_ACC):
        b = _made(1)
        bias, acceleration = b.bind("qfrc_bias"), b.bind("qacc")
        b.qpos[:] = 0.3
        b.ctrl = 1
        b.step(nstep=2, stage=stage)
        _show(bias, acceleration)


def wrong_names():
    b = _made()
    for name in ("body_mass", "timestep", "efc_force", "maxuse_con", "qpis"):
        for bind in (b.bind, lambda name: getattr(b, name)):
            try:
                bind(name)
            except (ValueError, AttributeError) as error:
                print(type(error).__name__)
    for name in ("qpos", "mesh_vert", "nq", "gravity"):
        try:
            b.expand(name)
        except ValueError as error:
            print(type(error).__name__)


def masses():
    b = _made()
    b.expand("body_mass")[:] *= np.arange(1.0, 4)[:, None]
    b.expand("body_inertia")[:] *= np.arange(1.0, 4)[:, None, None]
    b.set_const()
    _show(b.expanded("dof_M0"), b.expanded("dof_invweight0"))
    print(b.expanded("geom_friction"))


def options():
    b = _made(2)
    b.expand("opt.timestep")[:] = [0.01, 0.02]
    b.expand("opt.gravity")[1] = 0
    b.qpos[:] = 0.1
    b.step(nstep=10)
    _show(b.time, b.qpos)


def named_objects():
    b = _made()
    b.joint("j").damping = [[0.1], [1.0], [10.0]]
    b.body("b").mass = 2
    b.actuator("a").ctrl = 0.5
    b.step(nstep=20)
    _show(b.qpos, b.site("s").xpos, b.sensor("se").data, b.geom("g").size[0])
    print(b.joint("j").id, b.joint("j").name, b.keyframe("k1").qpos.shape)


def models_of_the_caller():
    models = [mujoco.MjModel.from_xml_string(XML) for _ in range(3)]
    for i, model in enumerate(models):
        model.dof_damping[0] = i
    b = _made()
    b.set_models(models)
    b.qpos[:] = 0.5
    b.step(nstep=10)
    _show(b.qpos, b.joint("j").damping)
    b.set_models(None)
    print(b.models)


def recorded():
    b = _made()
    control = 0.1 * np.arange(3).reshape(3, 1, 1) * np.ones((3, 5, 1))
    r = b.rollout(5, control, record=("qpos", "sensordata", S.mjSTATE_QVEL, 24607))
    print([(str(k), v.shape, v.dtype) for k, v in r.items()])
    _show(r["qpos"][2], r["sensordata"][2], r[24607][2, -1], b.ctrl)


def recorded_in_place():
    b = _made(2)
    out = {"qpos": np.zeros((2, 4, 1))}
    r = b.rollout(4, 0.5, record=["qpos"], out=out)
    print(r["qpos"] is out["qpos"])
    _show(out["qpos"])


def forces():
    u = np.zeros((2, 3, 12))
    u[:, :, 6:9] = [1, 0, 0]
    b = _made(2)
    b.rollout(3, u, control_spec=S.mjSTATE_XFRC_APPLIED)
    _show(b.qpos, b.xfrc_applied[:, 1])


def no_inputs():
    _made(2).rollout(3, 0.0, control_spec=S.mjSTATE_QPOS)


def divergence():
    b = _made(2)
    b.qvel[1] = 1e11
    r = b.rollout(4, record=(1,))
    _show(r[1], b.time, b.warning[1, :, 1])
    b.warning[:] = 0
    _show(b.warning[1, :, 1])


def errors():
    b = _made()
    b.expand("opt.integrator")[1] = 99
    try:
        b.step()
    except SimulationError as error:
        print(error.ids, error)
    _show(b.status, b.time)
    print(b.error(1), b.error(0) == "")


def jacobians():
    b = _made()
    b.qpos[:, 0] = [0, 0.1, 0.2]
    _show(*b.jac([1, 1, 0], [[0, 0, 1.5], [0.1, 0, 1.4], [0, 0, 1]]))


def rays():
    b = _made()
    b.qpos[:, 0] = [0, 0.1, 0.2]
    _show(*b.ray([[0, 0, 3], [5, 5, 3]], [0, 0, -2]))
    _show(*b.ray([0.01, 0, 3], [0, 0, -1], normal=True))


def data_and_models():
    b = _made(2, persistent=True)
    b.ctrl = 1
    b.step(nstep=5, stage=ST.mjSTAGE_VEL)
    d = b.get_data(1)
    _show(d.qpos, d.site_xpos)
    b.expand("body_mass")[1] = 3
    print(b.get_model(1).body_mass, b.get_model(0).body_mass.round(9))
    for wrong in (2, -1):
        try:
            b.get_data(wrong)
        except IndexError as error:
            print(error)


def a_callback():
    b = _made()
    mujoco.set_mjcb_control(lambda m, d: None)
    try:
        b.step()
    except ValueError as error:
        print(str(error)[:40])
    finally:
        mujoco.set_mjcb_control(None)


def no_simulations():
    _made(0)
