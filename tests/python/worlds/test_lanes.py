"""Batches in vector lanes: what a world comes to beside others, and when worlds go one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import condyle

pytest.importorskip("condyle._condyle")

HUMANOID = str(Path(condyle.__file__).parent / "testdata/model.xml")
N = 11


@pytest.fixture(scope="module")
def model() -> Any:
    path = Path(HUMANOID)
    if not path.exists():  # a package that is not installed
        path = Path(__file__).parents[3] / "models/humanoid.xml"
    return condyle.MjModel.from_xml_path(str(path))


def scatter(batch: Any, seed: int = 1) -> Any:
    """Give each world a state of its own; returns controls."""
    r = np.random.default_rng(seed)
    batch.qpos[:, 2] = np.linspace(0.9, 1.6, batch.n)
    batch.qpos[:, 7:] += 0.2 * r.normal(size=batch.qpos[:, 7:].shape)
    batch.qvel[:] = 0.5 * r.normal(size=batch.qvel.shape)
    return 0.3 * r.normal(size=(batch.n, batch.model.nu))


def closeness(a: Any, b: Any) -> float:
    return float(np.abs(a - b).max() / max(1, np.abs(b).max()))


def test_worlds_come_out_as_one_by_one(model: Any) -> None:
    with condyle.Batch(model, N, 2) as batch, condyle.Batch(model, N, 2, lanes=False) as single:
        assert batch.lanes >= 2
        assert batch.why is None
        assert single.lanes == 0
        assert single.why == "lanes are switched off"
        xpos = batch.expose("xpos"), single.expose("xpos")
        ctrl = scatter(batch)
        np.testing.assert_array_equal(ctrl, scatter(single))
        for _ in range(20):
            batch.step(ctrl, nstep=5)
            single.step(ctrl, nstep=5)
            assert closeness(batch.qpos, single.qpos) < 1e-7
            assert closeness(batch.qvel, single.qvel) < 1e-6
            assert closeness(*xpos) < 1e-7
            single.qpos = batch.qpos
            single.qvel = batch.qvel
            single.qacc_warmstart = batch.qacc_warmstart
        np.testing.assert_array_equal(batch.time, single.time)


def test_the_bits_of_a_world_do_not_depend_on_the_others(model: Any) -> None:
    with condyle.Batch(model, N, 2, lanes=True) as batch:
        ctrl = scatter(batch)
        start = batch.get_state()
        batch.step(ctrl, nstep=30)
        for world in (0, 4, N - 1):
            with condyle.Batch(model, 1, 1, lanes=True) as alone:
                alone.set_state(start[world : world + 1])
                alone.step(ctrl[world : world + 1], nstep=30)
                np.testing.assert_array_equal(alone.qpos[0], batch.qpos[world])
                np.testing.assert_array_equal(alone.qvel[0], batch.qvel[world])


def test_a_mask_leaves_worlds_as_they_are(model: Any) -> None:
    with condyle.Batch(model, N, 1) as batch, condyle.Batch(model, N, 1) as other:
        ctrl = scatter(batch)
        scatter(other)
        before = batch.qpos.copy()
        mask = np.arange(N) % 3 == 1
        batch.step(ctrl, nstep=7, mask=mask)
        other.step(ctrl, nstep=7)
        np.testing.assert_array_equal(batch.qpos[~mask], before[~mask])
        np.testing.assert_array_equal(batch.qpos[mask], other.qpos[mask])


def test_rollouts_record_what_steps_would_do(model: Any) -> None:
    with condyle.Batch(model, N, 2) as batch, condyle.Batch(model, N, 2) as other:
        scatter(batch)
        scatter(other)
        control = 0.2 * np.random.default_rng(3).normal(size=(N, 9, model.nu))
        state, _ = batch.rollout(control)
        for t in range(9):
            other.step(control[:, t])
            np.testing.assert_array_equal(other.get_state(), state[:, t])
        np.testing.assert_array_equal(batch.qpos, other.qpos)


def test_sensors_are_read_in_lanes() -> None:
    text = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .3"><freejoint/>
      <geom size=".1"/><site name="s" size=".11"/></body></worldbody><sensor><touch site="s"/>
      <accelerometer site="s"/><framepos objtype="site" objname="s"/>{}</sensor></mujoco>"""
    model = condyle.MjModel.from_xml_string(text.format(""))
    with condyle.Batch(model, N, 2) as batch, condyle.Batch(model, N, 2, lanes=False) as single:
        for one in (batch, single):
            one.qvel[:, 2] = np.linspace(-3, 0, N)
        got, want = batch.rollout(nstep=100)[1], single.rollout(nstep=100)[1]
        assert batch.why is None
        assert want[:, :, 0].max() > 1
        assert closeness(got, want) < 1e-7
        for one in (batch, single):
            one.expose("sensordata")
            one.step(nstep=3)
        assert batch.why is None
        assert closeness(batch.sensordata, single.sensordata) < 1e-7
    model = condyle.MjModel.from_xml_string(text.format('<e_potential name="r"/>'))
    with condyle.Batch(model, N) as batch:
        batch.expose("sensordata")
        assert batch.lanes >= 2
        assert batch.why == "the sensor 'r' is of a kind that lanes don't compute"


def test_parameters_may_vary(model: Any) -> None:
    with condyle.Batch(model, N, 2) as batch, condyle.Batch(model, N, 2, lanes=False) as single:
        for one in (batch, single):
            one.vary("body_mass")[:] *= np.linspace(0.8, 1.2, N)[:, None]
            one.vary("geom_friction")[:, :, 0] *= np.linspace(0.5, 1.5, N)[:, None]
            one.set_const()
            scatter(one)
        assert batch.lanes >= 2
        batch.step(nstep=20)
        single.step(nstep=20)
        assert closeness(batch.qpos, single.qpos) < 1e-8
        assert np.abs(np.diff(batch.qvel, axis=0)).max() > 0.1


def test_bad_numbers_reset_a_world_alone(model: Any) -> None:
    with condyle.Batch(model, N, 2) as batch, condyle.Batch(model, N, 2) as other:
        ctrl = scatter(batch)
        scatter(other)
        batch.qvel[3, 0] = np.nan
        batch.step(ctrl, nstep=4)
        other.step(ctrl, nstep=4)
        warning = condyle.mjtWarning.mjWARN_BADQVEL
        assert batch.warning[:, warning].tolist() == [int(i == 3) for i in range(N)]
        keep = np.arange(N) != 3
        np.testing.assert_array_equal(batch.qpos[keep], other.qpos[keep])
        assert np.isfinite(batch.qpos).all()


def test_single_precision_stays_near(model: Any) -> None:
    with (
        condyle.Batch(model, N, 1, precision="single") as batch,
        condyle.Batch(model, N, 1) as double,
    ):
        assert batch.lanes == 2 * double.lanes
        ctrl = scatter(batch)
        scatter(double)
        batch.step(ctrl)
        double.step(ctrl)
        assert 0 < closeness(batch.qvel, double.qvel) < 1e-3
        batch.step(ctrl, nstep=300)
        assert np.isfinite(batch.qpos).all()


def test_what_lanes_do_not_have_goes_one_by_one() -> None:
    text = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><general name="pull" joint="j" gaintype="user"/></actuator></mujoco>"""
    with condyle.Batch(condyle.MjModel.from_xml_string(text), 3) as batch:
        assert batch.lanes == 0
        assert batch.why == "the actuator 'pull' is computed by the program"
        batch.step(nstep=3)
        assert (batch.time > 0).all()


def test_batches_tell_how_they_use_lanes(model: Any) -> None:
    with condyle.Batch(model, N, 2) as batch:
        assert batch.stats.lanes == 0
        batch.step(scatter(batch))
        stats = batch.stats
        assert (stats.lanes, stats.left, stats.unsolved, stats.alone) == (N, 0, 0, 0)
        assert 0 < stats.solving <= 1 and 0 < stats.touching <= 1 and 0.5 < stats.filled <= 1
        assert stats.iterations > 0


def test_batches_measure_themselves_if_asked(model: Any) -> None:
    with condyle.Batch(model, N, 1, lanes="measured") as batch:
        used = []
        for _ in range(5):
            batch.step(nstep=2)
            used.append(batch.stats.lanes)
        assert used[:3] == [N, N, 0]
        assert used[3] == used[4] == (0 if batch.why else N)
    with pytest.raises(ValueError, match="must be True, False, None or"):
        condyle.Batch(model, N, lanes="quick")
    with pytest.raises(ValueError, match="needs precision"):
        condyle.Batch(model, N, lanes="measured", precision="single")


def test_lanes_by_choice_need_worlds_that_fill_them(model: Any) -> None:
    with condyle.Batch(model, 1, lanes=True) as asked, condyle.Batch(model, 1) as batch:
        assert asked.lanes >= 2
        if asked.lanes > 2:
            assert batch.lanes == 0
            assert batch.why == "worlds are too few to fill lanes"
            batch.step(nstep=5)
            data = condyle.MjData(model)
            for _ in range(5):
                condyle.mj_step(model, data)
            assert (batch.qpos[0] == data.qpos).all()
    with condyle.Batch(model, N) as batch:
        assert batch.lanes >= 2
        assert batch.why is None


def test_options_may_change_between_calls() -> None:
    text = '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'
    model = condyle.MjModel.from_xml_string(text)
    with condyle.Batch(model, 3, lanes=True) as batch:
        assert batch.lanes >= 2
        model.opt.enableflags = int(condyle.mjtEnableBit.mjENBL_SLEEP)
        assert batch.lanes == 0
        model.opt.enableflags = 0
        assert batch.lanes >= 2


def test_arguments_are_checked(model: Any) -> None:
    with pytest.raises(ValueError, match="precision must be .* got 'half'"):
        condyle.Batch(model, 2, precision="half")  # type: ignore[arg-type]
    with (
        condyle.Batch(model, 2) as batch,
        pytest.raises(AttributeError, match="lanes can't be set"),
    ):
        batch.lanes = 3
