"""The viewer in a real browser, where there is one: tests/web/remote_test.mjs drives its page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from viewer_page import XML

import condyle
from condyle import viewer
from condyle._viewer import page

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page as it was built, and a browser."""
    monkeypatch.delenv("CONDYLE_PAGE")
    file = ROOT / "build" / "web" / "viewer.html"
    for tool in ("node", "chromium"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} (scripts/need.sh web)")
    if file.is_file():
        monkeypatch.setenv("CONDYLE_PAGE", str(file))
    try:
        page.with_start({})
    except condyle.FatalError:
        pytest.skip("the page of this release is not built (make web)")


@pytest.mark.usefixtures("built")
def test_a_page_that_brings_a_model() -> None:
    script = str(ROOT / "tests" / "web" / "managed_test.mjs")
    process = subprocess.Popen(
        [sys.executable, "-m", "condyle.viewer"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        url = process.stderr.readline().removeprefix("The viewer is at ").strip()
        done = subprocess.run(["node", script, url], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout
        # the program ends with its page
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
        process.stderr.close()


@pytest.mark.usefixtures("built")
def test_the_page_in_a_browser(tmp_path: Path) -> None:
    m = condyle.MjModel.from_xml_string(XML)
    d = condyle.MjData(m)
    d.qpos[:] = [0.5, 0, 1, 2, 1, 0, 0, 0]
    condyle.mj_forward(m, d)
    shown = condyle.show(m, d)
    shown.save(tmp_path / "shown.html")
    frame = f"<!doctype html><body>{shown._repr_html_()}</body>"
    (tmp_path / "shown.html.notebook.html").write_text(frame, encoding="utf-8")
    qpos = json.dumps(d.qpos.tolist(), separators=(",", ":")).replace(".0", "")

    m.opt.gravity[2] = 0
    d = condyle.MjData(m)
    over = threading.Event()

    def key(code: int) -> None:
        if code == ord("H"):
            m.hfield_data[:] = 0.5
            handle.update_hfield(0)
        elif code == ord("K"):
            over.set()

    handle = viewer.launch_passive(m, d, key_callback=key)
    figure = condyle.MjvFigure()
    figure.title = "a line"
    figure.linepnt[0] = 2
    figure.linedata[0, :4] = [0, 0, 1, 1]
    image = np.zeros((40, 30, 3), np.uint8)
    image[:20], image[20:] = [255, 0, 0], [0, 255, 0]
    handle.opt.flags[condyle.mjtVisFlag.mjVIS_TRANSPARENT] = True
    handle.set_figures((condyle.MjrRect(10, 10, 300, 200), figure))
    handle.set_images((condyle.MjrRect(320, 10, 30, 40), image))
    handle.set_texts((None, None, "lines\nof text", "1\n2"))
    script = str(ROOT / "tests" / "web" / "remote_test.mjs")
    process = subprocess.Popen(
        ["node", script, handle.url, str(tmp_path / "shown.html"), qpos],
        stdout=subprocess.PIPE,
        text=True,
    )
    stop = time.monotonic() + 200
    while not over.is_set() and process.poll() is None and time.monotonic() < stop:
        condyle.mj_step(m, d)
        handle.sync()
        time.sleep(m.opt.timestep)
    handle.close()
    try:
        said, _ = process.communicate(timeout=200)
    finally:
        process.kill()
    assert process.returncode == 0, said
    assert os.path.getsize(tmp_path / "shown.html") < 3_000_000


def test_what_notebooks_show(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    m = condyle.MjModel.from_xml_string(XML)
    shown = condyle.show(m, width=300, height=200)
    html = shown._repr_html_()
    assert html is not None
    assert html.startswith("<iframe srcdoc=")
    assert 'width="300px" height="200"' in html
    assert repr(shown) == "Model 'arm' at 0 s"
    # without data the first keyframe, as the model's picture has it
    start = json.loads(shown._page.split('embedded-start">')[1].split("</script>")[0])  # type: ignore[union-attr]
    assert set(start) == {"title", "model", "state", "panels"}
    png = shown._repr_png_()
    assert png is None or png.startswith(b"\x89PNG")
    with pytest.raises(TypeError, match="model must be an MjModel, got 3"):
        condyle.show(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="data must be an MjData, got 3"):
        condyle.show(m, 3)  # type: ignore[arg-type]
    # without the page there is the picture, or a text that says why
    monkeypatch.delenv("CONDYLE_PAGE")
    monkeypatch.setattr(page, "_PLACES", ())
    plain = condyle.show(m)
    assert plain._repr_html_() is None
    assert "`make web`" in repr(plain)
    with pytest.raises(condyle.FatalError, match="`make web`"):
        plain.save(tmp_path / "x.html")


def test_models_that_are_too_large_are_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    from condyle._viewer import notebook

    monkeypatch.setattr(notebook, "_LARGEST_MODEL", 100)
    shown = condyle.show(condyle.MjModel.from_xml_string(XML))
    assert shown._repr_html_() is None
    assert "too large for a notebook" in repr(shown)
