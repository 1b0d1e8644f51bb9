"""Stubs say what the running module has: every name, both ways, and the arguments of functions."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import condyle

pytest.importorskip("condyle._condyle")

_PACKAGE = Path(condyle.__file__).parent
_ROOT = Path(__file__).resolve().parents[3]
MODULES = ["_callbacks", "_condyle", "_enums", "_functions", "_render", "_specs", "_structs"]


def stub(module: str) -> ast.Module:
    """The parsed stub of a module."""
    return ast.parse((_PACKAGE / f"{module}.pyi").read_text())


def names(body: list[ast.stmt]) -> set[str]:
    """Names that statements define, and those that they import to show them."""
    found = set()
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            found.add(statement.name)
        elif isinstance(statement, ast.AnnAssign):
            found.add(ast.unparse(statement.target))
        elif isinstance(statement, ast.Assign):
            found |= {ast.unparse(target) for target in statement.targets}
        elif isinstance(statement, ast.ImportFrom):
            found |= {name.asname for name in statement.names if name.asname}
    return found


def classes() -> list[tuple[str, ast.ClassDef]]:
    """All classes of the stubs with their modules, but enums."""
    return [
        (module, statement)
        for module in MODULES
        if module != "_enums"
        for statement in stub(module).body
        if isinstance(statement, ast.ClassDef)
    ]


def public(thing: Any) -> set[str]:
    """Names that programs use, of a module or class."""
    return {name for name in dir(thing) if not name.startswith("_")}


@pytest.mark.parametrize("module", MODULES)
def test_stub_has_the_names_of_its_module(module: str) -> None:
    running = importlib.import_module(f"condyle.{module}")
    said = names(stub(module).body)
    aliases = {"_Mask", "_Numbers", "_Whole"}
    assert {name for name in said if not hasattr(running, name)} - aliases == set()
    assert public(running) - said - {"annotations", "Union"} == set()


@pytest.mark.parametrize(("module", "node"), [pytest.param(*c, id=c[1].name) for c in classes()])
def test_stub_has_the_attributes_of_its_class(module: str, node: ast.ClassDef) -> None:
    running = getattr(importlib.import_module(f"condyle.{module}"), node.name)
    said = names(node.body)
    inherited = {name for base in running.__mro__[1:-1] for name in public(base)}
    assert {name for name in said if not hasattr(running, name)} == set()
    assert public(running) - said - inherited - {"args", "add_note", "with_traceback"} == set()
    for inner in node.body:
        if isinstance(inner, ast.ClassDef):
            assert public(getattr(running, inner.name)) == names(inner.body) - {
                "__copy__",
                "__deepcopy__",
            }


def documented(doc: str) -> list[tuple[str, str | None]] | None:
    """Names and defaults of the arguments in the first line of a documentation."""
    line = doc.partition("\n")[0]
    # nanobind shows defaults that Python's grammar takes
    try:
        parsed = ast.parse(f"def {line}: ...").body[0]
    except SyntaxError:
        return None
    assert isinstance(parsed, ast.FunctionDef)
    return arguments(parsed)


def arguments(node: ast.FunctionDef) -> list[tuple[str, str | None]]:
    """Names and defaults of the arguments of a function."""
    given = [*node.args.posonlyargs, *node.args.args]
    defaults: list[ast.expr | None] = [None] * (len(given) - len(node.args.defaults))
    defaults += node.args.defaults
    found = [
        (argument.arg, ast.unparse(default) if default else None)
        for argument, default in zip(given, defaults, strict=True)
    ]
    found += [
        (argument.arg, ast.unparse(default) if default else None)
        for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    ]
    return [item for item in found if item[0] != "self"]


def is_same(said: list[tuple[str, str | None]], shown: list[tuple[str, str | None]]) -> bool:
    """Are names the same, and defaults unless the stub leaves them open?"""
    return [name for name, _ in said] == [name for name, _ in shown] and all(
        a == b or a == "..." for (_, a), (_, b) in zip(said, shown, strict=True)
    )


def functions() -> list[tuple[str, Any, ast.FunctionDef]]:
    """Compiled functions and methods with their stubs; overloads and properties are left out."""
    found = []
    for module in ("_callbacks", "_functions", "_specs", "_structs", "_condyle"):
        running = importlib.import_module(f"condyle.{module}")
        bodies = [(module, running, stub(module).body)]
        for node in stub(module).body:
            if isinstance(node, ast.ClassDef):
                bodies.append((node.name, getattr(running, node.name), node.body))
        for owner, thing, body in bodies:
            for node in body:
                if isinstance(node, ast.FunctionDef):
                    marks = {ast.unparse(mark) for mark in node.decorator_list}
                    if not node.name.startswith("__") and marks <= {"staticmethod"}:
                        found.append((f"{owner}.{node.name}", getattr(thing, node.name), node))
    return found


def test_arguments_are_those_of_the_documentation() -> None:
    checked, different = 0, {}
    for name, running, node in functions():
        doc = running.__doc__ or ""
        if not doc.startswith(f"{node.name}("):
            continue
        shown = documented(doc)
        if shown is None or "kwargs" in doc.partition("\n")[0]:
            continue
        checked += 1
        if not is_same(arguments(node), shown):
            different[name] = (arguments(node), shown)
    assert different == {}
    assert checked > 350


def test_keywords_of_additions_are_those_that_are_taken() -> None:
    spec = condyle.MjSpec()
    checked = 0
    for owner in (spec, spec.worldbody, spec.worldbody.add_frame()):
        node = next(n for _, n in classes() if n.name == type(owner).__name__)
        for method in node.body:
            if not isinstance(method, ast.FunctionDef) or not method.name.startswith("add_"):
                continue
            if method.name == "add_default":
                continue
            with pytest.raises(TypeError, match="Valid options are: ") as caught:
                getattr(owner, method.name)(nonsense=1)
            options = re.split(", ", str(caught.value).partition("are: ")[2].rstrip("."))
            if method.args.kwarg is None:
                words = [word.arg for word in (*method.args.args, *method.args.kwonlyargs)]
                taken = [word for word in words if word not in ("self", "default")]
                assert taken == options, method.name
                checked += 1
    assert checked == 32


# what the tool says of every class and function that nanobind and the limited interface make
_ARTEFACTS = (
    "is a disjoint base at runtime",
    "is not a function",
    "metaclass differs",
    'stub does not have *args parameter "args"',
    "is a staticmethod but runtime is not",
    'stub parameter "self" differs',
)


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_stubs_agree_with_the_module_for_mypy() -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy.stubtest", "--concise", "--mypy-config-file"),
            str(_ROOT / "pyproject.toml"),
            *(f"condyle.{module}" for module in MODULES),
        ],
        env={**os.environ, "PYTHONPATH": str(_PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "not checking stubs" not in done.stdout + done.stderr, done.stdout + done.stderr
    lines = [line for line in done.stdout.splitlines() if "condyle" in line]
    assert [line for line in lines if not any(text in line for text in _ARTEFACTS)] == []
