"""Runs the Python of the documents: every block of a page, in order, in one fresh interpreter.

A block begins with ```python, and may say what it needs: ```python needs=jax,condyle.Batch. Where a
module or name is missing the block is skipped. What a block prints must be what its comments
``# -> text`` say, if it has any.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = ("README.md", "docs/python.md", "docs/from-mujoco.md", "docs/sysid.md")

BLOCK = re.compile(r"^```python *(?:needs=(\S+))? *\n(.*?)^```$", re.M | re.S)
PRINTED = re.compile(r"# -> (.*)$", re.M)


@dataclass(frozen=True)
class Block:
    """Python of a page, and the line of the page on which it begins."""

    page: str
    line: int
    needs: tuple[str, ...]
    code: str


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(
            page,
            text.count("\n", 0, found.start(2)) + 1,
            tuple(found[1].split(",")) if found[1] else (),
            found[2],
        )
        for found in BLOCK.finditer(text)
    ]


def missing(name: str) -> bool:
    """Tell whether a module, or a name in one, is not here."""
    try:
        importlib.import_module(name)
    except ImportError:
        parent, _, last = name.rpartition(".")
        return not parent or missing(parent) or not hasattr(importlib.import_module(parent), last)
    return False


def outcome(block: Block, names: dict[str, Any]) -> str:
    """Run a block. Returns "" or what went wrong; "skipped: NAME" if it can't run here."""
    lacking = [need for need in block.needs if missing(need)]
    if lacking:
        return f"skipped: {block.page}:{block.line} needs {', '.join(lacking)}"
    printed = io.StringIO()
    try:
        # lines of the page in what goes wrong
        code = compile("\n" * (block.line - 1) + block.code, block.page, "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, names)  # noqa: S102
    except Exception:
        return traceback.format_exc()
    expected = [text.rstrip() for text in PRINTED.findall(block.code)]
    lines = [line.rstrip() for line in printed.getvalue().splitlines()]
    if expected and lines != expected:
        return f"{block.page}:{block.line} prints {lines}, its comments say {expected}"
    return ""


@functools.cache
def outcomes(page: str) -> list[str]:
    """Run a page in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, __file__, page],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )
    assert done.returncode == 0, f"{page} ended with {done.returncode}:\n{done.stderr}"
    result: list[str] = json.loads(done.stdout.splitlines()[-1])
    return result


CASES = [(page, i) for page in PAGES for i in range(len(blocks(page)))]


@pytest.mark.parametrize(
    ("page", "i"), CASES, ids=[f"{page}:{blocks(page)[i].line}" for page, i in CASES]
)
def test_a_block_of_a_page_does_what_it_says(page: str, i: int) -> None:
    condyle = pytest.importorskip("condyle")
    if not hasattr(condyle, "_condyle"):
        pytest.skip("the compiled part of condyle is not built")
    result = outcomes(page)[i]
    if result.startswith("skipped: "):
        pytest.skip(result.removeprefix("skipped: "))
    if "this build of condyle does not draw" in result:
        pytest.skip("this build does not draw")
    assert not result, result


def test_a_block_that_prints_something_else_is_found() -> None:
    assert "its comments say" in outcome(Block("page", 1, (), "print(1)  # -> 2\n"), {})
    assert "ZeroDivisionError" in outcome(Block("page", 1, (), "1 / 0\n"), {})
    assert outcome(Block("page", 1, (), "print(1)  # -> 1\n"), {}) == ""


def test_a_block_that_needs_what_is_not_here_is_skipped() -> None:
    for need in ("no_such_module", "no_such_module.part", "json.no_such_name"):
        assert need in outcome(Block("page", 7, (need,), "1 / 0\n"), {})
    for need in ("json", "json.tool", "json.dumps"):
        assert outcome(Block("page", 7, (need,), "pass\n"), {}) == ""


def test_a_program_in_c_links_with_the_library_of_the_wheel(tmp_path: Path) -> None:
    condyle = pytest.importorskip("condyle")
    if not (Path(condyle.__path__[0]) / "libcondyle.so").exists():
        pytest.skip("condyle is not installed from a wheel")
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    page = (ROOT / "docs/from-mujoco.md").read_text(encoding="utf-8")
    commands = re.findall(r"^```sh\n(folder=.*?)^```$", page, re.M | re.S)
    assert len(commands) == 1, f"{len(commands)} blocks ask for the folder of the package"
    shutil.copy(ROOT / "examples/first.c", tmp_path / "program.c")
    (tmp_path / "models").symlink_to(ROOT / "models")
    done = subprocess.run(
        ["sh", "-e", "-c", commands[0].replace("python", sys.executable) + "./program"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "above the floor" in done.stdout, f"the program prints {done.stdout!r}"


def main(page: str) -> None:
    """Print the outcome of each block of a page, as JSON in the last line."""
    tests = Path(__file__).resolve().parents[1]
    sys.path = [path for path in sys.path if not Path(path).resolve().is_relative_to(tests)]
    names: dict[str, Any] = {"__name__": "page"}
    print(json.dumps([outcome(block, names) for block in blocks(page)]))


if __name__ == "__main__":
    main(sys.argv[1])
