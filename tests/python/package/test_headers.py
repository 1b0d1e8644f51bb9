"""The reader of the headers: every declaration, its types and its documentation."""

from pathlib import Path

import pytest

from generate.declarations import Anonymous, Array, Headers, Named, Pointer, declare
from generate.headers import HeaderError, read_headers

INCLUDE = Path(__file__).resolve().parents[3] / "include"


@pytest.fixture(scope="module")
def headers() -> Headers:
    return read_headers(INCLUDE)


def read(tmp_path: Path, text: str) -> Headers:
    """Declarations of a header with this text."""
    (tmp_path / "x.h").write_text(text)
    return read_headers(tmp_path, ("x.h",))


def test_a_function_has_its_result_its_parameters_and_the_comment_above(headers: Headers) -> None:
    ray = headers.functions["mj_ray"]
    assert declare(ray.result, ray.name) == "mjtNum mj_ray"
    assert [declare(p.type, p.name) for p in ray.parameters] == [
        "const mjModel *m",
        "const mjData *d",
        "const mjtNum pnt[3]",
        "const mjtNum vec[3]",
        "const mjtByte *geomgroup",
        "mjtByte flg_static",
        "int bodyexclude",
        "int geomid[1]",
    ]
    pnt, geomgroup = ray.parameters[2], ray.parameters[4]
    assert (pnt.base, pnt.const, pnt.pointers, pnt.extents) == ("mjtNum", True, 0, (3,))
    assert (geomgroup.base, geomgroup.pointers, geomgroup.extents) == ("mjtByte", 1, ())
    assert ray.doc.startswith("Where the ray pnt + x vec first meets a geom")
    assert ray.place.file == "mujoco/api/collision.h"


def test_extents_keep_the_name_of_the_number(headers: Headers) -> None:
    mix = headers.structs["mjsGeom"].fields
    solref = next(item for item in mix if item.name == "solref").type
    assert isinstance(solref, Array)
    assert (solref.extents, solref.texts) == ((2,), ("mjNREF",))


def test_functions_in_a_row_share_a_comment(headers: Headers) -> None:
    assert headers.functions["mj_invVelocity"].doc == headers.functions["mj_invPosition"].doc
    assert headers.functions["mju_zero3"].doc == "res = 0"


def test_every_exported_function_is_documented(headers: Headers) -> None:
    bare = [name for name, item in headers.functions.items() if not item.doc]
    assert bare == []
    assert [name for name, item in headers.functions.items() if item.hidden] == []


def test_variadic_functions_say_so(headers: Headers) -> None:
    assert headers.functions["mju_error"].variadic
    assert not headers.functions["mj_step"].variadic
    assert headers.functions["mj_version"].parameters == ()


def test_enums_have_values_in_the_order_of_c(headers: Headers) -> None:
    joint = headers.enums["mjtJoint"]
    assert joint.tag == "mjtJoint_"
    assert [(v.name, v.value) for v in joint.values] == [
        ("mjJNT_FREE", 0),
        ("mjJNT_BALL", 1),
        ("mjJNT_SLIDE", 2),
        ("mjJNT_HINGE", 3),
    ]
    assert joint.values[3].doc == "turns about an axis: qpos 1, qvel 1"
    state = {v.name: v.value for v in headers.enums["mjtState"].values}
    assert (state["mjSTATE_FULLPHYSICS"], state["mjSTATE_INTEGRATION"]) == (4111, 8191)
    item = {v.name: v.value for v in headers.enums["mjtItem"].values}
    assert (item["mjITEM_END"], item["mjITEM_CHECKINT"], item["mjNITEM"]) == (-2, 3, 14)


def test_fields_of_the_tables_have_rows_columns_and_meaning(headers: Headers) -> None:
    model = {item.name: item for item in headers.structs["mjModel"].fields}
    mpos = model["key_mpos"]
    assert mpos.type == Pointer(Named("mjtNum"))
    assert (mpos.rows, mpos.columns) == ("nkey", "nmocap*3")
    assert (model["jnt_solref"].rows, model["jnt_solref"].columns) == ("njnt", "mjNREF")
    assert "coordinates of the configuration" in model["nq"].doc
    assert model["vis"].doc == "settings of the picture"
    assert [name for name, item in model.items() if item.private and not item.doc] == []
    data = {item.name: item for item in headers.structs["mjData"].fields}
    assert (data["efc_KBIP"].rows, data["efc_KBIP"].columns) == ("nefc", "4")
    solver = data["solver"].type
    assert isinstance(solver, Array) and solver.extents == (4000,)


def test_structs_may_nest_without_names(headers: Headers) -> None:
    visual = {item.name: item for item in headers.structs["mjVisual"].fields}
    quality = visual["quality"].type
    assert isinstance(quality, Anonymous)
    assert [item.name for item in quality.fields][:2] == ["shadowsize", "offsamples"]
    union = next(item for item in headers.structs["mjuiItem"].fields if not item.name)
    assert isinstance(union.type, Anonymous) and union.type.kind == "union"


def test_members_may_point_to_functions(headers: Headers) -> None:
    plugin = {item.name: item for item in headers.structs["mjpPlugin"].fields}
    assert declare(plugin["init"].type, "init") == (
        "int (*init)(const mjModel *m, mjData *d, int instance)"
    )
    hook = headers.variables["mju_user_malloc"]
    assert declare(hook.type, hook.name) == "void *(*mju_user_malloc)(size_t)"


def test_constants_are_the_macros_that_stand_for_numbers(headers: Headers) -> None:
    values = {name: item.value for name, item in headers.constants.items()}
    assert values["mjVERSION_HEADER"] == 337
    assert (values["mjMINVAL"], values["mjMAXVAL"], values["mjNREF"]) == (1e-15, 1e10, 2)
    assert "mjMAX" not in values and "mju_sqrt" not in values
    assert headers.constants["mjNFLUID"].doc == "geom_fluid"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nint f(foo x);", "x.h:2: 'foo' is no known type"),
        ("int f(int x)\nint y;", "x.h:2: expected ';', found 'int'"),
        ("enum a { A = sizeof(int) };", "x.h:1: 'sizeof ( int )' is not a constant expression"),
        ("struct s {\n  int x : 3;\n};", "x.h:2: expected ';', found ':'"),
        ("\n\n#frobnicate\n", "x.h:3: directive #frobnicate is not understood"),
        ("#if defined(A)\nint x;", "x.h: #if without #endif"),
        ("#define F(a) int a;\nF(x, y)", "x.h:2: F takes 1 arguments, not 2"),
        ("int x = `1`;", "x.h:1: unexpected character '`'"),
        ("struct s { int x", "x.h:1: a declaration ends too soon"),
        ("int f(void);\nvoid f(void);", "f is declared twice"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(HeaderError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)


def test_conditionals_choose_branches(tmp_path: Path) -> None:
    text = """
    #define N 3
    #if N > 2 && !defined(M)
    int a;
    #elif N
    int b;
    #else
    int c;
    #endif
    #ifdef M
    int d;
    #else
    int e;
    #endif
    #if 0
    #if N
    int f;
    #else
    int g;
    #endif
    #endif
    """
    assert list(read(tmp_path, text).variables) == ["a", "e"]
