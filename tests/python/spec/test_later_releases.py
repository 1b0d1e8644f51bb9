"""What 3.4 to 4.0.0 have added to specs; numbers are those of 4.0.0."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pytest

condyle = pytest.importorskip("condyle._condyle") and importlib.import_module("condyle")

PEND = """<mujoco><option timestep=".01"/><worldbody><geom name="f" type="plane" size="1 1 .1"/>
<body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" damping=".1"/>
<geom name="g" type="capsule" fromto="0 0 0 0 0 .5" size=".05"/>
<site name="s" pos="0 0 .5"/></body>
</worldbody><actuator><motor name="a" joint="j"/></actuator></mujoco>"""
NEST = """<mujoco><worldbody><body name="b"><joint/><geom name="g" size=".1"/>
<geom name="v" size=".2" contype="0" conaffinity="0"/><body name="st" pos=".2 0 0">
<geom name="gs" size=".03"/></body></body></worldbody></mujoco>"""
PART = """<mujoco model="c"><option timestep=".5"/><worldbody><body name="p">
<geom size=".1"/></body>
</worldbody></mujoco>"""


def nested() -> Any:
    """A body with a visual geom and a static child."""
    return condyle.MjSpec.from_string(NEST)


def test_static_bodies_become_frames_and_visual_geoms_go() -> None:
    spec = nested()
    assert spec.fuse_static() == 1 and spec.fuse_static() == 0
    assert [body.name for body in spec.bodies] == ["world", "b"]
    assert spec.geom("gs").frame is spec.frames[0] and spec.frames[0].pos.tolist() == [0.2, 0, 0]
    assert not spec.body("b").explicitinertial
    assert spec.discard_visual() == 1 and spec.discard_visual() == 0
    assert [geom.name for geom in spec.geoms] == ["g", "gs"]
    assert spec.body("b").explicitinertial
    assert spec.compile().body_mass[1] == pytest.approx(37.8122091786, rel=1e-11)


def test_a_body_that_must_not_be_fused_stays() -> None:
    spec = nested()
    spec.body("st").fuse = 0
    assert spec.fuse_static() == 0 and spec.body("st") is not None


def test_an_inferred_inertial_becomes_explicit() -> None:
    spec = nested()
    body = spec.body("b")
    assert spec.adopt_inertial(body) is None
    assert body.explicitinertial and np.isnan(body.fullinertia[0])
    assert body.mass == pytest.approx(37.6991118431, rel=1e-11)
    assert body.ipos.tolist() == [0, 0, 0]
    assert body.inertia == pytest.approx([0.552920307032] * 3, rel=1e-11)
    spec.adopt_inertial(body)
    with pytest.raises(ValueError, match="the world body has no inertial"):
        spec.adopt_inertial(spec.worldbody)
    with pytest.raises(ValueError, match="another spec"):
        spec.adopt_inertial(nested().worldbody)
    spec.compiler.inertiafromgeom = condyle.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    with pytest.raises(ValueError, match="cannot be adopted"):
        spec.adopt_inertial(body)


def test_equal_assets_are_merged() -> None:
    spec = condyle.MjSpec()
    for name in "ab":
        spec.add_mesh(name=name).make_box(count=[2, 2, 2], spacing=[1, 1, 1])
        spec.worldbody.add_geom(type=condyle.mjtGeom.mjGEOM_MESH, meshname=name)
    spec.add_mesh(name="c").make_box(count=[2, 2, 2], spacing=[1, 1, 2])
    assert spec.dedup_assets() == 1 and spec.dedup_assets() == 0
    assert [mesh.name for mesh in spec.meshes] == ["a", "c"]
    assert [geom.meshname for geom in spec.geoms] == ["a", "a"]


@pytest.mark.parametrize("shape", ["grid", "box", "cylinder", "ellipsoid"])
def test_solid_meshes_have_nodes_and_tetrahedra(shape: str) -> None:
    spec = condyle.MjSpec()
    mesh = spec.add_mesh(name="m")
    getattr(mesh, f"make_{shape}")([3, 2, 4], [0.1, 0.2, 0.3])
    points, cells = (24, 36) if shape == "grid" else (25, 44)
    assert len(mesh.usernode) == len(mesh.uservert) == 3 * points
    assert len(mesh.usertet) == 4 * cells and len(mesh.userface) == 0
    spec.worldbody.add_geom(type=condyle.mjtGeom.mjGEOM_MESH, meshname="m")
    body = spec.worldbody.add_body()
    body.add_geom(type=condyle.mjtGeom.mjGEOM_MESH, meshname="m")
    mass = {"grid": 36.0, "box": 36.0, "cylinder": 21.7279230922, "ellipsoid": 11.6565670097}
    assert spec.compile().body_mass[1] == pytest.approx(mass[shape], rel=1e-8)


@pytest.mark.parametrize("shape", ["box", "cylinder", "ellipsoid"])
def test_open_meshes_are_weighed_as_shells(shape: str) -> None:
    spec = condyle.MjSpec()
    mesh = spec.add_mesh(name="m")
    getattr(mesh, f"make_{shape}")([3, 2, 4], [0.1, 0.2, 0.3], dim=2)
    assert mesh.inertia == condyle.mjtMeshInertia.mjMESH_INERTIA_SHELL
    assert len(mesh.userface) == 3 * 40 and list(mesh.userface)[:6] == [0, 3, 2, 0, 1, 3]
    spec.worldbody.add_body().add_geom(type=condyle.mjtGeom.mjGEOM_MESH, meshname="m")
    mass = {"box": 760.0, "cylinder": 554.232656037, "ellipsoid": 318.637364655}
    assert spec.compile().body_mass[1] == pytest.approx(mass[shape], rel=1e-7)


def test_wrong_counts_of_generated_meshes_are_told() -> None:
    mesh = condyle.MjSpec().add_mesh(name="m")
    mesh.make_square([4, 4, 1], [0.1, 0.1, 0.1])
    assert len(mesh.userface) == 3 * 18
    mesh.make_disc([4, 4, 1], [0.1, 0.1, 0.1])
    assert mesh.uservert[0] == pytest.approx(-0.0159099, rel=1e-5)
    for call, text in (
        (lambda: mesh.make_grid([0, 2, 2], [1, 1, 1]), "Grid count must be positive"),
        (lambda: mesh.make_box([1, 2, 2], [1, 1, 1]), "must be at least 2"),
        (lambda: mesh.make_grid([2, 2, 2], [1, 1, 1], dim=1), "Grid dim must be 2 or 3"),
        (lambda: mesh.make_grid([2, 2, 2], [1, 1, 1], dim=2), "must be 1 along dimensions beyond"),
        (lambda: mesh.make_disc([4, 3, 2], [1, 1, 1]), "must be 1"),
    ):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(TypeError):
        mesh.make_grid([2, 2], [1, 1, 1])


def test_flexes_are_made_by_method() -> None:
    spec = condyle.MjSpec()
    spec.add_mesh(name="sheet").make_grid([3, 3, 1], [0.1, 0.1, 0.1], dim=2)
    body = spec.worldbody.add_body(name="b", pos=[0, 0, 1])
    flex = body.make_flex("f", count=[3, 3, 3], spacing=[0.1] * 3, radius=0.01, mass=2)
    assert flex is spec.flex("f") and flex.dim == 3
    body.make_flex("g", mesh="sheet", dim=2, pos=[1, 2, 3])
    model = spec.compile()
    assert model.flex_vertnum.tolist() == [27, 9] and model.flex_elemnum.tolist() == [48, 8]
    assert model.nbody == 2 + 27 + 9 and model.body_mass.sum() == pytest.approx(3, rel=1e-12)
    assert model.body_pos[29] == pytest.approx([0.9, 1.9, 3], abs=1e-8)
    before = len(spec.bodies), len(spec.flexes)
    for wrong, text in (
        ({"mesh": "zz"}, "mesh 'zz' not found"),
        ({"mesh": "sheet", "file": "x"}, "both 'file' and 'mesh' specified"),
        ({"type": "zz"}, "invalid keyword: 'zz'"),
        ({"count": [0, 3, 3]}, "Count too small"),
        ({"type": "mesh"}, "File is required"),
        ({"dim": 4}, "Invalid dim"),
    ):
        with pytest.raises(ValueError, match=text):
            body.make_flex("h", **wrong)
    with pytest.raises(ValueError, match="repeated name"):
        body.make_flex("f")
    assert before == (len(spec.bodies), len(spec.flexes))


def test_differing_settings_are_told_if_asked() -> None:
    policy = condyle.mjtConflict
    for conflict, dialect, count, timestep in (
        (None, 303, 0, 0.25),
        (None, 310, 1, 0.25),
        (policy.mjCONFLICT_WARNING, 303, 1, 0.25),
        (policy.mjCONFLICT_MERGE, 303, 1, 0.25),
    ):
        spec = condyle.MjSpec.from_string("<mujoco><option timestep='.25'/></mujoco>")
        spec.compiler.dialect = dialect
        if conflict is not None:
            spec.compiler.conflict = conflict
            spec.compiler.authored |= 1 << 17
        part = condyle.MjSpec.from_string(PART)
        spec.worldbody.add_frame().attach_body(part.body("p"), "x", "")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = spec.compile()
        assert len(caught) == count and model.opt.timestep == timestep
        if caught:
            text = str(caught[0].message)
            assert text.startswith("Attach conflict when attaching 'c', policy is '")
            assert "\ntimestep: parent has 0.25, child has 0.5, keeping parent value" in text
    spec.compiler.conflict = policy.mjCONFLICT_ERROR
    with pytest.raises(ValueError, match="policy is 'error'\ntimestep: parent has 0.25"):
        spec.worldbody.add_frame().attach_body(condyle.MjSpec.from_string(PART).body("p"), "y", "")
    assert len(spec.bodies) == 2


def test_authored_masks_have_a_bit_for_each_setting() -> None:
    spec = condyle.MjSpec.from_string(
        "<mujoco><option gravity='0 0 -1' actuatorgroupdisable='3 5'><flag contact='disable' "
        "energy='disable'/></option><visual><map zfar='5'/><global realtime='2'/></visual>"
        "<compiler angle='radian' eulerseq='xyz'/></mujoco>"
    )
    authored = spec.authored
    assert authored.option == 1 << 7 and authored.disableactuator == 40
    assert authored.disableflags == 16 and authored.enableflags == 2
    assert authored.visual_map == 256 and authored.visual_global == 256
    assert spec.compiler.authored == 64 | 128
    with pytest.raises(AttributeError):
        spec.authored = authored


def test_elements_are_added_to_frames() -> None:
    spec = condyle.MjSpec()
    body = spec.worldbody.add_body(name="b")
    frame = body.add_frame(None, "f")
    for kind in ("body", "camera", "geom", "joint", "light", "site", "frame"):
        made = getattr(frame, f"add_{kind}")(None, f"my {kind}")
        assert made.frame is frame and made.parent is body and made.name == f"my {kind}"
    size = [frame.add_geom(size=value).size.tolist() for value in (2, [3], (4, 5), [6, 7, 8])]
    assert size == [[2, 0, 0], [3, 0, 0], [4, 5, 0], [6, 7, 8]]
    for wrong in ([], [1, 2, 3, 4]):
        with pytest.raises(ValueError, match="size 1 to 3"):
            frame.add_geom(size=wrong)
    assert frame.add_geom(type=6, name=None).type == condyle.mjtGeom.mjGEOM_BOX
    with pytest.raises(TypeError, match="multiple values"):
        frame.add_geom(None, "x", name="y")


def test_textures_start_from_a_class() -> None:
    spec = condyle.MjSpec()
    spec.default.texture.nchannel = 4
    red = spec.add_default("red", spec.default)
    red.texture.rgb1 = [1, 0, 0]
    texture = spec.add_texture(red, "t")
    assert texture.rgb1.tolist() == [1, 0, 0] and texture.nchannel == 4 and texture.file == ""
    assert spec.add_texture().rgb1.tolist() == [0.8, 0.8, 0.8]


def test_an_element_knows_the_compiler_of_its_origin() -> None:
    part = condyle.MjSpec.from_string(PART)
    part.compiler.degree = 0
    spec = condyle.MjSpec.from_string(NEST)
    taken = spec.worldbody.add_frame().attach_body(part.body("p"), "x", "")
    assert spec.body("b").compiler.degree == 1 and taken.compiler.degree == 0
    taken.compiler.degree = 1
    assert part.compiler.degree == 1
    with pytest.raises(AttributeError):
        taken.compiler = spec.compiler


def test_the_last_compilation_is_timed() -> None:
    spec = condyle.MjSpec.from_string(PEND)
    assert spec.timer.tolist() == [0] * 9 == [0] * int(condyle.mjtCTimer.mjNCTIMER)
    spec.add_mesh(name="m").make_ellipsoid([12, 12, 12], [0.1, 0.1, 0.1])
    spec.compile()
    timer = spec.timer
    assert timer[0] > timer[1] > 0 and timer[condyle.mjtCTimer.mjCTIMER_MESH_HULL] > 0
    with pytest.raises(AttributeError):
        spec.timer = timer


def test_a_group_is_assigned_one_value_for_each() -> None:
    spec = condyle.MjSpec.from_string(PEND)
    model = spec.compile()
    group = model.bind([spec.geom("g"), spec.geom("f")])
    group.rgba = [[1, 0, 0, 1], [0, 1, 0, 1]]
    assert model.geom("g").rgba.tolist() == [1, 0, 0, 1]
    assert model.geom("f").rgba.tolist() == [0, 1, 0, 1]
    group.rgba = np.array([[1, 1, 0, 1], [0, 1, 1, 1]])
    assert model.geom("f").rgba.tolist() == [0, 1, 1, 1]
    group.contype = (3, 4)
    assert [model.geom("g").contype[0], model.geom("f").contype[0]] == [3, 4]
    with pytest.raises(ValueError):
        group.rgba = [[1, 0, 0, 1]] * 3


def test_a_changed_model_is_copied_back_to_its_spec() -> None:
    spec = condyle.MjSpec.from_string(PEND)
    with pytest.raises(ValueError, match="has not been compiled"):
        spec.copy_back(condyle.MjModel.from_xml_string("<mujoco/>"))
    model = spec.compile()
    model.geom("g").size[0] = 0.07
    model.body("b").pos[0] = 0.25
    assert spec.copy_back(model) is None
    assert spec.geom("g").size[0] == 0.07 and spec.body("b").pos.tolist() == [0.25, 0, 1]
    assert spec.compile().body_mass[1] == pytest.approx(9.13365704154, rel=1e-11)
    with pytest.raises(ValueError, match="incompatible models in CopyBack"):
        spec.copy_back(condyle.MjModel.from_xml_string("<mujoco/>"))
    with pytest.raises(TypeError):
        spec.copy_back(3)
