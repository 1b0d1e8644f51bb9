"""Simulations that the viewer runs itself."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from viewer_page import XML, Page, until

import condyle
from condyle import viewer

# the simulation that the viewer runs itself


class Managed:
    """viewer.launch in a thread of its own."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        from condyle._viewer import window

        before = set(window._open)
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, args=(arguments, keywords), daemon=True)
        self.thread.start()
        until(lambda: set(window._open) - before or self.error)
        (self.window,) = set(window._open) - before
        self.url: str = self.window.url

    def _run(self, arguments: Any, keywords: Any) -> None:
        try:
            viewer.launch(*arguments, **keywords)
        except BaseException as error:  # noqa: BLE001
            self.error = error

    def __enter__(self) -> Managed:
        return self

    def __exit__(self, *_: object) -> None:
        self.window.close()
        self.thread.join(10)
        assert not self.thread.is_alive()
        assert self.error is None


def test_a_managed_simulation_keeps_the_pace_of_the_clock(pair: Any) -> None:
    m, d = pair
    with Managed(m, d) as managed, Page(managed.url) as page:
        assert page.hello["remote"] == {
            "managed": True, "left": True, "right": True,
            "loads": True, "reloads": False, "waits": False,
        }  # fmt: skip
        for speed in (1, 0.25):
            page.tick(["setSpeed", speed])
            time.sleep(0.05)
            start, begun = page.tick()["time"], time.monotonic()
            time.sleep(1)
            pace = (page.tick()["time"] - start) / (time.monotonic() - begun)
            assert 0.6 * speed < pace < 1.4 * speed
        until(lambda: page.tick(["play", 0])["playing"] is False)
        stopped = page.tick()["time"]
        time.sleep(0.1)
        assert page.tick()["time"] == stopped
        page.tick(["step"], ["step"])
        until(lambda: page.tick()["time"] > stopped + 1.5 * m.opt.timestep)
        assert abs(page.tick()["time"] - stopped - 2 * m.opt.timestep) < 1e-9
        page.tick(["reset", 0])
        until(lambda: page.tick()["time"] == 0)
        assert d.qpos.tolist() == m.key_qpos[0].tolist()
        # a body that floats is put in place while the simulation stands still
        ball = m.body("ball").id
        page.tick(["selectBody", ball], ["hold", 0, 1], ["drag", 0, 3, 0.2, 0.2])
        until(lambda: not np.allclose(d.qpos[1:4], m.key_qpos[0][1:4]))


def test_launch_returns_when_its_page_is_closed(pair: Any) -> None:
    managed = Managed(*pair, show_left_ui=False)
    with Page(managed.url) as page:
        assert page.hello["remote"]["left"] is False
        page.tick()
    managed.thread.join(10)
    assert not managed.thread.is_alive()
    assert managed.error is None


def test_a_loader_is_called_again(tmp_path: Path) -> None:
    texts = [XML, XML.replace('model="arm"', 'model="other"'), "<mujoco><broken/></mujoco>"]
    calls: list[int] = []

    def loader() -> Any:
        calls.append(1)
        m = condyle.MjModel.from_xml_string(texts[len(calls) - 1])
        return m, condyle.MjData(m)

    with Managed(loader=loader) as managed, Page(managed.url) as page:
        page.tick()
        page.tick(["reload"])
        until(lambda: page.tick() and len(page.titles) == 2)
        assert page.titles == ["arm", "other"]
        page.tick(["reload"])
        errors: list[str] = []
        until(lambda: errors.append(page.tick()["error"]) or "".join(errors))
        assert "broken" in "".join(errors)
        assert page.tick()["pictures"]


def test_pages_bring_models(pair: Any) -> None:
    m, d = pair
    with Managed() as managed, Page(managed.url) as page:
        frame = page.tick(["moveCamera", 1, 0.1, 0.1], ["play", 1])
        assert (frame["pictures"], len(frame["qpos"])) == ([], 0)
        assert page.ask("pick", 0, 1.0, 0.5, 0.5)["body"] == -1
        assert page.ask("inspect", "nbody", 0) == []
        cube = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
        text = (
            b'<mujoco><asset><mesh name="m" file="meshes/cube.obj"/></asset><worldbody>'
            b'<include file="part.xml"/></worldbody></mujoco>'
        )
        part = (
            b'<mujoco><body name="b"><joint name="j" type="slide"/>'
            b'<geom type="mesh" mesh="m"/></body></mujoco>'
        )
        files = {"robot.xml": text, "part.xml": part, "meshes/cube.obj": cube}
        answer = page.load(files, "robot.xml")
        assert (answer["problems"], answer["loaded"]) == ([], True)
        until(lambda: page.tick()["pictures"])
        assert page.titles == ["robot.xml"]
        page.tick(["play", 0], ["setPosition", 0, 0.125])
        until(lambda: page.tick()["qpos"].tolist() == [0.125])
        # another model goes on where the old one is
        assert page.load(files | {"robot.xml": text + b"<!-- -->"}, "robot.xml", keep=True)[
            "loaded"
        ]
        until(lambda: len(page.titles) == 2 or page.tick() is None)
        assert page.tick()["qpos"].tolist() == [0.125]
        # one with mistakes leaves it
        answer = page.load({"x.xml": b"<mujoco>\n<wrong/></mujoco>"}, "x.xml")
        assert answer["loaded"] is False
        assert (answer["problems"][0]["file"], answer["problems"][0]["line"]) == ("x.xml", 2)
        assert "wrong" in answer["problems"][0]["message"] + answer["problems"][0]["element"]
        for name, content in (("x.xml", b"\xff\xfe"), ("x.mjb", b"no model"), ("x.xml", b"")):
            assert page.load({name: content}, name)["loaded"] is False
        binary = np.empty(condyle.mj_sizeModel(m), np.uint8)
        condyle.mj_saveModel(m, None, binary)
        assert page.load({"arm.mjb": binary.tobytes()}, "arm.mjb")["loaded"]
        until(lambda: len(page.tick()["qpos"]) == m.nq)


def test_pages_read_no_files_of_this_machine(pair: Any, tmp_path: Path) -> None:
    """A model that a page sends is made of what it sends."""
    secret = tmp_path / "secret.xml"
    secret.write_text("<mujoco><worldbody><geom name='secret' size='1'/></worldbody></mujoco>")
    image = tmp_path / "secret.png"
    image.write_bytes(
        bytes.fromhex(
            "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
            "0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
        )
    )
    texture = f"<asset><texture name='t' type='2d' file='{image}'/></asset>"
    assert condyle.MjModel.from_xml_string(f"<mujoco>{texture}</mujoco>").ntex == 1
    with Managed(*pair) as managed, Page(managed.url) as page:
        page.tick()
        for part in (
            texture,
            f"<include file='{secret}'/>",
            f"<asset><model name='m' file='{secret}'/></asset>",
        ):
            answer = page.load({"a.xml": f"<mujoco>{part}</mujoco>".encode()}, "a.xml")
            assert not answer["loaded"]
            assert "it is not among the given files" in answer["problems"][0]["message"]
        answer = page.load(
            {"a.xml": f"<mujoco>{texture}</mujoco>".encode(), "b/secret.png": image.read_bytes()},
            "a.xml",
        )
        assert answer["loaded"], answer


def test_programs_keep_their_model(handle: viewer.Handle) -> None:
    with Page(handle.url) as page:
        answer = page.load({"x.xml": b"<mujoco/>"}, "x.xml")
        assert answer["loaded"] is False
        assert "chooses the model" in answer["problems"][0]["message"]


def test_a_simulation_that_fails_stands_still(pair: Any) -> None:
    m, d = pair
    with Managed(m, d) as managed, Page(managed.url) as page:
        page.tick()
        with managed.window.view.lock:
            d.qpos[:] = np.nan
            page_time = d.time
        # the engine starts anew from a state that is none
        until(lambda: page.tick()["time"] < max(page_time, 0.5))
        assert np.isfinite(page.tick()["qpos"]).all()


def test_the_command_line(tmp_path: Path) -> None:
    model = tmp_path / "arm.xml"
    model.write_text(XML)
    process = subprocess.Popen(
        [sys.executable, "-m", "condyle.viewer", f"--mjcf={model}"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    url = process.stderr.readline().removeprefix("The viewer is at ").strip()
    with Page(url) as page:
        page.tick()
        assert page.titles == [str(model)]
        assert page.files == {str(model): XML.encode()}
        assert page.hello["remote"]["reloads"] is True
    assert process.wait(timeout=20) == 0
    process.stderr.close()


def test_the_command_line_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert viewer.main([f"--mjcf={tmp_path / 'none.xml'}"]) == 1
    assert "none.xml" in capsys.readouterr().err


def test_it_is_the_viewer_of_mujoco(pair: Any, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import condyle\n"
        "condyle.install_as_mujoco()\n"
        "import mujoco, mujoco.viewer\n"
        "m = mujoco.MjModel.from_xml_string('<mujoco><worldbody/></mujoco>')\n"
        "d = mujoco.MjData(m)\n"
        "with mujoco.viewer.launch_passive(m, d) as v:\n"
        "  assert isinstance(v, mujoco.viewer.Handle) and v.is_running()\n"
        "  mujoco.mj_step(m, d); v.sync()\n"
    )
    subprocess.run([sys.executable, str(program)], check=True, timeout=60)
