"""What is saved as text is the same model: those of models.py, and each word of later releases."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from models import models
from words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = Path(__file__).parent
TEXTS = {**models(), **{f"word {name}": text for name, text in words().items()}}
# the format has no width of fixed tendons, which frames may scale all the same
UNSAVED = {"attached where it is scaled": ["tendon_width"]}
# words that only a program or a model of several files can write
ELSEWHERE = {"flexcomp nodecoord", "flex cellcount", "flex mesh",
             "flex nodecoord", "flex dof", "body sleep", "tactile cutoff"}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[str] | None]:
    texts = tmp_path_factory.mktemp("saving") / "models.json"
    texts.write_text(json.dumps(TEXTS))
    command = [sys.executable, str(HERE / "saved.py"), str(texts)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


@pytest.mark.parametrize("name", TEXTS)
def test_it_is_the_same_model(found: Mapping[str, list[str] | None], name: str) -> None:
    assert found[name] is not None, "it is no model"
    assert found[name] == UNSAVED.get(name, [])


def test_each_later_word_is_among_them() -> None:
    """The words are those that lint tells of, with the release that brought them."""
    table = (
        (HERE.parents[2] / "src/mjcf/later.c").read_text().split("later[] = {")[1].split("};")[0]
    )
    known = {name.removeprefix("word ") for name in TEXTS if name.startswith("word ")} | ELSEWHERE
    row = re.compile(r'\{(?:NULL|"\w+"),\s*(NULL|"[^"]*"),\s*(NULL|"[^"]*"),\s*"[\d.]+"\}')
    wanted = {
        f"{element} {attribute}"
        for elements, attributes in row.findall(table)
        if "NULL" not in (elements, attributes)
        for element in elements.strip('"').split()
        for attribute in attributes.strip('"').split()
    }
    assert len(wanted) > 60
    assert not wanted - known
