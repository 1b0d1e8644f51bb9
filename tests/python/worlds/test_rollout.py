"""Rollouts: sizes that are inferred, what is refused, independence of threads and of the past."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from rollout_in_python import Pool

import condyle
from condyle import rollout

ARM = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body>
      <joint name="j" type="hinge" axis="0 1 0"/>
      <geom size=".1" pos=".3 0 0"/>
      <body pos=".5 0 0">
        <joint type="hinge" axis="0 1 0"/>
        <geom size=".1"/>
      </body>
    </body>
    <body name="mc" mocap="true" pos="1 2 3" quat="0 2 0 0">
      <geom size=".1" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
  <sensor><jointpos joint="j"/></sensor>
  <equality><joint joint1="j" active="false"/></equality>
</mujoco>
"""
NSTATE, NV = 5, 2
STATE = condyle.mjtState


@pytest.fixture
def model() -> Any:
    return condyle.MjModel.from_xml_string(ARM)


@pytest.fixture
def data(model: Any) -> Any:
    return condyle.MjData(model)


def starts(nbatch: int) -> NDArray[np.float64]:
    """Initial states whose first joint angles are 0, 1, 2, ..."""
    states = np.zeros((nbatch, NSTATE))
    states[:, 1] = np.arange(nbatch)
    return states


def by_hand(model: Any, start: Any, controls: Any) -> NDArray[np.float64]:
    """States of a plain loop."""
    data = condyle.MjData(model)
    condyle.mj_setState(model, data, start, STATE.mjSTATE_FULLPHYSICS)
    states = np.empty((len(controls), NSTATE))
    for t, control in enumerate(controls):
        data.ctrl[:] = control
        condyle.mj_step(model, data)
        now = np.empty(NSTATE)
        condyle.mj_getState(model, data, now, STATE.mjSTATE_FULLPHYSICS)
        states[t] = now
    return states


def test_a_rollout_equals_a_plain_loop_to_the_bit(model: Any, data: Any) -> None:
    controls = np.random.default_rng(0).normal(size=(3, 7, 1))
    state, sensordata = rollout.rollout(model, data, starts(3), controls)
    for r in range(3):
        np.testing.assert_array_equal(state[r], by_hand(model, starts(3)[r], controls[r]))
    assert sensordata.shape == (3, 7, 1)
    # sensors show the state before the step
    np.testing.assert_allclose(sensordata[:, 1:, 0], state[:, :-1, 1])


def test_results_do_not_depend_on_threads_or_chunks(model: Any, data: Any) -> None:
    controls = np.random.default_rng(1).normal(size=(9, 4, 1))
    expected, _ = rollout.rollout(model, data, starts(9), controls)
    for nthread in (1, 2, 3):
        for chunk in (None, 1, 2, 20):
            datas = [condyle.MjData(model) for _ in range(nthread)]
            with rollout.Rollout(nthread=nthread) as pool:
                state, _ = pool.rollout(model, datas, starts(9), controls, chunk_size=chunk)
            np.testing.assert_array_equal(state, expected)


def test_the_past_of_a_data_has_no_influence(model: Any, data: Any) -> None:
    expected = [
        rollout.rollout(model, data, starts(2), nstep=3, control_spec=spec)[0]
        for spec in (STATE.mjSTATE_CTRL.value, 0)
    ]
    for spec, clean in zip((STATE.mjSTATE_CTRL.value, 0), expected, strict=True):
        data.ctrl[:], data.qfrc_applied[:], data.xfrc_applied[:] = 5, 7, 3
        data.mocap_pos[:], data.eq_active[:], data.qacc_warmstart[:] = 9, 1, 100
        data.time, data.warning[2].number = 50, 4
        state, _ = rollout.rollout(model, data, starts(2), nstep=3, control_spec=spec)
        np.testing.assert_array_equal(state, clean)
    assert data.ctrl[0] == data.qfrc_applied[0] == data.xfrc_applied[0, 0] == 0
    assert (data.mocap_pos[0].tolist(), data.mocap_quat[0].tolist()) == ([1, 2, 3], [0, 1, 0, 0])
    assert data.eq_active[0] == 0


def test_controls_may_be_any_inputs_of_the_user(model: Any, data: Any) -> None:
    spec = STATE.mjSTATE_CTRL.value | STATE.mjSTATE_QFRC_APPLIED.value
    state, _ = rollout.rollout(model, data, starts(1), np.ones((2, 3)), control_spec=spec)
    other = condyle.MjData(model)
    for _ in range(2):
        other.ctrl[:], other.qfrc_applied[:] = 1, 1
        condyle.mj_step(model, other)
    np.testing.assert_array_equal(state[0, 1, 1:3], other.qpos)


@pytest.mark.parametrize(
    ("options", "nbatch", "nstep"),
    [
        ({}, 1, 1),
        ({"nstep": 4}, 1, 4),
        ({"nstep": np.int64(4)}, 1, 4),
        ({"nstep": 0}, 1, 0),
        ({"control": np.ones((2, 1, 1)), "nstep": 0}, 2, 0),
        ({"initial_state": starts(3)}, 3, 1),
        ({"control": 1.0}, 1, 1),
        ({"control": np.ones(1)}, 1, 1),
        ({"control": np.ones((2, 1))}, 1, 2),
        ({"control": np.ones((3, 2, 1))}, 3, 2),
        ({"control": np.ones((1, 1)), "nstep": 3}, 1, 3),
        ({"control": np.ones((1, 2, 1)), "initial_state": starts(3)}, 3, 2),
        ({"control": np.ones((2, 1), dtype=np.float32)}, 1, 2),
        ({"initial_state": starts(3).astype(int)}, 3, 1),
        ({"initial_warmstart": np.zeros((4, NV))}, 4, 1),
        ({"initial_warmstart": np.zeros(NV), "initial_state": starts(3)}, 3, 1),
        ({"state": np.zeros((4, 3, NSTATE))}, 4, 3),
        ({"sensordata": np.zeros((4, 3, 1))}, 4, 3),
        ({"state": np.zeros((3, NSTATE))}, 1, 3),
    ],
)
def test_sizes_are_inferred_from_all_arrays(
    model: Any, data: Any, options: dict[str, Any], nbatch: int, nstep: int
) -> None:
    options = {"initial_state": starts(1)[0], **options}
    state, sensordata = rollout.rollout(model, data, **options)
    assert (state.shape, sensordata.shape) == ((nbatch, nstep, NSTATE), (nbatch, nstep, 1))
    assert state.dtype == sensordata.dtype == np.float64
    assert not nstep or state[-1, -1, 0] == pytest.approx(0.01 * nstep)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"control": np.ones((1, 3, 2, 1))}, "control can have at most 3 dimensions"),
        ({"control": [[1.0]]}, "control must be a numpy array or float"),
        ({"control": np.ones((2, 2))}, "trailing dimension of control must be 1, got 2"),
        (
            {"control": np.ones((2, 1)), "nstep": 3},
            "dimension 1 inferred as 3 but control has 2",
        ),
        (
            {"control": np.ones((2, 2, 1)), "initial_state": starts(3)},
            "dimension 0 inferred as 3 but control has 2",
        ),
        ({"initial_state": None}, "initial_state must be a numpy array or float"),
        ({"initial_state": [0.0] * NSTATE}, "initial_state must be a numpy array or float"),
        ({"initial_state": np.zeros((1, 1, NSTATE))}, "initial_state can have at most 2 dim"),
        ({"initial_state": np.zeros(6)}, "trailing dimension of initial_state must be 5, got 6"),
        (
            {"initial_warmstart": np.zeros((2, NV)), "initial_state": starts(3)},
            "dimension 0 inferred as 3 but initial_warmstart has 2",
        ),
        ({"initial_warmstart": np.zeros(3)}, "dimension of initial_warmstart must be 2, got 3"),
        ({"nstep": 2.0}, "nstep must be an integer"),
        ({"nstep": True}, "nstep must be an integer, got True"),
        ({"nstep": -1}, "nstep must be non-negative"),
        ({"chunk_size": 2.0}, "chunk_size must be an integer"),
        ({"chunk_size": 0}, "chunk_size must be a positive integer"),
        (
            {"control_spec": STATE.mjSTATE_QPOS.value},
            "control_spec can only contain bits in mjSTATE_USER",
        ),
        ({"control_spec": 1 << 20}, "control_spec can only contain bits in mjSTATE_USER"),
        (
            {"state": np.zeros((1, 2, NSTATE)), "initial_state": starts(3)},
            "state.size should be 30, got 10",
        ),
        (
            {"state": np.zeros((3, 1, NSTATE)), "initial_state": starts(3), "nstep": 2},
            "state.size should be 30, got 15",
        ),
        (
            {"state": np.zeros((4, 1, NSTATE)), "initial_state": starts(3)},
            "dimension 0 inferred as 3 but state has 4",
        ),
        ({"state": np.zeros((4, 3, 6))}, "trailing dimension of state must be 5, got 6"),
        ({"sensordata": np.zeros((4, 3, 2))}, "trailing dimension of sensordata must be 1, got 2"),
        ({"state": [0.0] * NSTATE}, "state must be a numpy array or float"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(
    model: Any, data: Any, options: dict[str, Any], message: str
) -> None:
    options = {"initial_state": starts(1)[0], **options}
    with pytest.raises(ValueError, match=re.escape(message)):
        rollout.rollout(model, data, **options)


def test_models_may_differ_in_numbers_only(model: Any, data: Any) -> None:
    light = condyle.MjModel.from_xml_string(ARM.replace('size=".1"', 'size=".05"'))
    other = condyle.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'
    )
    start = starts(1)[0]
    state, _ = rollout.rollout([model, light], data, start, np.ones((5, 1)))
    np.testing.assert_array_equal(state[0], by_hand(model, start, np.ones((5, 1))))
    np.testing.assert_array_equal(state[1], by_hand(light, start, np.ones((5, 1))))
    assert not np.array_equal(state[0], state[1])
    assert rollout.rollout((model,), data, starts(3))[0].shape == (3, 1, NSTATE)
    with pytest.raises(ValueError, match="nbatch inferred as 3 but model is length 2"):
        rollout.rollout([model, model], data, starts(3))
    with pytest.raises(ValueError, match="models are not compatible"):
        rollout.rollout([model, other, model], data, starts(3))
    with pytest.raises(ValueError, match="list of models is empty"):
        rollout.rollout([], data, starts(3))
    with pytest.raises(TypeError, match="model must be an MjModel"):
        rollout.rollout([model, 1], data, starts(2))


def test_each_thread_has_a_data_of_its_own(model: Any, data: Any) -> None:
    more = [data, condyle.MjData(model), condyle.MjData(model)]
    start = starts(3)
    with rollout.Rollout(nthread=2) as pool:
        with pytest.raises(ValueError, match="Length of data: 3 not equal to nthread: 2"):
            pool.rollout(model, more, start)
        with pytest.raises(ValueError, match="same instance twice"):
            pool.rollout(model, [data, data], start)
        with pytest.raises(ValueError, match="The list of data instances is empty"):
            pool.rollout(model, [], start)
    with rollout.Rollout() as pool:
        assert pool.nthread == 0
        with pytest.raises(ValueError, match="configured to run on main thread"):
            pool.rollout(model, more, start)
    for wrong in (None, 1, [1], iter([data])):
        with pytest.raises(TypeError, match="data must be an MjData or a list of them"):
            rollout.rollout(model, wrong, start)
    assert rollout.rollout(model, tuple(more), start)[0].shape == (3, 1, NSTATE)


def test_a_closed_pool_refuses_work(model: Any, data: Any) -> None:
    pool = rollout.Rollout(nthread=1)
    pool.close()
    pool.close()
    with pytest.raises(RuntimeError, match="rollout requested after thread pool shutdown"):
        pool.rollout(model, data, starts(1))
    with pytest.raises(ValueError, match="nthread must not be negative"):
        rollout.Rollout(nthread=-1)
    with pytest.raises(TypeError, match="nthread must be an integer"):
        rollout.Rollout(nthread=2.0)  # type: ignore[arg-type]


def test_the_persistent_pool_stays_until_the_number_of_threads_changes(model: Any) -> None:
    def datas(n: int) -> list[Any]:
        return [condyle.MjData(model) for _ in range(n)]

    rollout.rollout(model, datas(2), starts(3), persistent_pool=True)
    first = rollout.persistent_rollout
    rollout.rollout(model, datas(2), starts(3), persistent_pool=True)
    assert first is not None and rollout.persistent_rollout is first
    rollout.rollout(model, datas(3), starts(3), persistent_pool=True)
    assert rollout.persistent_rollout is not first
    rollout.shutdown_persistent_pool()
    assert rollout.persistent_rollout is None
    rollout.shutdown_persistent_pool()


@pytest.mark.parametrize(
    "given",
    [
        np.zeros((3, 2, NSTATE)),
        np.zeros((3, 4, NSTATE))[:, ::2],
        np.zeros((3, 2, NSTATE), order="F"),
        np.zeros((3, 2, NSTATE), dtype=np.float32),
    ],
)
def test_results_land_in_the_arrays_that_were_given(model: Any, data: Any, given: Any) -> None:
    expected, _ = rollout.rollout(model, data, starts(3), nstep=2)
    state, _ = rollout.rollout(model, data, starts(3), nstep=2, state=given)
    assert state is given
    np.testing.assert_allclose(given, expected, rtol=1e-6)


def test_results_may_lack_leading_dimensions(model: Any, data: Any) -> None:
    given = np.zeros((2, NSTATE))
    state, _ = rollout.rollout(model, data, starts(1), state=given)
    assert state.shape == (1, 2, NSTATE) and np.shares_memory(state, given)
    fixed = np.zeros((1, 2, NSTATE))
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="state is read-only"):
        rollout.rollout(model, data, starts(1), state=fixed)


def test_without_checks_all_is_taken_as_it_is(model: Any, data: Any) -> None:
    start = starts(3)
    state = np.zeros((3, 2, NSTATE))
    expected, _ = rollout.rollout(model, data, start, np.ones((3, 2, 1)))
    result = rollout.rollout(
        [model] * 3, [data], start, np.ones((3, 2, 1)), skip_checks=True, nstep=2, state=state
    )
    assert result[0] is state and result[1] is None
    np.testing.assert_array_equal(state, expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"initial_state": np.zeros(6)}, "state0.size should be 5, got 6"),
        ({"control": np.zeros((1, 1, 2))}, "control.size should be 1, got 2"),
        ({"initial_warmstart": np.zeros((1, 3))}, "warmstart0.size should be 2, got 3"),
        ({"state": np.zeros((1, 2, NSTATE))}, "state.size should be 5, got 10"),
        ({"sensordata": np.zeros((1, 2, 1))}, "sensordata.size should be 1, got 2"),
        ({"nstep": None}, "nstep must be an integer"),
    ],
)
def test_sizes_are_checked_all_the_same(
    model: Any, data: Any, options: dict[str, Any], message: str
) -> None:
    options = {"initial_state": starts(1), "nstep": 1, **options}
    with pytest.raises(ValueError, match=re.escape(message)):
        rollout.rollout([model], [data], skip_checks=True, **options)
    with pytest.raises(TypeError, match="model must be a list if skip_checks is set"):
        rollout.rollout(model, [data], starts(1), skip_checks=True, nstep=1)


def test_a_rollout_that_diverges_stands_still(model: Any, data: Any) -> None:
    start = starts(2)
    start[0, 3] = 1e12
    state, sensordata = rollout.rollout(model, data, start, nstep=5)
    assert (state[0] == state[0, 0]).all() and (sensordata[0] == sensordata[0, 0]).all()
    np.testing.assert_allclose(state[1, :, 0], 0.01 * np.arange(1, 6))


def test_the_compiled_pool_equals_the_one_in_python(model: Any) -> None:
    controls = np.random.default_rng(2).normal(size=(5, 6, 1))
    datas = [condyle.MjData(model) for _ in range(2)]
    with rollout.Rollout(nthread=2) as pool:
        state, sensordata = pool.rollout(
            model, datas, starts(5), controls, initial_warmstart=np.ones(NV)
        )
    other, sensors = np.empty_like(state), np.empty_like(sensordata)
    spec, warm = STATE.mjSTATE_CTRL.value, np.ones((5, NV))
    arrays = (starts(5), warm, controls, other, sensors)
    Pool(1).rollout([model] * 5, datas[:1], 6, spec, *arrays, 5, False)
    np.testing.assert_array_equal(state, other)
    np.testing.assert_array_equal(sensordata, sensors)


def test_rollouts_in_lanes_round_otherwise(model: Any, data: Any) -> None:
    controls = np.random.default_rng(2).normal(size=(16, 50, 1))
    beside, sensors = rollout.rollout(model, data, starts(16), controls)
    end = np.empty(NSTATE)
    condyle.mj_getState(model, data, end, STATE.mjSTATE_FULLPHYSICS)
    np.testing.assert_array_equal(end, beside[-1, -1])
    alone, seen = rollout.rollout(model, data, starts(16), controls, lanes=False)
    np.testing.assert_array_equal(alone[3], by_hand(model, starts(16)[3], controls[3]))
    np.testing.assert_allclose(beside, alone, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(sensors, seen, rtol=1e-9, atol=1e-9)
    assert not np.array_equal(beside, alone)
