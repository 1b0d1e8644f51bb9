"""``condyle demo``: a humanoid falls, drawn with characters."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest

import condyle
from condyle import __main__ as program
from condyle._viewer import demo as _demo
from condyle._viewer import page


class Terminal(io.StringIO):
    """A text file that says that it is a terminal, of an encoding."""

    def __init__(self, encoding: str, film: bool) -> None:
        super().__init__()
        self._encoding, self._film = encoding, film

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._film


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)


def heights(text: str) -> list[float]:
    return [float(height) for height in re.findall(r"the head is (\S+) m", text)]


def test_the_humanoid_falls(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["demo", "--terminal"]) == 0
    told = capsys.readouterr().out
    head = heights(told)
    assert len(head) == 4, told
    assert head[0] > 1.3 and head[-1] < 0.5, head
    assert "\x1b" not in told and "300 steps of 27 degrees of freedom" in told, told


def test_a_terminal_gets_a_film(no_waiting: None) -> None:
    out = Terminal("utf-8", film=True)
    _demo.fall(out)
    first, *rest = re.split(r"\x1b\[(\d+)A", out.getvalue())
    assert len(rest) == 2 * 30, len(rest)
    # each goes back to the first line of the one before
    assert set(rest[::2]) == {str(first.count("\n"))}, (set(rest[::2]), first)


@pytest.mark.parametrize(("encoding", "letters"), [("utf-8", "▄▀█"), ("ascii", "_^#")])
def test_pictures_have_characters_that_can_be_written(encoding: str, letters: str) -> None:
    out = Terminal(encoding, film=False)
    _demo.fall(out)
    used = set(out.getvalue()) - {chr(code) for code in range(128)}
    assert set(letters) <= set(out.getvalue()), encoding
    assert not (encoding == "ascii" and used), used


def test_a_shape_is_where_it_is_drawn() -> None:
    model = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='sphere' size='.3' pos='1 0 1'/></worldbody></mujoco>"
    )
    data = condyle.MjData(model)
    condyle.mj_kinematics(model, data)
    lines = _demo.draw(model, data, 72, " _^#").splitlines()
    # a dot is 5 cm wide, the picture goes from x = -1.8 and z = -0.1 m up
    dots = np.zeros((2 * len(lines), 72), bool)
    for i, line in enumerate(lines):
        for k, letter in enumerate(line):
            dots[2 * i, k], dots[2 * i + 1, k] = letter in "^#", letter in "_#"
    rows, columns = np.nonzero(dots[:-6])  # without the floor
    x = -1.8 + 0.05 * (columns + 0.5)
    z = -0.1 + 0.05 * (len(dots) - rows - 0.5)
    np.testing.assert_allclose([x.mean(), z.mean()], [1, 1], atol=0.03)
    np.testing.assert_allclose(0.05**2 * len(x), np.pi * 0.3**2, rtol=0.1)


@pytest.mark.parametrize("screen", [True, False])
def test_the_browser_shows_it_where_there_is_a_screen(
    screen: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run: list[list[str]] = []
    monkeypatch.setattr(program, "run_program", lambda words: run.append(words) or 0)
    monkeypatch.setattr(page, "find", lambda: Path("viewer.html"))
    monkeypatch.setattr("webbrowser.get", lambda: None)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if screen:
        monkeypatch.setenv("DISPLAY", ":0")
    else:
        monkeypatch.delenv("DISPLAY", raising=False)
    assert program.main(["demo"]) == 0
    assert run == ([["view", str(_demo.MODEL)]] if screen else []), run
    assert ("the head is" in capsys.readouterr().out) == (not screen)


def test_unknown_options_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        program.main(["demo", "--colour"])
    assert end.value.code == 2
    assert "unrecognized arguments: --colour" in capsys.readouterr().err
