"""Viewers begin and end: with their pages, with the program, side by side."""

from __future__ import annotations

import gc
import inspect
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from viewer_page import XML, Closed, Page, parts, place_of, until

import condyle
from condyle import _simulate, viewer
from condyle._viewer import window

# lives


def test_a_viewer_ends_with_its_last_page(pair: Any) -> None:
    handle = viewer.launch_passive(*pair)
    assert handle.is_running()
    first, second = Page(handle.url), Page(handle.url)
    first.tick(size=(300, 200))
    viewport = handle.viewport
    assert viewport is not None
    assert (viewport.width, viewport.height) == (300, 200)
    first.socket.close()
    time.sleep(2)
    assert handle.is_running()
    second.socket.close()
    until(lambda: not handle.is_running())
    handle.sync()
    assert (handle.m, handle.d, handle.viewport) == (None, None, None)
    assert handle.user_scn.ngeom == 0


def test_a_page_may_be_loaded_again(pair: Any) -> None:
    with viewer.launch_passive(*pair) as handle:
        for _ in range(3):
            with Page(handle.url) as page:
                page.tick()
            assert handle.is_running()
            time.sleep(0.2)


def test_closing_tells_pages_and_calls_after_it_do_nothing(handle: viewer.Handle) -> None:
    with Page(handle.url) as page:
        page.tick()
        handle.close()
        with pytest.raises(Closed, match="1001 the program has closed the viewer"):
            page.receive()
    assert not handle.is_running()
    handle.close()
    handle.sync()
    handle.sync(state_only=True)
    with handle.lock():
        pass
    handle.update_hfield(99)
    handle.update_mesh(99)
    handle.update_texture(99)
    handle.set_texts((None, None, "a", "b"))
    handle.clear_figures()
    with pytest.raises(OSError):
        Page(handle.url)


def test_two_viewers_at_once(pair: Any) -> None:
    m, d = pair
    other = condyle.MjData(m)
    with viewer.launch_passive(m, d) as one, viewer.launch_passive(m, other) as two:
        assert one.url != two.url
        other.qpos[3] = 5
        condyle.mj_forward(m, other)
        two.sync()
        with Page(one.url) as first, Page(two.url) as second:
            assert place_of(first.geoms(), m, "ball")[2] == 1
            assert place_of(second.geoms(), m, "ball")[2] == 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_leaves_the_viewer_alone(handle: viewer.Handle) -> None:
    with Page(handle.url) as page:
        page.tick()
        child = os.fork()
        if child == 0:
            # what the end of the interpreter does
            window._close_all()
            os._exit(0 if not handle.is_running() else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert page.tick()["pictures"]
        with Page(handle.url) as other:
            assert other.tick()["pictures"]


def test_the_lock_keeps_pages_out(handle: viewer.Handle) -> None:
    with Page(handle.url) as page:
        page.tick()
        got: list[Any] = []
        with handle.lock():
            # the same thread may take it again
            with handle.lock():
                handle.sync()
            thread = threading.Thread(target=lambda: got.append(page.tick()))
            thread.start()
            time.sleep(0.2)
            assert not got
        thread.join(10)
        assert got


def test_pages_and_program_at_once(pair: Any) -> None:
    m, d = pair
    stop = threading.Event()
    failures: list[BaseException] = []

    def watch(url: str) -> None:
        try:
            with Page(url) as page:
                while not stop.is_set():
                    page.tick(["moveCamera", 1, 0.01, 0.0], ["setControl", 0, 0.1])
                    page.ask("pick", 0, 1.3, 0.5, 0.5)
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    with viewer.launch_passive(m, d) as handle:
        threads = [threading.Thread(target=watch, args=(handle.url,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(2000):
            condyle.mj_step(m, d)
            handle.sync()
        stop.set()
        for thread in threads:
            thread.join(20)
    assert not failures


def test_a_viewer_leaves_nothing_behind(pair: Any) -> None:
    with viewer.launch_passive(*pair) as handle, Page(handle.url) as page:
        page.tick()
    del handle
    gc.collect()
    before = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        with viewer.launch_passive(*pair) as handle, Page(handle.url) as page:
            page.tick()
    del handle
    gc.collect()
    until(lambda: threading.active_count() <= before[0])
    assert len(os.listdir("/proc/self/fd")) <= before[1]


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise RuntimeError('end')", "os.kill(0, 2)"])
def test_the_interpreter_ends(end: str, tmp_path: Path) -> None:
    """With a page that asks for pictures all the time."""
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys, threading\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import condyle, condyle.viewer\n"
        "from viewer_page import Page\n"
        f"m = condyle.MjModel.from_xml_string('''{XML}''')\n"
        "d = condyle.MjData(m)\n"
        "v = condyle.viewer.launch_passive(m, d)\n"
        "page = Page(v.url)\n"
        "def watch():\n"
        "  try:\n"
        "    while True: page.tick()\n"
        "  except Exception: pass\n"
        "threading.Thread(target=watch, daemon=True).start()\n"
        "for i in range(200):\n"
        "  condyle.mj_step(m, d); v.sync()\n"
        "print('done', flush=True)\n"
        f"{end}\n"
    )
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
    )
    expected = {"": 0, "sys.exit(3)": 3, "os.kill(0, 2)": -signal.SIGINT}.get(end, 1)
    assert (done.returncode, done.stdout) == (expected, "done\n"), done.stderr


def test_the_address_is_said_where_no_browser_is(
    pair: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import webbrowser

    with viewer.launch_passive(*pair) as handle:
        said: list[str] = []
        until(lambda: said.append(capsys.readouterr().err) or "".join(said))
        assert f"The viewer is at {handle.url}\n" in "".join(said)
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setattr(webbrowser, "open", lambda url: True)
    with viewer.launch_passive(*pair):
        time.sleep(0.2)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("shown", [True, False])
def test_no_command_has_the_secret_among_its_words(
    pair: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shown: bool
) -> None:
    """All users of a machine see them; a page that this user alone can read leads to the viewer."""
    import webbrowser

    opened: list[tuple[str, str, list[int]]] = []

    def open_page(url: str) -> bool:
        path = Path(urlsplit(url).path)
        modes = [stat.S_IMODE(it.stat().st_mode) for it in (path, path.parent)]
        opened.append((url, path.read_text(), modes))
        return shown

    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(webbrowser, "open", open_page)
    with viewer.launch_passive(*pair) as handle:
        until(lambda: opened)
        ((url, text, modes),) = opened
        assert parts(handle.url)[1] not in url
        assert f"url={handle.url}" in text
        assert modes == [0o600, 0o700]
        folder = Path(urlsplit(url).path).parent
        if shown:
            assert folder.exists()
            urllib.request.urlopen(handle.url).read()
        # it is gone when the browser has come, or can't be opened
        until(lambda: not folder.exists())
    with viewer.launch_passive(*pair):
        until(lambda: len(opened) == 2)
    assert not list(tmp_path.glob("condyle-*"))


def test_without_a_page_the_error_says_how_to_get_it(
    pair: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from condyle._viewer import page

    monkeypatch.setenv("CONDYLE_PAGE", str(tmp_path / "none.html"))
    with pytest.raises(condyle.FatalError, match="not there: .*none.html"):
        viewer.launch_passive(*pair)
    (tmp_path / "old.html").write_text("another page")
    monkeypatch.setenv("CONDYLE_PAGE", str(tmp_path / "old.html"))
    with pytest.raises(condyle.FatalError, match="is no page of this release"):
        viewer.launch_passive(*pair)
    monkeypatch.delenv("CONDYLE_PAGE")
    monkeypatch.setattr(page, "_PLACES", ())
    with pytest.raises(condyle.FatalError, match="`make web` in the sources builds it"):
        viewer.launch_passive(*pair)
    with pytest.raises(condyle.FatalError, match="`make web`"):
        viewer.launch()


def test_the_viewer_checks_its_arguments(pair: Any) -> None:
    model, data = pair
    wrong: list[tuple[Any, str]] = [
        (lambda: viewer.launch(None, data), "mjData is specified but mjModel is not"),
        (
            lambda: viewer.launch(model, data, loader=lambda: (model, data)),
            "model and loader are both specified",
        ),
        (lambda: viewer.launch(1), "`model` is not a mujoco.MjModel: got 1"),
        (lambda: viewer.launch(model, 2), "`data` is not a mujoco.MjData: got 2"),
        (lambda: viewer.launch(loader=3), "`loader` is not callable: got 3"),  # type: ignore[arg-type]
        (lambda: viewer.launch_passive(1, 2), "`model` is not a mujoco.MjModel: got 1"),
        (lambda: viewer.launch_passive(model, None), "`data` is not a mujoco.MjData: got None"),
        (
            lambda: viewer.launch_passive(model, data, key_callback=3),  # type: ignore[arg-type]
            "`key_callback` is not callable: got 3",
        ),
    ]
    for call, message in wrong:
        with pytest.raises(ValueError, match=re.escape(message)):
            call()
    with pytest.raises(TypeError, match="handles are made by launch_passive"):
        viewer.Handle(None)
    with pytest.raises(condyle.FatalError, match="opens no window of GLFW"):
        _simulate.Simulate()


def test_signatures_are_those_that_programs_use() -> None:
    def names(function: Any) -> list[str]:
        return list(inspect.signature(function).parameters)

    assert names(viewer.launch) == ["model", "data", "loader", "show_left_ui", "show_right_ui"]
    assert names(viewer.launch_passive)[:3] == ["model", "data", "key_callback"]
    for name in ("set_figures", "set_texts", "set_images", "update_mesh", "lock", "is_running"):
        assert callable(getattr(viewer.Handle, name))
