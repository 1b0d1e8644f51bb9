"""Fits as files and pages."""

from __future__ import annotations

import html.parser
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle

pytest.importorskip("condyle._condyle")

from sysid_problems import Pendulum

from condyle import sysid
from condyle.sysid.report import ReportBuilder, _svg, _video


class Page(html.parser.HTMLParser):
    """What a page has: elements, texts, and addresses it would load from."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.sources: list[str] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def fitted(p: Pendulum) -> tuple[Any, ...]:
    group = p.sequences()
    f = sysid.build_residual_fn(models_sequences=[group], n_threads=1)
    params = p.params(max_value=1.2)
    found, result = sysid.optimize(params, f, verbose=False)
    return [group], params, found, result, f


def test_a_report_is_one_page_that_loads_nothing(tmp_path: Path) -> None:
    groups, params, found, result, f = fitted(Pendulum())
    report = sysid.default_report(
        groups, params, found, f, result, "Arm & <co>", str(tmp_path / "new"), generate_videos=False
    )
    text = (tmp_path / "new" / "report.html").read_text()
    assert text == report.build()
    page = Page(text)
    assert page.open == []
    assert all(source.startswith(("#", "data:")) for source in page.sources)
    assert "script" not in page.elements and "link" not in page.elements
    assert "Arm & <co>" in page.text
    titles = [section.title for section in report.sections]
    assert titles == [
        "Insights",
        "Parameters",
        "Controls: pend, run",
        "Observations: pend, run",
        "Bounds and confidence",
        "Covariance",
        "Correlation",
        "Search",
    ]
    assert "mass = 1.2 lies at its upper bound." in page.text
    assert "0.271453" in page.text and page.text.count("measured") == 2


def test_pictures_need_a_place_and_come_with_the_page(tmp_path: Path) -> None:
    groups, params, found, result, f = fitted(Pendulum())
    with pytest.raises(ValueError, match="generate_videos needs save_path"):
        sysid.default_report(groups, params, found, f, result)
    report = sysid.default_report(groups, params, found, f, result, save_path=tmp_path)
    motions = report.sections[0]
    assert motions.title == "Motions"
    assert "data:image/png;base64," in motions.content or "no pictures" in motions.content


def test_sections_of_ones_own_are_added_at_the_end(tmp_path: Path) -> None:
    report = ReportBuilder("Title").add_section("Remarks", "<p>Measured on Monday.</p>")
    report.save(tmp_path / "r.html")
    page = Page((tmp_path / "r.html").read_text())
    assert "Measured on Monday." in page.text and page.elements.count("h2") == 1


def test_correlations_are_zero_where_they_are_not_defined() -> None:
    from condyle.sysid.report._default import correlation

    found = correlation(np.array([[4.0, 1, 0], [1, 1, 0], [0, 0, 0]]))
    assert_allclose(found, [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 0]])
    assert_allclose(correlation(np.array([[np.inf, 1], [1, 1.0]])), [[0, 0], [0, 1]])


def test_moving_pictures_have_all_frames_and_the_sum_of_each_chunk() -> None:
    import struct
    import zlib

    random = np.random.default_rng(0)
    frames = random.integers(0, 255, (3, 4, 5, 3), dtype=np.uint8)
    data = _video.encode(list(frames), 15)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, kinds, pictures = 8, [], []
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        (check,) = struct.unpack(">I", data[at + 8 + size : at + 12 + size])
        assert zlib.crc32(kind + content) == check
        kinds.append(kind.decode())
        if kind in (b"IDAT", b"fdAT"):
            pictures.append(zlib.decompress(content[4 if kind == b"fdAT" else 0 :]))
        at += 12 + size
    assert kinds == ["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"]
    for frame, rows in zip(frames, pictures, strict=True):
        table = np.frombuffer(rows, np.uint8).reshape(4, 16)
        assert (table[:, 0] == 2).all()
        restored = np.cumsum(table[:, 1:].astype(int), axis=0) % 256
        assert (restored.reshape(4, 5, 3) == frame).all()


def test_plots_say_where_nothing_is_finite() -> None:
    text = _svg.lines("a < b", [("x", "red", [0, 1], [np.nan, np.inf])])
    assert text == "<p>a &lt; b: no finite values.</p>"
    assert "polyline" in _svg.lines("flat", [("x", "red", [0, 1], [2, 2])])


def test_results_are_saved_as_files_that_can_be_read(tmp_path: Path) -> None:
    groups, params, found, result, f = fitted(Pendulum())
    sysid.save_results(tmp_path / "run", groups, params, found, result, f)
    folder = tmp_path / "run"
    assert sorted(file.name for file in folder.iterdir()) == [
        "confidence.pkl",
        "params_x_0.yaml",
        "params_x_hat.yaml",
        "pend.xml",
        "results.pkl",
    ]
    hat = sysid.ParameterDict.load_from_disk(folder / "params_x_hat.yaml")
    assert_allclose(hat.as_vector(), result.x)
    with (folder / "results.pkl").open("rb") as file:
        again = pickle.load(file)
    assert_allclose(again.jac, result.jac)
    with (folder / "confidence.pkl").open("rb") as file:
        confidence = pickle.load(file)
    assert confidence["cov"].shape == (2, 2) and confidence["intervals"].shape == (2,)
    model = condyle.MjModel.from_xml_path(str(folder / "pend.xml"))
    assert_allclose(model.dof_damping[0], result.x[1])


def test_the_names_of_the_package_are_the_documented_ones() -> None:
    names = set(
        """Parameter ParameterDict InertiaType body_inertia_param apply_param_modifiers
        apply_param_modifiers_spec apply_pgain apply_dgain apply_pdgain apply_body_inertia
        remove_visuals TimeSeries SignalType SignalTransform apply_bias apply_gain apply_delay
        apply_delayed_ts_window apply_resample_and_delay get_sensor_indices weighted_diff
        normalize_residual SystemTrajectory ModelSequences create_initial_state sysid_rollout
        render_rollout residual model_residual build_residual_fn construct_ts_from_defaults
        BuildModelFn CustomRolloutFn ModifyResidualFn optimize calculate_intervals save_results
        default_report parameter model_modifier signal_modifier report""".split()
    )
    assert names <= set(sysid.__all__)
    assert all(hasattr(sysid, name) for name in sysid.__all__)


def test_programs_that_import_mujoco_find_the_package() -> None:
    import subprocess
    import sys

    program = (
        "import condyle; condyle.install_as_mujoco('4.0')\n"
        "from mujoco import sysid\nimport mujoco.sysid.report\n"
        "import condyle.sysid as ours\nassert sysid is ours\n"
        "assert mujoco.sysid.report.ReportBuilder is ours.report.ReportBuilder\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
