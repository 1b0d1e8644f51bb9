"""A model, its data, and an open viewer, with a file that stands for the page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import condyle
from condyle import viewer

sys.path.insert(0, str(Path(__file__).resolve().parent))
pytest.importorskip("condyle._condyle")

from viewer_page import XML, page_file


@pytest.fixture(autouse=True)
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONDYLE_PAGE", page_file(tmp_path))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def pair() -> Any:
    m = condyle.MjModel.from_xml_string(XML)
    return m, condyle.MjData(m)


@pytest.fixture
def handle(pair: Any) -> Iterator[viewer.Handle]:
    with viewer.launch_passive(*pair) as opened:
        yield opened
