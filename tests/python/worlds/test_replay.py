"""Runs as files: what was set is in them, and they make the same bits."""

from pathlib import Path

import numpy as np
import pytest

import condyle
from condyle import replay

XML = """
<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .3"><freejoint/>
<geom size=".1"/><body pos=".2 0 0"><joint name="j" axis="0 1 0"/><geom size=".05"/></body></body>
</worldbody><actuator><motor joint="j"/></actuator></mujoco>
"""


def record(path: Path, nstep: int = 30) -> np.ndarray:
    """Record a run and return its last positions."""
    model = condyle.MjModel.from_xml_string(XML)
    data = condyle.MjData(model)
    with replay.Recorder(path, model, data) as run:
        for i in range(nstep):
            data.ctrl[0] = np.sin(i)
            if i == 7:
                data.xfrc_applied[1, 2] = 3
            run.step()
    return data.qpos.copy()


def test_a_replay_has_the_bits(tmp_path: Path) -> None:
    qpos = record(tmp_path / "run.cnd")
    run = replay.Replay(tmp_path / "run.cnd")
    assert run.nstep == 30
    assert run.writer == replay.here()
    for _ in range(2):
        assert run.run() == replay.Outcome(30, None, 0, 0)
        np.testing.assert_array_equal(run.data.qpos, qpos)
    assert run.step() is None


def test_inputs_and_differences_are_seen(tmp_path: Path) -> None:
    record(tmp_path / "run.cnd")
    run = replay.Replay(tmp_path / "run.cnd")
    for i in range(5):
        run.set_inputs()
        assert run.data.ctrl[0] == np.sin(i)
        assert run.step() is True
    run.data.qpos[0] += 1e-6
    assert run.step() is False
    assert len(list(run)) == 24


def test_several_steps_at_once(tmp_path: Path) -> None:
    model = condyle.MjModel.from_xml_string(XML)
    data = condyle.MjData(model)
    run = replay.Recorder(tmp_path / "run.cnd", model, data)
    run.step(nstep=12)
    run.close()
    run.close()
    with pytest.raises(ValueError, match="the recorder is closed"):
        run.step()
    assert replay.Replay(tmp_path / "run.cnd").run().steps == 12


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        replay.Replay(tmp_path / "none.cnd")
    (tmp_path / "model.xml").write_text(XML)
    with pytest.raises(ValueError, match="not a recorded run"):
        replay.Replay(tmp_path / "model.xml")
    record(tmp_path / "run.cnd")
    contents = bytearray((tmp_path / "run.cnd").read_bytes())
    contents[-100] ^= 1
    (tmp_path / "broken.cnd").write_bytes(contents)
    with pytest.raises(ValueError, match="damaged or cut off"):
        replay.Replay(tmp_path / "broken.cnd")
    model = condyle.MjModel.from_xml_string(XML)
    with pytest.raises(OSError, match="No such file"):
        replay.Recorder(tmp_path / "none" / "run.cnd", model, condyle.MjData(model))


def test_an_exception_leaves_a_file(tmp_path: Path) -> None:
    model = condyle.MjModel.from_xml_string(XML)
    data = condyle.MjData(model)
    with pytest.raises(ZeroDivisionError), replay.Recorder(tmp_path / "r.cnd", model, data) as run:
        run.step(3)
        raise ZeroDivisionError
    assert replay.Replay(tmp_path / "r.cnd").run() == replay.Outcome(3, None, 0, 0)


def test_data_of_another_model_is_refused(tmp_path: Path) -> None:
    model = condyle.MjModel.from_xml_string(XML)
    other = condyle.MjData(condyle.MjModel.from_xml_string("<mujoco/>"))
    with pytest.raises(TypeError):
        replay.Recorder(tmp_path / "run.cnd", model, other)
