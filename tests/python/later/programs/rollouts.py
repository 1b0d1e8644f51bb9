"""Programs on rollouts."""

import mujoco
import numpy as np
from mujoco import rollout

XML = """<mujoco><option timestep=".01"/><worldbody><geom name="f" type="plane" size="1 1 .1"/>
<body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" damping=".1"/>
<geom name="g" type="capsule" fromto="0 0 0 0 0 .5" size=".05"/><site name="s" pos="0 0 .5"/></body>
<body name="mo" mocap="true" pos="0 2 0"/></worldbody>
<actuator><motor name="a" joint="j"/></actuator>
<sensor><jointpos joint="j"/><framepos objtype="site" objname="s"/></sensor></mujoco>"""
FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS.value
CTRL = mujoco.mjtState.mjSTATE_CTRL.value


def _start(m, d, nbatch):
    del d  # which may hold anything
    first = np.zeros(mujoco.mj_stateSize(m, FULL))
    mujoco.mj_getState(m, mujoco.MjData(m), first, FULL)
    states = np.tile(first, (nbatch, 1))
    states[:, 1] = 0.1 * np.arange(nbatch)
    return states


def _made():
    m = mujoco.MjModel.from_xml_string(XML)
    return m, mujoco.MjData(m)


def _show(*arrays):
    for array in arrays:
        print(
            array.dtype, array.shape, np.round(array.sum(axis=tuple(range(array.ndim - 1))), 9) + 0
        )


def one_state_one_step():
    m, d = _made()
    _show(*rollout.rollout(m, d, _start(m, d, 1)))


def states_with_controls():
    m, d = _made()
    control = np.linspace(-1, 1, 3 * 7).reshape(3, 7, 1)
    state, sensordata = rollout.rollout(m, d, _start(m, d, 3), control)
    _show(state, sensordata)
    print(np.round(state[:, -1, 1], 9))


def one_control_for_all():
    m, d = _made()
    _show(*rollout.rollout(m, d, _start(m, d, 3), np.ones((1, 5, 1))))
    _show(*rollout.rollout(m, d, _start(m, d, 3), np.ones((5, 1)), nstep=5))
    _show(*rollout.rollout(m, d, _start(m, d, 3)[0], 1.0))


def a_number_of_steps():
    m, d = _made()
    _show(*rollout.rollout(m, d, _start(m, d, 2), nstep=6))
    _show(*rollout.rollout(m, d, _start(m, d, 2), nstep=0))


def steps_below_zero():
    m, d = _made()
    rollout.rollout(m, d, _start(m, d, 2), nstep=-1)


def several_threads():
    m, _ = _made()
    datas = [mujoco.MjData(m) for _ in range(2)]
    a = rollout.rollout(m, datas, _start(m, datas[0], 5), nstep=4)
    b = rollout.rollout(m, datas[0], _start(m, datas[0], 5), nstep=4)
    print(np.allclose(a[0], b[0], 1e-10), np.allclose(a[1], b[1], 1e-10))


def a_pool_of_ones_own():
    m, _ = _made()
    datas = [mujoco.MjData(m) for _ in range(2)]
    with rollout.Rollout(nthread=2) as pool:
        for chunk in (1, 2, None):
            _show(pool.rollout(m, datas, _start(m, datas[0], 4), nstep=2, chunk_size=chunk)[0])


def a_persistent_pool():
    m, _ = _made()
    datas = [mujoco.MjData(m) for _ in range(2)]
    _show(*rollout.rollout(m, datas, _start(m, datas[0], 4), nstep=2, persistent_pool=True))
    rollout.shutdown_persistent_pool()


def a_closed_pool():
    m, d = _made()
    pool = rollout.Rollout(nthread=1)
    pool.close()
    pool.rollout(m, [d], _start(m, d, 1))


def other_inputs():
    m, d = _made()
    spec = mujoco.mjtState.mjSTATE_CTRL | mujoco.mjtState.mjSTATE_QFRC_APPLIED
    control = np.tile([0.5, -0.25], (2, 3, 1))
    _show(*rollout.rollout(m, d, _start(m, d, 2), control, control_spec=spec))
    spec = mujoco.mjtState.mjSTATE_MOCAP_POS.value
    _show(*rollout.rollout(m, d, _start(m, d, 2), np.ones((2, 3, 3)), control_spec=spec))


def no_input():
    m, d = _made()
    spec = mujoco.mjtState.mjSTATE_QPOS.value
    rollout.rollout(m, d, _start(m, d, 2), np.ones((2, 3, 1)), control_spec=spec)


def results_in_place():
    m, d = _made()
    state, sensordata = np.zeros((2, 3, 3)), np.zeros((2, 3, 4))
    result = rollout.rollout(m, d, _start(m, d, 2), nstep=3, state=state, sensordata=sensordata)
    print(np.shares_memory(result[0], state), np.shares_memory(result[1], sensordata))
    _show(state, sensordata)


def without_checks():
    m, d = _made()
    state, sensordata = np.zeros((2, 3, 3)), np.zeros((2, 3, 4))
    rollout.rollout(
        [m] * 2,
        [d],
        _start(m, d, 2),
        np.ones((2, 3, 1)),
        control_spec=CTRL,
        skip_checks=True,
        nstep=3,
        state=state,
        sensordata=sensordata,
    )
    _show(state, sensordata)


def models_that_differ():
    models = [_made()[0] for _ in range(3)]
    for i, model in enumerate(models):
        model.opt.gravity[2] = -i
    d = mujoco.MjData(models[0])
    states = _start(models[0], d, 3)
    states[:, 1] = 0.3
    _show(*rollout.rollout(models, d, states, nstep=5))


def a_warm_start():
    m, d = _made()
    _show(*rollout.rollout(m, d, _start(m, d, 2), nstep=3, initial_warmstart=np.ones((2, 1))))


def chunks_of_nothing():
    m, d = _made()
    rollout.rollout(m, d, _start(m, d, 2), nstep=3, chunk_size=0)


def a_pool_in_the_data():
    m, d = _made()
    mujoco.mju_threadpool(d, 2)
    rollout.rollout(m, d, _start(m, d, 2), nstep=3)


def divergence():
    m, d = _made()
    states = _start(m, d, 2)
    states[1, 2] = 1e11
    state, _ = rollout.rollout(m, d, states, nstep=3)
    print(np.round(state[:, :, 0], 9))


def wrong_sizes():
    m, d = _made()
    for arguments in ({"control": np.zeros((3, 2, 1))}, {"state": np.zeros((2, 2, 7))}):
        try:
            rollout.rollout(m, d, _start(m, d, 2), **arguments)
        except ValueError as error:
            print("ValueError", error)
