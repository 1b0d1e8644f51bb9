"""Batches: bits of a loop over worlds, views of the batch's memory, errors, masks, derivatives.

And what only the compiled pool of rollouts can do.
"""

from __future__ import annotations

import gc
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import condyle
from condyle import rollout

pytest.importorskip("condyle._condyle")

MODEL = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="ball" pos="0 0 .12">
      <freejoint/>
      <geom size=".1" mass="2"/>
    </body>
    <body pos="1 0 1">
      <joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
    </body>
  </worldbody>
  <actuator>
    <motor joint="hinge"/>
  </actuator>
  <sensor>
    <jointpos joint="hinge"/>
    <touch site="none"/>
  </sensor>
  <keyframe>
    <key name="up" qpos="0 0 .5 1 0 0 0 1"/>
  </keyframe>
</mujoco>
""".replace('<touch site="none"/>', '<jointvel joint="hinge"/>')
N = 7


@pytest.fixture
def model() -> Any:
    return condyle.MjModel.from_xml_string(MODEL)


@pytest.fixture(params=[0, 1, 3])
def batch(request: Any, model: Any) -> Iterator[Any]:
    with condyle.Batch(model, N, request.param, lanes=False) as made:
        yield made


def controls(*shape: int) -> Any:
    return np.random.default_rng(1).normal(size=shape)


def loop(model: Any, ctrl: Any, steps: int) -> list[Any]:
    """An MjData for each world after some steps."""
    datas = [condyle.MjData(model) for _ in range(N)]
    for i, data in enumerate(datas):
        data.ctrl[:] = ctrl[i]
        condyle.mj_step(model, data, steps)
    return datas


def stack(datas: list[Any], name: str) -> Any:
    return np.stack([getattr(data, name) for data in datas])


def test_a_batch_equals_a_loop_to_the_bit(model: Any, batch: Any) -> None:
    ctrl = controls(N, 1)
    xpos, sensors = batch.expose("xpos", "sensordata")
    batch.step(ctrl, nstep=30)
    datas = loop(model, ctrl, 30)
    for name in ("qpos", "qvel", "ctrl", "qacc_warmstart", "time"):
        np.testing.assert_array_equal(getattr(batch, name), stack(datas, name), err_msg=name)
    np.testing.assert_array_equal(xpos, stack(datas, "xpos"))
    np.testing.assert_array_equal(sensors, stack(datas, "sensordata"))


def test_arrays_are_views_made_once(model: Any, batch: Any) -> None:
    qpos = batch.qpos
    assert qpos is batch.qpos and batch.expose("qpos") is qpos
    assert qpos.shape == (N, 8) and batch.time.shape == (N,) and batch.mocap_pos.shape == (N, 0, 3)
    assert batch.xfrc_applied.shape == (N, model.nbody, 6)
    assert batch.eq_active.dtype == np.uint8
    before = qpos[:, 2].copy()
    batch.step()
    assert (qpos[:, 2] != before).all()
    batch.qpos = model.qpos0
    np.testing.assert_array_equal(qpos, np.tile(model.qpos0, (N, 1)))
    batch.qpos[3, 7] = 1
    assert batch.qpos[3, 7] == 1
    with pytest.raises(ValueError, match="could not broadcast"):
        batch.qpos = np.zeros(3)


def test_arrays_outlive_the_batch_and_the_model() -> None:
    model = condyle.MjModel.from_xml_string(MODEL)
    batch = condyle.Batch(model, N, 2)
    qpos, expected = batch.qpos, model.qpos0.copy()
    del batch, model
    gc.collect()
    np.testing.assert_array_equal(qpos[N - 1], expected)


def test_a_closed_batch_refuses_work(model: Any) -> None:
    with condyle.Batch(model, 2, 0) as batch:
        assert not batch.closed and len(batch) == 2 and batch.model is model
        qpos = batch.qpos
    batch.close()
    assert batch.closed and "closed" in repr(batch)
    for use in (batch.step, batch.reset, batch.get_state, batch.wait, lambda: batch.qpos):
        with pytest.raises(RuntimeError, match="the batch is closed"):
            use()
    assert qpos.shape == (2, 8)


def test_unknown_names_say_what_to_do(batch: Any) -> None:
    with pytest.raises(AttributeError, match='call expose\\("xpos"\\)'):
        _ = batch.xpos
    with pytest.raises(AttributeError, match='call vary\\("body_mass"\\)'):
        _ = batch.body_mass
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = batch.nonsense
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        batch.nonsense = 1
    with pytest.raises(AttributeError, match="n can't be set"):
        batch.n = 1
    with pytest.raises(condyle.FatalError, match="mjData has no field 'nonsense'"):
        batch.expose("nonsense")
    with pytest.raises(condyle.FatalError, match="in the arena"):
        batch.expose("efc_force")
    with pytest.raises(condyle.FatalError, match="compiled from it"):
        batch.vary("geom_size")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((None, 1), TypeError),
        (("model", 0), ValueError),
        (("model", 2.0), TypeError),
        (("model", 1, -1), ValueError),
        (("model", 1, 129), ValueError),
    ],
)
def test_wrong_sizes_of_batches_are_refused(
    model: Any, arguments: tuple[Any, ...], error: Any
) -> None:
    given = [model if argument == "model" else argument for argument in arguments]
    with pytest.raises(error):
        condyle.Batch(*given)


def test_masks_leave_worlds_out(model: Any, batch: Any) -> None:
    mask = np.arange(N) % 2 == 0
    batch.step(nstep=3, mask=mask)
    np.testing.assert_array_equal(batch.time, np.where(mask, 0.03, 0))
    batch.step(nstep=1)
    batch.reset(mask, keyframe="up")
    np.testing.assert_array_equal(batch.qpos[mask], np.tile(model.key_qpos[0], (4, 1)))
    np.testing.assert_array_equal(batch.time[~mask], 0.01)
    batch.reset(keyframe=np.int64(0))
    assert (batch.qpos[:, 2] == 0.5).all()
    batch.reset()
    np.testing.assert_array_equal(batch.qpos[1], model.qpos0)
    for key in ("down", 1, -1):
        with pytest.raises(ValueError, match="there is no keyframe"):
            batch.reset(keyframe=key)
    with pytest.raises(TypeError, match="mask must be of bool, got int64"):
        batch.reset([0, 1])
    with pytest.raises(ValueError, match=r"mask must have shape \(7,\), got \(2,\)"):
        batch.reset([True, False])


def test_controls_may_be_one_row_for_all(batch: Any) -> None:
    batch.step([0.5])
    np.testing.assert_array_equal(batch.ctrl, np.full((N, 1), 0.5))
    batch.step(np.float32([[1]] * N))
    np.testing.assert_array_equal(batch.ctrl, np.ones((N, 1)))
    with pytest.raises(ValueError, match=r"ctrl must have shape \(7, 1\), got \(2,\)"):
        batch.step([1, 2])
    with pytest.raises(ValueError, match="nstep must not be negative"):
        batch.step(nstep=-1)
    with pytest.raises(TypeError):
        batch.step(nstep=1.0)


def test_results_of_forward_are_those_of_the_present_state(model: Any, batch: Any) -> None:
    batch.expose("xpos")
    batch.qpos[:, 7] = np.linspace(0, 1, N)
    batch.forward()
    data = condyle.MjData(model)
    data.qpos[7] = 1
    condyle.mj_forward(model, data)
    np.testing.assert_array_equal(batch.xpos[N - 1], data.xpos)
    assert (batch.time == 0).all()


def test_the_state_goes_in_and_out_as_a_vector(model: Any, batch: Any) -> None:
    batch.step(controls(N, 1), nstep=5)
    state = batch.get_state()
    assert state.shape == (N, 1 + model.nq + model.nv)
    batch.reset()
    batch.set_state(state, mask=np.arange(N) < 3)
    np.testing.assert_array_equal(batch.get_state()[:3], state[:3])
    assert (batch.time[3:] == 0).all()
    batch.set_state(state[2])
    np.testing.assert_array_equal(batch.qpos, np.tile(state[2, 1:9], (N, 1)))
    bits = condyle.mjtState.mjSTATE_QVEL
    np.testing.assert_array_equal(batch.get_state(bits), batch.qvel)
    data = batch.get_data(2)
    np.testing.assert_array_equal(data.qpos, batch.qpos[2])
    data.qpos[7] = 3
    batch.set_data(1, data)
    assert batch.qpos[1, 7] == 3
    with pytest.raises(condyle.FatalError, match="world"):
        batch.get_data(N)


def test_a_rollout_records_each_step(model: Any, batch: Any) -> None:
    ctrl = controls(N, 6, 1)
    state, sensors = batch.rollout(ctrl)
    assert state.shape == (N, 6, 1 + model.nq + model.nv) and sensors.shape == (N, 6, 2)
    data = condyle.MjData(model)
    for t in range(6):
        data.ctrl[:] = ctrl[4, t]
        condyle.mj_step(model, data)
        np.testing.assert_array_equal(state[4, t, 1:9], data.qpos)
        np.testing.assert_array_equal(sensors[4, t], data.sensordata)
    np.testing.assert_array_equal(batch.qpos, state[:, -1, 1:9])
    given = np.empty((N, 2, state.shape[2]))
    assert batch.rollout(nstep=2, state=given)[0] is given
    assert batch.rollout(np.ones((3, 1)))[0].shape == (N, 3, state.shape[2])
    with pytest.raises(ValueError, match="control must have shape"):
        batch.rollout(np.ones((2, 4, 1)))
    with pytest.raises(TypeError, match="state should have"):
        batch.rollout(nstep=3, state=given)


def test_a_step_may_go_on_in_the_background(model: Any, batch: Any) -> None:
    ctrl = controls(N, 1)
    batch.step_async(ctrl, nstep=4)
    for use in (batch.step, batch.step_async, lambda: batch.qpos, lambda: batch.failed):
        with pytest.raises(RuntimeError, match="a step is under way"):
            use()
    batch.wait()
    np.testing.assert_array_equal(batch.qpos, stack(loop(model, ctrl, 4), "qpos"))
    with pytest.raises(RuntimeError, match="no step is under way"):
        batch.wait()
    batch.step_async(nstep=4)
    batch.close()


def test_worlds_may_have_parameters_of_their_own(model: Any, batch: Any) -> None:
    mass, gravity, step = batch.vary("body_mass", "opt.gravity", "opt.timestep")
    assert mass.shape == (N, model.nbody) and gravity.shape == (N, 3) and step.shape == (N,)
    np.testing.assert_array_equal(mass[3], model.body_mass)
    assert batch.body_mass is mass
    mass[:, 2] = np.linspace(1, 2, N)
    gravity[:, 2] = -np.arange(N)
    batch.set_const()
    batch.step(nstep=5)
    own = batch.copy_model(4)
    np.testing.assert_array_equal(own.body_mass, mass[4])
    assert own.opt.gravity[2] == -4 and model.opt.gravity[2] == -9.81
    data = condyle.MjData(own)
    condyle.mj_step(own, data, 5)
    np.testing.assert_array_equal(batch.qpos[4], data.qpos)


def test_worlds_that_fail_keep_their_state_and_tell(model: Any, batch: Any) -> None:
    batch.vary("body_mass")[[2, 5], 1] = -1
    with pytest.raises(condyle.BatchError, match=r"world 2: .*body_mass.*must be >= 0") as caught:
        batch.step(nstep=2)
    assert isinstance(caught.value, condyle.FatalError)
    assert sorted(caught.value.worlds) == [2, 5] and caught.value.worlds == batch.errors
    assert all("body_mass" in text and "world" not in text for text in batch.errors.values())
    copied = pickle.loads(pickle.dumps(caught.value))
    assert str(copied) == batch.error and copied.worlds == batch.errors
    np.testing.assert_array_equal(np.flatnonzero(batch.failed), [2, 5])
    assert batch.error.startswith("world 2: ")
    np.testing.assert_array_equal(batch.time == 0, batch.failed)
    batch.raise_errors = False
    batch.step()
    assert batch.failed.sum() == 2
    batch.body_mass = model.body_mass
    batch.step()
    assert not batch.failed.any() and batch.error == "" and batch.errors == {}


def test_worlds_behind_one_that_fails_are_stepped(model: Any) -> None:
    with condyle.Batch(model, 50, 1) as batch:  # threads take five worlds at once
        bad = [0, 6, 7, 9, 49]
        batch.vary("body_mass")[bad, 1] = -1
        with pytest.raises(condyle.FatalError, match="world 0: "):
            batch.step()
        np.testing.assert_array_equal(np.flatnonzero(batch.failed), bad)
        np.testing.assert_array_equal(batch.time == 0, batch.failed)


def test_warnings_are_counted_for_each_world(batch: Any) -> None:
    bad = condyle.mjtWarning.mjWARN_BADQVEL.value
    batch.qvel[3, 0] = np.nan
    batch.step()
    assert batch.warning.shape == (N, condyle.mjtWarning.mjNWARNING.value)
    assert batch.warning[3, bad] == 1 and batch.warning.sum() == 1


def test_derivatives_are_those_of_each_world(model: Any, batch: Any) -> None:
    nx = 2 * model.nv
    batch.qpos[:, 2] = 1  # in the air
    batch.qpos[:, 7] = np.linspace(0, 1, N)
    A, B, C, D = batch.transition()
    assert A.shape == (N, nx, nx) and B.shape == (N, nx, 1)
    assert C.shape == (N, 2, nx) and D.shape == (N, 2, 1) and (batch.kinks == 0).all()
    data = batch.get_data(5)
    a, b = np.zeros((nx, nx)), np.zeros((nx, 1))
    condyle.mjd_transitionFD(model, data, 1e-6, 1, a, b, None, None)
    np.testing.assert_allclose(A[5], a, atol=1e-6)
    np.testing.assert_allclose(B[5], b, atol=1e-6)

    dnext, dsensor = controls(N, nx), controls(N, 2)
    damping = np.ones((N, model.nv))
    dstate, dctrl = batch.vjp(dnext, dsensor, parameters={"dof_damping": damping})
    expected = np.einsum("nij,ni->nj", A, dnext) + np.einsum("nij,ni->nj", C, dsensor)
    np.testing.assert_allclose(dstate, expected, atol=1e-10)
    np.testing.assert_allclose(dctrl, np.einsum("nij,ni->nj", B, dnext), atol=1e-10)
    assert np.isfinite(damping).all()
    with pytest.raises(KeyError, match="no gradients by 'nonsense'"):
        batch.vjp(dnext, parameters={"nonsense": damping})


def test_several_losses_of_each_world_have_the_gradients_of_each(model: Any, batch: Any) -> None:
    nv = model.nv
    batch.qpos[:, 7] = np.linspace(0, 1, N)
    dnext = controls(N, 2 * 2 * nv).reshape(N, 2, 2 * nv)
    damping, same = np.zeros((N, 2, nv)), np.zeros((N, 2, nv))
    batch.vjp_parameters(dnext, parameters={"dof_damping": damping})
    for k in range(2):
        one = np.zeros((N, nv))
        batch.vjp(dnext[:, k], parameters={"dof_damping": one})
        np.testing.assert_allclose(damping[:, k], one, rtol=1e-12, atol=1e-15)
    # the same losses for all worlds
    batch.vjp_parameters(dnext[0], parameters={"dof_damping": same})
    np.testing.assert_allclose(same[0], damping[0], rtol=1e-12, atol=1e-15)
    with pytest.raises(KeyError, match="no gradients by 'nonsense'"):
        batch.vjp_parameters(dnext, parameters={"nonsense": damping})
    with pytest.raises(ValueError, match="dnext must have shape"):
        batch.vjp_parameters(dnext[:, :, 1:], parameters={"dof_damping": damping})


def test_exceptions_of_callbacks_come_out_with_their_text(model: Any, batch: Any) -> None:
    def control(_: Any, data: Any) -> None:
        if data.qpos[7] > 0.5:
            raise ValueError("too far")

    batch.qpos[4, 7] = 1
    condyle.set_mjcb_control(control)
    try:
        with pytest.raises(condyle.FatalError, match="world 4: .*ValueError: too far"):
            batch.step()
        np.testing.assert_array_equal(np.flatnonzero(batch.failed), [4])
    finally:
        condyle.set_mjcb_control(None)
    batch.step()


def test_ctrl_c_ends_a_call(model: Any, batch: Any) -> None:
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        batch.step(nstep=100_000_000)
    assert time.monotonic() - start < 5
    timer.join()
    batch.reset()
    batch.step()
    np.testing.assert_allclose(batch.time, 0.01)


def test_ctrl_c_in_a_callback_ends_a_call(model: Any) -> None:
    def control(_: Any, data: Any) -> None:
        if data.time > 0.1:
            raise KeyboardInterrupt

    condyle.set_mjcb_control(control)
    try:
        with condyle.Batch(model, 2, 1) as batch, pytest.raises(KeyboardInterrupt):
            batch.step(nstep=1000)
    finally:
        condyle.set_mjcb_control(None)


def test_two_threads_may_not_use_a_batch_at_once(model: Any, batch: Any) -> None:
    thread = threading.Thread(target=batch.step, kwargs={"nstep": 20000})
    thread.start()
    refused = False
    while thread.is_alive() and not refused:
        try:
            batch.forward()
        except RuntimeError as error:
            refused = "in use by another thread" in str(error)
    thread.join()
    assert refused


def starts(model: Any, n: int) -> Any:
    data = condyle.MjData(model)
    bits = condyle.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(condyle.mj_stateSize(model, bits))
    condyle.mj_getState(model, data, state, bits)
    return np.tile(state, (n, 1))


def test_ctrl_c_ends_a_rollout(model: Any) -> None:
    datas = [condyle.MjData(model) for _ in range(2)]
    for pool_size in (0, 2):
        with rollout.Rollout(nthread=pool_size) as pool:
            timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                pool.rollout(model, datas[: max(1, pool_size)], starts(model, 20), nstep=200000)
            timer.join()
            state, _ = pool.rollout(model, datas[: max(1, pool_size)], starts(model, 3))
            assert state.shape[:2] == (3, 1)


def test_errors_and_foreign_data_come_out_in_the_calling_thread(model: Any) -> None:
    other = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    )
    datas = [condyle.MjData(model), condyle.MjData(other)]
    with rollout.Rollout(nthread=2) as pool:
        with pytest.raises(condyle.FatalError, match="data"):
            pool.rollout(model, datas, starts(model, 3))
        datas[1] = condyle.MjData(model)

        def control(_: Any, data: Any) -> None:
            if data.time > 0.025:
                raise ValueError("enough")

        condyle.set_mjcb_control(control)
        try:
            with pytest.raises(condyle.FatalError, match="ValueError: enough"):
                pool.rollout(model, datas, starts(model, 9), nstep=9)
        finally:
            condyle.set_mjcb_control(None)
        pool.rollout(model, datas, starts(model, 9), nstep=9)
