"""The C interface as data: nodes, parsing of types, and what is generated from the headers."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from condyle.introspect import type_parsing
from condyle.introspect.ast_nodes import (
    AnonymousStructDecl,
    AnonymousUnionDecl,
    ArrayType,
    EnumDecl,
    FunctionDecl,
    FunctionParameterDecl,
    PointerType,
    StructDecl,
    StructFieldDecl,
    ValueType,
)
from generate import introspection, nullable
from generate.declarations import Headers
from generate.headers import HeaderError, read_headers

INCLUDE = Path(__file__).resolve().parents[3] / "include"
NAMES = ("enums", "functions", "structs", "mjxmacro")


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The four generated modules, made anew."""
    folder = tmp_path_factory.mktemp("introspect")
    assert introspection.main([str(INCLUDE), str(folder)]) == 0
    modules = types.SimpleNamespace()
    for name in NAMES:
        spec = importlib.util.spec_from_file_location(f"generated_{name}", folder / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        setattr(modules, name, module)
    yield modules


@pytest.mark.parametrize(
    ("text", "printed", "declared"),
    [
        ("int", "int", "int x"),
        ("const mjtNum[9]", "const mjtNum [9]", "const mjtNum x[9]"),
        ("mjtNum const*", "const mjtNum *", "const mjtNum * x"),
        ("const char* const*", "const char * const *", "const char * const * x"),
        ("int[2][3]", "int [2][3]", "int x[2][3]"),
        ("unsigned long long", "unsigned long long", "unsigned long long x"),
        ("struct foo_", "struct foo_", "struct foo_ x"),
        ("const volatile int", "const volatile int", "const volatile int x"),
        ("long (*)[3]", "long (*)[3]", "long (* x)[3]"),
        ("int *(*const)[3]", "int * (* const)[3]", "int * (* const x)[3]"),
        ("int *const restrict[3]", "int * const restrict [3]", "int * const restrict x[3]"),
        ("  const   mjtNum  [ 9 ]", "const mjtNum [9]", "const mjtNum x[9]"),
    ],
)
def test_types_print_themselves_as_c(text: str, printed: str, declared: str) -> None:
    node = type_parsing.parse_type(text)
    assert (str(node), node.decl("x")) == (printed, declared)
    assert type_parsing.parse_type(str(node)) == node


@pytest.mark.parametrize(
    "text",
    ["", "3int", "int[", "int]", "char[]", "int[x]", "int[-1]", "int[0]", "int*[2]*", "a b"]
    + ["int (int)", "int (*)(void)", "int * int", "struct a b", "struct", "for", "int int"],
)
def test_what_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="."):
        type_parsing.parse_type(text)


def test_the_result_of_a_function_is_parsed() -> None:
    parsed = type_parsing.parse_function_return_type("const char *(mjModel *, int)")
    assert parsed == PointerType(ValueType("char", is_const=True))
    with pytest.raises(ValueError, match="'int' is not the type of a function"):
        type_parsing.parse_function_return_type("int")


def test_names_that_c_refuses_are_refused() -> None:
    for name in ("const int", "struct", "a*", "char int", "unsigned mjtNum", "restrict", " int"):
        with pytest.raises(ValueError, match="is not a valid value type name"):
            ValueType(name)
    for name in ("short int", "long double", "unsigned", "signed char", "class", "_x"):
        assert ValueType(name).name == name


def test_nullability_counts_in_comparisons() -> None:
    assert PointerType(ValueType("int")) == PointerType(ValueType("int"))
    assert PointerType(ValueType("int")) != PointerType(ValueType("int"), nullable=True)
    one, other = (FunctionParameterDecl("x", ValueType("int"), flag) for flag in (False, True))
    assert one != other


def test_declarations_print_themselves_as_c() -> None:
    x = FunctionParameterDecl("x", ArrayType(ValueType("mjtNum", is_const=True), (3,)))
    function = FunctionDecl("f", PointerType(ValueType("void")), (x,), "doc")
    assert (str(function), function.decltype) == (
        "void * f(const mjtNum x[3])",
        "void * (const mjtNum [3])",
    )
    field = StructFieldDecl("q", PointerType(ValueType("int")), "doc", ("nq",))
    assert (str(field), field.decltype) == ("int * q", "int *")
    assert str(AnonymousStructDecl([field])) == "struct {int * q;}"
    assert AnonymousUnionDecl([field]).decl("u") == "union {int * q;} u"
    assert StructDecl("s", "struct s_", [field]).decl("x") == "s x"
    enum = EnumDecl("e", "enum e_", {"b": 1, "a": 0})
    assert list(enum.values) == ["b", "a"] and repr(enum.values) == "{'b': 1, 'a': 0}"


def test_functions_are_those_of_the_headers(api: Any) -> None:
    ray = api.functions.FUNCTIONS["mj_ray"]
    assert str(ray) == (
        "mjtNum mj_ray(const mjModel * m, const mjData * d, const mjtNum pnt[3], "
        "const mjtNum vec[3], const mjtByte * geomgroup, mjtByte flg_static, int bodyexclude, "
        "int geomid[1])"
    )
    assert [p.name for p in ray.parameters if p.nullable] == ["geomgroup", "geomid"]
    assert all(item.doc for item in api.functions.FUNCTIONS.values())
    assert all(name.startswith("mj") for name in api.functions.FUNCTIONS)


def test_enums_are_those_of_the_headers(api: Any) -> None:
    joint = api.enums.ENUMS["mjtJoint"]
    assert joint.declname == "enum mjtJoint_"
    assert list(joint.values.items())[-1] == ("mjJNT_HINGE", 3)
    assert len(api.enums.ENUMS) >= 62


def test_structs_have_the_fields_that_are_public(api: Any) -> None:
    model = {field.name: field for field in api.structs.STRUCTS["mjModel"].fields}
    assert model["qpos0"].array_extent == ("nq",)
    assert model["body_pos"].array_extent == ("nbody", 3)
    assert model["jnt_solref"].array_extent == ("njnt", "mjNREF")
    assert model["nq"].array_extent is None
    assert not any(name.startswith("cnd_") for name in model)
    visual = api.structs.STRUCTS["mjVisual"].fields[0]
    assert visual.name == "global" and visual.type.fields[0].name == "cameraid"
    union = [f for f in api.structs.STRUCTS["mjuiItem"].fields if not hasattr(f, "name")]
    assert len(union) == 1 and isinstance(union[0], AnonymousUnionDecl)


def test_mjxmacro_gives_rows_and_columns(api: Any) -> None:
    assert api.mjxmacro.MJMODEL["key_mpos"] == ("nkey", "nmocap*3")
    assert api.mjxmacro.MJDATA["efc_KBIP"] == ("nefc", "4")
    assert not any(name.startswith("cnd_") for name in api.mjxmacro.MJDATA)


def test_the_table_of_nullable_pointers_names_real_parameters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    headers = read_headers(INCLUDE)
    nullable.check(headers)
    for name, parameters, message in (
        ("mj_stepp", (), "there is no function mj_stepp"),
        ("mj_step", ("x",), "mj_step has no parameter x"),
        ("mj_forwardSkip", ("skipstage",), "skipstage of mj_forwardSkip is no pointer"),
    ):
        monkeypatch.setattr(nullable, "NULLABLE", {name: parameters})
        with pytest.raises(HeaderError, match=message):
            nullable.check(headers)


def test_the_generator_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert introspection.main([]) == 2
    assert introspection.main([str(tmp_path), str(tmp_path / "out")]) == 1
    assert "mujoco/mujoco.h: cannot be read" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr(introspection, "read_headers", lambda include: Headers())
    assert introspection.main([str(INCLUDE), str(tmp_path / "out")]) == 1


# what the reference's module says, as text by name
REFERENCE = """
import json
from mujoco.introspect import enums, functions, mjxmacro, structs

def members(fields):
    return [members(f.fields) if not hasattr(f, "name") else
            [f.name, str(f.type) if not hasattr(f.type, "fields") else members(f.type.fields),
             f.array_extent] for f in fields]

print(json.dumps({
    "enums": {k: [e.declname, list(e.values.items())] for k, e in enums.ENUMS.items()},
    "functions": {k: [str(f), [p.name for p in f.parameters if p.nullable]]
                  for k, f in functions.FUNCTIONS.items()},
    "structs": {k: [s.declname, members(s.fields)] for k, s in structs.STRUCTS.items()},
    "model": mjxmacro.MJMODEL,
    "data": mjxmacro.MJDATA,
}))
"""


@pytest.fixture(scope="module")
def reference() -> Any:
    done = subprocess.run(
        [sys.executable, "-c", REFERENCE], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("the reference's Python module is not there")
    return json.loads(done.stdout)


def members(fields: Any) -> list[Any]:
    result: list[Any] = []
    for field in fields:
        if not hasattr(field, "name"):
            result.append(members(field.fields))
            continue
        nested = hasattr(field.type, "fields")
        shown = members(field.type.fields) if nested else str(field.type)
        extent = None if field.array_extent is None else list(field.array_extent)
        result.append([field.name, shown, extent])
    return result


def test_enums_have_the_members_of_the_reference(api: Any, reference: Any) -> None:
    for name, (declname, items) in reference["enums"].items():
        enum = api.enums.ENUMS[name]
        assert enum.declname == declname
        # those of later releases come on top
        assert [
            [key, value] for key, value in enum.values.items() if [key, value] in items
        ] == items


def test_functions_equal_the_references(api: Any, reference: Any) -> None:
    theirs = reference["functions"]
    for name, function in api.functions.FUNCTIONS.items():
        if name not in theirs:
            continue  # of a later release
        text, may_be_null = theirs[name]
        assert str(function) == text
        ours = [p.name for p in function.parameters if p.nullable]
        # the reference leaves some out
        assert set(may_be_null) <= set(ours), name


def test_structs_equal_the_references(api: Any, reference: Any) -> None:
    theirs = reference["structs"]
    added = {  # by later releases
        "mjLogConfig",
        "mjLogMessage",
        "mjPreContact",
        "mjrRendererInfo",
        "mjsAuthored",
    }
    assert set(api.structs.STRUCTS) - added == set(theirs)
    for name in theirs:
        struct = api.structs.STRUCTS[name]
        declname, fields = theirs[name]
        ours = members(struct.fields)
        assert struct.declname == declname
        # what later releases have added, and our own
        known = [field[0] for field in fields]
        ours = [field for field in ours if field[0] in known]
        # mjData has a few of its scalars in another order
        key = str
        assert sorted(ours, key=key) == sorted(fields, key=key), name


def test_rows_and_columns_equal_the_references(api: Any, reference: Any) -> None:
    for ours, theirs in (
        (api.mjxmacro.MJMODEL, reference["model"]),
        (api.mjxmacro.MJDATA, reference["data"]),
    ):
        assert {name: list(ours[name]) for name in theirs} == theirs
    names = [name for name in api.mjxmacro.MJMODEL if name in reference["model"]]
    assert names == list(reference["model"])
