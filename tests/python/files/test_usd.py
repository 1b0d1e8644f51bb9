"""Export to USD: what is written is where the engine has it, read back by OpenUSD."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import condyle
from condyle._support import picture

pytest.importorskip("condyle._condyle")

XML = """
<mujoco model="things">
  <asset>
    <texture name="grid" type="2d" builtin="checker" width="4" height="6" rgb1="1 0 0"/>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="0 0 1" width="4" height="24"/>
    <material name="tiles" texture="grid" texrepeat="3 2" texuniform="true"/>
    <material name="steel" rgba=".2 .3 .4 .5" metallic=".75" roughness=".25" emission=".5"/>
    <mesh name="rock" vertex="0 0 0  .3 0 0  0 .3 0  0 0 .3" texcoord="0 0  1 0  0 1  1 1"/>
    <hfield name="hill" nrow="3" ncol="4" size="1 2 .5 .1" elevation="0 1 0 1  2 1 0 1  0 1 2 3"/>
  </asset>
  <visual><global offwidth="200"/></visual>
  <worldbody>
    <light name="sun" type="directional" dir="1 0 -1"/>
    <light name="spot" pos="0 0 4" dir="0 0 -1" diffuse=".5 .25 1" cutoff="30"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1" fovy="60"/>
    <camera name="flat" pos="0 -3 1" xyaxes="1 0 0 0 0 1" orthographic="true" fovy="2.5"/>
    <camera name="the lens" pos="1 0 1" sensorsize=".03 .02" focal=".05 .05" resolution="300 200"/>
    <geom name="floor" type="plane" size="2 3 .1" material="tiles"/>
    <geom name="ground" type="plane" size="0 0 .1" pos="0 0 -1"/>
    <geom name="land" type="hfield" hfield="hill" pos="0 6 0"/>
    <body name="moving" pos="0 0 1" euler="20 30 40"><freejoint/>
      <geom name="ball" size=".1" rgba="1 .5 .25 .5"/>
      <geom name="pill" type="capsule" size=".05 .2" pos=".5 0 0" material="steel"/>
      <geom name="a can" type="cylinder" size=".1 .2" pos="1 0 0"/>
      <geom name="egg" type="ellipsoid" size=".1 .2 .3" pos="1.5 0 0"/>
      <geom name="brick" type="box" size=".1 .2 .3" pos="2 0 0" material="tiles"/>
      <geom name="stone" type="mesh" mesh="rock" pos="2.5 0 0" material="tiles"/>
      <geom size=".05" pos="3 0 0" group="4"/>
      <site name="tip" pos="0 0 .3"/>
    </body>
    <site name="base" pos="0 0 2"/>
  </worldbody>
  <tendon><spatial name="rope" width=".02"><site site="base"/><site site="tip"/></spatial></tendon>
</mujoco>"""

# half sizes of the shapes that move, by their geoms
SHAPES = ["ball", "pill", "a can", "egg", "brick", "stone"]
VOLUMES = {
    "ball": 4 / 3 * np.pi * 0.1**3,
    "pill": np.pi * 0.05**2 * (0.4 + 4 / 3 * 0.05),
    "a can": np.pi * 0.1**2 * 0.4,
    "egg": 4 / 3 * np.pi * 0.1 * 0.2 * 0.3,
    "brick": 8 * 0.1 * 0.2 * 0.3,
    "stone": 0.3**3 / 6,
}


def test_the_error_names_the_package() -> None:
    program = (
        "import sys; sys.modules['pxr'] = None\n"
        "import condyle.usd\n"
        "try:\n  import condyle.usd.exporter\n"
        "except ImportError as error:\n  print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "export to USD needs the package usd-core: pip install 'condyle[usd]'\n"


pxr = pytest.importorskip("pxr", reason="the package usd-core is missing")
from pxr import Gf, Usd, UsdGeom, UsdLux, UsdShade  # noqa: E402

from condyle.usd import shapes  # noqa: E402
from condyle.usd.exporter import USDExporter  # noqa: E402


@pytest.fixture
def pair() -> Any:
    m = condyle.MjModel.from_xml_string(XML)
    d = condyle.MjData(m)
    condyle.mj_forward(m, d)
    return m, d


def exporter(m: Any, folder: Path, **more: Any) -> USDExporter:
    return USDExporter(m, output_directory_root=folder, verbose=False, **more)


def name_of(m: Any, geom: str) -> str:
    return re.sub(r"\W", "_", f"{geom}_id{m.geom(geom).id}_geom")


def mesh_of(stage: Any, name: str) -> Any:
    mesh = UsdGeom.Mesh.Get(stage, f"/World/Mesh_Xform_{name}/Mesh_{name}")
    assert mesh, name
    return mesh


def world_points(stage: Any, name: str, frame: int) -> Any:
    """Points of a mesh in the world."""
    mesh = mesh_of(stage, name)
    points = np.array(mesh.GetPointsAttr().Get(frame), float)
    matrix = np.array(mesh.ComputeLocalToWorldTransform(frame))
    return points @ matrix[:3, :3] + matrix[3, :3]


def volume(points: Any, faces: Any) -> float:
    """Volume inside of triangles that are seen from outside against the clock."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def test_shapes_are_where_the_engine_has_them(pair: Any, tmp_path: Path) -> None:
    m, d = pair
    out = exporter(m, tmp_path)
    places = []
    for _ in range(3):
        out.update_scene(d)
        geoms = {name: d.geom(name) for name in SHAPES}
        places.append({name: (it.xpos.copy(), it.xmat.copy()) for name, it in geoms.items()})
        for _ in range(40):
            condyle.mj_step(m, d)
    assert out.frame_count == 3
    stage = Usd.Stage.Open(out.save_scene("usda"))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, 2)
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert stage.GetDefaultPrim().GetPath() == "/World"
    for frame, at in enumerate(places):
        for name, (position, rotation) in at.items():
            mesh = mesh_of(stage, name_of(m, name))
            faces = np.array(mesh.GetFaceVertexIndicesAttr().Get(frame)).reshape(-1, 3)
            points = world_points(stage, name_of(m, name), frame)
            assert volume(points - position, faces) == pytest.approx(VOLUMES[name], rel=0.02)
            local = (points - position) @ rotation.reshape(3, 3)
            extent = np.array(mesh.GetExtentAttr().Get(frame))
            assert np.allclose([local.min(0), local.max(0)], extent, atol=1e-6)
            if name != "stone":
                half = {"pill": [0.05, 0.05, 0.25], "a can": [0.1, 0.1, 0.2]}.get(name)
                expected = m.geom(name).size if half is None else half
                expected = [0.1] * 3 if name == "ball" else expected
                assert np.allclose(extent, [-np.array(expected), expected], atol=1e-6)


def test_surfaces_are_closed_and_face_outwards(pair: Any) -> None:
    m, _ = pair
    size = np.array([0.1, 0.2, 0.3], np.float32)
    made = {
        "sphere": shapes.sphere(size),
        "capsule": shapes.capsule(size),
        "cylinder": shapes.cylinder(size),
        "box": shapes.box(size),
        "hfield": shapes.hfield(m, 0),
        **{f"arrow{heads}": shapes.arrow(size, heads) for heads in (0, 1, 2)},
    }
    for name, shape in made.items():
        # points that are one count as one
        _, same = np.unique(shape.points.round(6), axis=0, return_inverse=True)
        faces = same.reshape(-1)[shape.faces]
        edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        there, back = {tuple(e) for e in edges.tolist()}, {tuple(e[::-1]) for e in edges.tolist()}
        assert there == back, name
        assert volume(shape.points, shape.faces) > 0, name
        if shape.normals is not None:
            a, b, c = (shape.points[shape.faces[:, k]] for k in range(3))
            outward = np.cross(b - a, c - a)
            # one for each point, or for each corner
            mean = shape.normals[shape.faces].sum(1)
            assert (np.einsum("ij,ij->i", outward, mean) > 0).all(), name
            assert np.allclose(np.linalg.norm(shape.normals, axis=1), 1, atol=1e-5), name


def test_colors_materials_images(pair: Any, tmp_path: Path) -> None:
    m, d = pair
    out = exporter(m, tmp_path)
    out.update_scene(d)
    m.geom("ball").rgba = [0, 0, 1, 1]
    out.update_scene(d)
    stage = out.stage

    def shader(geom: str, part: str = "Principled_BSDF") -> Any:
        mesh = mesh_of(stage, name_of(m, geom))
        material, _ = UsdShade.MaterialBindingAPI(mesh.GetPrim()).ComputeBoundMaterial()
        return UsdShade.Shader.Get(stage, material.GetPath().AppendChild(part))

    def value(geom: str, name: str, frame: int = 0, part: str = "Principled_BSDF") -> Any:
        return shader(geom, part).GetInput(name).GetAttr().Get(frame)

    assert np.allclose(value("ball", "diffuseColor"), [1, 0.5, 0.25])
    assert value("ball", "opacity") == 0.5
    assert np.allclose(value("ball", "diffuseColor", 1), [0, 0, 1])
    assert value("ball", "opacity", 1) == 1
    assert (value("pill", "metallic"), value("pill", "roughness")) == (0.75, 0.25)
    assert np.allclose(value("pill", "emissiveColor"), [0.1, 0.15, 0.2])
    file = value("brick", "file", 0, "Image_Texture").path
    image = Path(tmp_path, "mujoco_usdpkg", "frames", file)
    assert image.read_bytes().startswith(b"\x89PNG")
    assert len(list(image.parent.iterdir())) == m.ntex
    # repeated for each unit of length, the image's lower left corner at x = y = -1 / k
    mesh = mesh_of(stage, name_of(m, "floor"))
    uv = np.array(UsdGeom.PrimvarsAPI(mesh).GetPrimvar("UVMap").Get())
    corners = np.array(mesh.GetPointsAttr().Get())[np.array(mesh.GetFaceVertexIndicesAttr().Get())]
    assert np.allclose(uv, corners[:, :2] * [1.5, -1] - 0.5)
    # a mesh may have coordinates of its own
    stone = mesh_of(stage, name_of(m, "stone"))
    own = np.array(UsdGeom.PrimvarsAPI(stone).GetPrimvar("UVMap").Get())
    assert sorted({tuple(row) for row in own.tolist()}) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_texture_that_stays_in_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = tmp_path / "picture.png"
    image.write_bytes(picture.png(np.full((4, 6, 3), 90, np.uint8)))
    (tmp_path / "model.xml").write_text(
        "<mujoco><asset><texture name='t' type='2d' file='picture.png' embed='false'/>"
        "<material name='m' texture='t'/></asset>"
        "<worldbody><geom type='box' size='1 1 1' material='m'/></worldbody></mujoco>"
    )
    m = condyle.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    assert m.tex_adr[0] < 0
    d = condyle.MjData(m)
    condyle.mj_forward(m, d)
    for number, there in enumerate((True, False)):
        if not there:
            image.unlink()
        folder = tmp_path / f"out{number}"
        out = USDExporter(m, output_directory_root=folder, verbose=True)
        out.update_scene(d)
        assert (len(list(folder.rglob("texture_0.png"))) == 1) == there
        assert ("Left out texture 0" in capsys.readouterr().out) != there


def test_what_comes_and_goes(pair: Any, tmp_path: Path) -> None:
    m, d = pair
    out = exporter(m, tmp_path)
    option = condyle.MjvOption()
    for shown in (0, 1, 1, 0):
        option.geomgroup[4] = shown
        out.update_scene(d, option)
    number = int(np.flatnonzero(m.geom_group == 4)[0])
    mesh = mesh_of(out.stage, f"geom_id{number}_geom")
    seen = [mesh.ComputeVisibility(frame) for frame in range(4)]
    assert seen == ["invisible", "inherited", "inherited", "invisible"]


def test_a_tendon_stretches(pair: Any, tmp_path: Path) -> None:
    m, d = pair
    out = exporter(m, tmp_path)
    lengths = []
    for height in (1, 1, 0.5):
        d.qpos[2] = height
        condyle.mj_forward(m, d)
        out.update_scene(d)
        lengths.append(float(d.ten_length[0]))
    (name,) = {
        prim.GetName().removeprefix("Mesh_Xform_")
        for prim in out.stage.Traverse()
        if prim.GetName().startswith("Mesh_Xform_rope")
    }
    extents = [np.array(mesh_of(out.stage, name).GetExtentAttr().Get(frame)) for frame in range(3)]
    for extent, length in zip(extents, lengths, strict=True):
        assert extent[1, 2] - extent[0, 2] == pytest.approx(length, abs=0.05)
    assert extents[0].tolist() == extents[1].tolist()


def test_lights_and_cameras(pair: Any, tmp_path: Path) -> None:
    m, d = pair
    out = exporter(m, tmp_path, camera_names=["side", "flat", "the lens"], height=100, width=200)
    out.update_scene(d, camera="side")
    out.add_light((1, 2, 3), 500, 0.5, (1, 0, 0), "lamp one")
    out.add_light([0, 0, 0], 5, obj_name="sky", light_type="dome")
    out.add_camera([1, 2, 3], [90, 0, 0], "mine")
    stage = out.stage
    side = UsdGeom.Camera.Get(stage, "/World/Camera_Xform_side/Camera_side")
    frustum = side.GetCamera(0).frustum
    assert np.allclose(frustum.ComputeViewDirection(), [0, 1, 0], atol=1e-6)
    assert np.allclose(frustum.GetPosition(), [0, -3, 1])
    assert side.GetCamera(0).GetFieldOfView(Gf.Camera.FOVVertical) == pytest.approx(60, abs=1e-4)
    assert side.GetCamera(0).aspectRatio == pytest.approx(2)
    flat = UsdGeom.Camera.Get(stage, "/World/Camera_Xform_flat/Camera_flat").GetCamera(0)
    assert flat.projection == Gf.Camera.Orthographic
    window = flat.frustum.window
    assert (window.max - window.min)[1] == pytest.approx(2.5, abs=1e-6)
    assert (window.max - window.min)[0] == pytest.approx(5, abs=1e-6)
    lens = UsdGeom.Camera.Get(stage, "/World/Camera_Xform_the_lens/Camera_the_lens").GetCamera(0)
    assert (lens.focalLength, lens.horizontalAperture) == pytest.approx((50, 30))
    mine = UsdGeom.Camera.Get(stage, "/World/Camera_Xform_mine/Camera_mine").GetCamera(0).frustum
    assert np.allclose(mine.ComputeViewDirection(), [0, 1, 0], atol=1e-6)
    lights = {p.GetTypeName(): p for p in stage.Traverse() if p.HasAPI(UsdLux.LightAPI)}
    assert set(lights) == {"DistantLight", "SphereLight", "DomeLight"}
    sun = UsdGeom.Xformable(lights["DistantLight"]).ComputeLocalToWorldTransform(0)
    assert np.allclose(sun.TransformDir((0, 0, -1)), np.array([1, 0, -1]) / np.sqrt(2))
    spots = [p for p in stage.Traverse() if p.HasAPI(UsdLux.ShapingAPI)]
    assert [UsdLux.ShapingAPI(p).GetShapingConeAngleAttr().Get() for p in spots] == [30]
    assert np.allclose(UsdLux.LightAPI(spots[0]).GetColorAttr().Get(), [0.5, 0.25, 1])
    assert stage.GetPrimAtPath("/World/Light_Xform_lamp_one/Light_lamp_one")
    with pytest.raises(ValueError, match="'sphere' or 'dome', not 'laser'"):
        out.add_light([0, 0, 0], 5, obj_name="x", light_type="laser")
    with pytest.raises(ValueError, match='The camera "none" does not exist'):
        exporter(m, tmp_path, camera_names=["none"])
    with pytest.raises(ValueError, match='The camera "none" does not exist'):
        out.update_scene(d, camera="none")


def test_what_bends_moves_with_its_vertices(tmp_path: Path) -> None:
    m = condyle.MjModel.from_xml_string(
        '<mujoco><worldbody><flexcomp name="cloth" type="grid" count="4 4 1" spacing=".1 .1 .1"'
        ' pos="0 0 1" radius=".01" dim="2"><edge equality="true"/></flexcomp></worldbody></mujoco>'
    )
    d = condyle.MjData(m)
    out = exporter(m, tmp_path)
    for _ in range(2):
        condyle.mj_forward(m, d)
        out.update_scene(d)
        for _ in range(50):
            condyle.mj_step(m, d)
    (name,) = [
        prim.GetName().removeprefix("Mesh_Xform_")
        for prim in out.stage.Traverse()
        if prim.GetName().startswith("Mesh_Xform_") and "flex" in prim.GetName()
    ]
    low = [world_points(out.stage, name, frame)[:, 2].min() for frame in range(2)]
    assert low[1] < low[0] - 0.02


def test_materials_of_a_file(pair: Any, tmp_path: Path) -> None:
    m, d = pair
    other = tmp_path / "materials.usda"
    other.write_text(
        '#usda 1.0\ndef Scope "Looks" {\ndef Material "steel" {\ndef Shader "s" {\n'
        'uniform token info:id = "UsdPreviewSurface"\n}\n}\n}\n'
    )
    out = exporter(m, tmp_path, specialized_materials_file=other)
    out.update_scene(d)
    mesh = mesh_of(out.stage, name_of(m, "pill"))
    material, _ = UsdShade.MaterialBindingAPI(mesh.GetPrim()).ComputeBoundMaterial()
    assert material.GetPath() == "/World/_materials/Special_steel"
    assert material.GetPrim().GetChild("s")
    with pytest.raises(ValueError, match="materials can't be read from .*none.usda"):
        exporter(m, tmp_path, specialized_materials_file=tmp_path / "none.usda")


def test_files(pair: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    m, d = pair
    out = USDExporter(m, output_directory="film", output_directory_root=tmp_path)
    out.update_scene(d)
    assert "#usda 1.0" in out.usd
    assert out.scene.ngeom > 0
    for kind in ("usd", "usda", "usdc"):
        path = tmp_path / "film" / "frames" / f"frame_1.{kind}"
        assert out.save_scene(kind) == str(path)
        assert mesh_of(Usd.Stage.Open(str(path)), name_of(m, "ball"))
        assert f"Wrote {path}" in capsys.readouterr().out
    with pytest.raises(ValueError, match="one of usd, usda, usdc, not 'obj'"):
        out.save_scene("obj")
    # a second film beside the first one's files
    USDExporter(m, output_directory="film", output_directory_root=tmp_path, verbose=False)
    assert capsys.readouterr().out == ""
