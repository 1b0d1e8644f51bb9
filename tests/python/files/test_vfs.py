"""MjVfs: files in memory, how they are named, found and refused, and loads that use them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import condyle

OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
LARGE = OBJ.replace(b"v 0 0 1", b"v 0 0 2")
MODEL = """<mujoco><asset><mesh name="m" file="%s"/></asset><worldbody><body><freejoint/>
<geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


def two_files() -> condyle.MjVfs:
    vfs = condyle.MjVfs()
    vfs["a/x.obj"] = OBJ
    vfs["b/x.obj"] = LARGE
    return vfs


# recorded from MuJoCo 4.0.0
@pytest.mark.parametrize(
    ("name", "mass"),
    [("a/x.obj", 1000 / 6), ("b/x.obj", 2000 / 6), ("x.obj", 2000 / 6), ("q/X.OBJ", 2000 / 6)],
)
def test_an_exact_name_wins_then_the_last_of_the_same_base_name(name: str, mass: float) -> None:
    with two_files() as vfs:
        m = condyle.MjModel.from_xml_string(MODEL % name, vfs=vfs)
    np.testing.assert_allclose(m.body_mass[1], mass, rtol=1e-7)


def test_one_file_answers_all_spellings_of_its_base_name() -> None:
    with condyle.MjVfs() as vfs:
        vfs["a/x.obj"] = OBJ
        for name in ("x.obj", "X.OBJ", "./x.obj", "q/../x.obj", "/else/where/x.obj"):
            m = condyle.MjModel.from_xml_string(MODEL % name, vfs=vfs)
            np.testing.assert_allclose(m.body_mass[1], 1000 / 6, rtol=1e-7)


def test_names_are_asked_exactly_and_given_once() -> None:
    vfs = two_files()
    assert "a/x.obj" in vfs
    assert "x.obj" not in vfs
    assert "A/x.obj" not in vfs
    assert "./a/x.obj" not in vfs
    with pytest.raises(ValueError, match=r"^Repeated file name in VFS: a/x\.obj$"):
        vfs["a/x.obj"] = b""
    del vfs["a/x.obj"]
    assert "a/x.obj" not in vfs
    vfs["a/x.obj"] = bytearray(LARGE)
    vfs["./a/x.obj"] = b"another"
    vfs[""] = b""
    assert "" in vfs
    with pytest.raises(KeyError, match="zz"):
        del vfs["zz"]


@pytest.mark.parametrize("data", ["text", 3, None, [1]])
def test_data_that_are_no_bytes_are_refused(data: Any) -> None:
    vfs = condyle.MjVfs()
    with pytest.raises(TypeError):
        vfs["a"] = data
    assert "a" not in vfs


def test_names_that_are_no_text_are_refused() -> None:
    vfs: Any = condyle.MjVfs()
    for call in (lambda: vfs.__setitem__(3, b""), lambda: 3 in vfs, lambda: vfs.__delitem__(b"a")):
        with pytest.raises(TypeError):
            call()


def test_it_is_neither_read_counted_nor_copied() -> None:
    vfs: Any = two_files()
    for call in (
        lambda: vfs["a/x.obj"],
        lambda: len(vfs),
        lambda: iter(vfs),
        lambda: copy.copy(vfs),
        lambda: pickle.dumps(vfs),
    ):
        with pytest.raises(TypeError):
            call()
    assert bool(vfs)


def test_what_is_closed_can_not_be_used() -> None:
    vfs = two_files()
    with vfs as same:
        assert same is vfs
    vfs.close()
    with vfs as same:
        assert same is vfs
    spec = condyle.MjSpec()
    for call in (
        lambda: vfs.__setitem__("b", b""),
        lambda: "b" in vfs,
        lambda: vfs.__delitem__("b"),
        lambda: condyle.MjModel.from_xml_string("<mujoco/>", vfs=vfs),
        lambda: condyle.MjModel.from_xml_path("m.xml", vfs=vfs),
        lambda: condyle.MjModel.from_binary_path("m.mjb", vfs=vfs),
        lambda: condyle.MjSpec.from_string("<mujoco/>", vfs=vfs),
        lambda: condyle.MjSpec.from_file("m.xml", vfs=vfs),
        lambda: spec.compile(vfs=vfs),
    ):
        with pytest.raises(RuntimeError, match="^VFS is closed$"):
            call()


def test_a_vfs_and_other_files_exclude_each_other() -> None:
    vfs = condyle.MjVfs()
    for load in (
        condyle.MjModel.from_xml_string,
        condyle.MjModel.from_xml_path,
        condyle.MjModel.from_binary_path,
    ):
        with pytest.raises(ValueError, match=r"^Cannot specify both 'assets' and 'vfs'\.$"):
            load("<mujoco/>", {}, vfs)
    for read in (condyle.MjSpec.from_string, condyle.MjSpec.from_file):
        for files in ({"assets": {}}, {"include": {}}):
            with pytest.raises(
                ValueError, match=r"^Cannot specify both 'vfs' and 'include'/'assets'\.$"
            ):
                read("<mujoco/>", vfs=vfs, **files)
    spec = condyle.MjSpec.from_string("<mujoco/>", assets={"a": b""})
    with pytest.raises(ValueError, match=r"^Cannot specify both 'vfs' and 'assets'\.$"):
        spec.compile(vfs=vfs)


@pytest.mark.parametrize("wrong", [3, {}, "x"])
def test_something_else_than_a_vfs_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="MjVfs"):
        condyle.MjModel.from_xml_string("<mujoco/>", vfs=wrong)
    with pytest.raises(TypeError, match="MjVfs"):
        condyle.MjSpec().compile(vfs=wrong)


def test_all_loads_find_its_files() -> None:
    vfs = two_files()
    vfs["d/m.xml"] = b'<mujoco model="q"><include file="inc.xml"/></mujoco>'
    vfs["e/inc.xml"] = (MODEL % "a/x.obj").encode()
    m = condyle.MjModel.from_xml_path("/zz/M.XML", vfs=vfs)
    assert m.nmesh == 1
    spec = condyle.MjSpec.from_file("m.xml", vfs=vfs)
    compiled = spec.compile(vfs)
    assert compiled.nmesh == 1
    d = condyle.MjData(compiled)
    d.qpos[0] = 3
    _, carried = spec.recompile(compiled, d, vfs=vfs)
    assert carried.qpos[0] == 3
    buffer = np.zeros(condyle.mj_sizeModel(m), np.uint8)
    condyle.mj_saveModel(m, None, buffer)
    vfs["m.mjb"] = buffer.tobytes()
    assert condyle.MjModel.from_binary_path("any/M.mjb", vfs=vfs).nmesh == 1
    with pytest.raises(ValueError, match=r"none\.xml"):
        condyle.MjModel.from_xml_path("none.xml", vfs=vfs)


def test_a_text_is_never_a_name() -> None:
    with condyle.MjVfs() as vfs, pytest.raises(ValueError):
        vfs["model.xml"] = b"<mujoco/>"
        condyle.MjSpec.from_string("model.xml", vfs=vfs)
