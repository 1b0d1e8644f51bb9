"""Shapes, lights and cameras on a stage, with their motion as samples in time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, Usd, UsdGeom, UsdLux, UsdShade, Vt

import condyle
from condyle.usd.shapes import Points, Shape, coordinates

_APERTURE = 24.0  # height of a camera's picture in its focal plane, mm
_SUN = 1 / 3000  # brightness of a light that is far away, over that of a lamp


def transform(position: NDArray[Any], rotation: NDArray[Any]) -> Gf.Matrix4d:
    """Return a pose as USD writes it: for rows."""
    matrix = np.eye(4)
    matrix[:3, :3] = np.asarray(rotation).reshape(3, 3).T
    matrix[3, :3] = position
    return Gf.Matrix4d(matrix.tolist())


class Moving:
    """Something with a pose, which may come and go."""

    def __init__(self, stage: Usd.Stage, path: str) -> None:
        self.path = path
        self._xform = UsdGeom.Xform.Define(stage, path)
        self._pose = self._xform.AddTransformOp()
        self._seen = False

    def place(self, frame: int, pose: Gf.Matrix4d) -> None:
        """Set the pose at a frame, where it is seen."""
        self._pose.Set(pose, frame)
        self.show(frame, True)

    def show(self, frame: int, seen: bool) -> None:
        """Let it be seen from a frame on, or not."""
        if seen == self._seen:
            return
        tokens = UsdGeom.Tokens
        visibility = self._xform.GetVisibilityAttr()
        if visibility.GetNumTimeSamples() == 0:
            # hide it in all earlier frames
            visibility.Set(tokens.invisible, 0)
        visibility.Set(tokens.inherited if seen else tokens.invisible, frame)
        self._seen = seen


class Changing:
    """An attribute that keeps its value until it is another one."""

    def __init__(self, attribute: Usd.Attribute, value: Any, same: Any) -> None:
        self._attribute, self._value, self._same = attribute, value, same
        self._sampled = -1  # the last frame with a sample; -1 without any
        attribute.Set(value)

    def set(self, frame: int, value: Any) -> None:
        """Set it from a frame on."""
        if self._same(self._value, value):
            return
        if frame > 0 and self._sampled < frame - 1:
            # hold the old value up to the frame before: USD would interpolate between samples
            self._attribute.Set(self._value, frame - 1)
        self._attribute.Set(value, frame)
        self._value, self._sampled = value, frame


def _equal(a: Any, b: Any) -> bool:
    return bool(a == b)


class Surface(Moving):
    """A shape of a scene, as a mesh with a material."""

    def __init__(
        self, stage: Usd.Stage, name: str, shape: Shape, geom: condyle.MjvGeom, look: Look
    ) -> None:
        super().__init__(stage, f"/World/Mesh_Xform_{name}")
        self._mesh = UsdGeom.Mesh.Define(stage, f"{self.path}/Mesh_{name}")
        mesh = self._mesh
        mesh.CreateSubdivisionSchemeAttr().Set(UsdGeom.Tokens.none)
        mesh.CreateDoubleSidedAttr().Set(geom.type == condyle.mjtGeom.mjGEOM_PLANE)
        count = Vt.IntArray.FromNumpy(np.full(len(shape.faces), 3, np.int32))
        faces = Vt.IntArray.FromNumpy(np.ascontiguousarray(shape.faces.reshape(-1), np.int32))
        self._counts = Changing(mesh.CreateFaceVertexCountsAttr(), count, _equal)
        self._faces = Changing(mesh.CreateFaceVertexIndicesAttr(), faces, _equal)
        points, normals = _vectors(shape.points), shape.normals
        self._points = Changing(mesh.CreatePointsAttr(), points, _equal)
        self._extent = Changing(mesh.CreateExtentAttr(), _extent(shape.points), _equal)
        self._normals = None
        if normals is not None:
            self._normals = Changing(mesh.CreateNormalsAttr(), _vectors(normals), _equal)
            each_point = len(normals) == len(shape.points)
            mesh.SetNormalsInterpolation(
                UsdGeom.Tokens.vertex if each_point else UsdGeom.Tokens.faceVarying
            )
        self._key = shape_key(geom)
        self._look = look
        if look.textured:
            primvar = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar(
                "UVMap", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.faceVarying
            )
            uv = coordinates(shape, np.array(geom.size), look.repeat, look.uniform)
            primvar.Set(Vt.Vec2fArray.FromNumpy(np.ascontiguousarray(uv, np.float32)))
        binding = UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim())
        binding.Bind(look.material)

    def needs_shape(self, geom: condyle.MjvGeom) -> bool:
        """Tell if its triangles may have changed."""
        key = shape_key(geom)
        return key != self._key or geom.type in (
            condyle.mjtGeom.mjGEOM_FLEX,
            condyle.mjtGeom.mjGEOM_SKIN,
        )

    def update(self, frame: int, geom: condyle.MjvGeom, shape: Shape | None) -> None:
        """Show it at a frame, with other triangles if there are some."""
        self.place(frame, transform(geom.pos, geom.mat))
        self._look.update(frame, geom)
        if shape is None:
            return
        self._key = shape_key(geom)
        faces = np.ascontiguousarray(shape.faces.reshape(-1), np.int32)
        self._counts.set(frame, Vt.IntArray.FromNumpy(np.full(len(shape.faces), 3, np.int32)))
        self._faces.set(frame, Vt.IntArray.FromNumpy(faces))
        self._points.set(frame, _vectors(shape.points))
        self._extent.set(frame, _extent(shape.points))
        if self._normals is not None and shape.normals is not None:
            self._normals.set(frame, _vectors(shape.normals))


def shape_key(geom: condyle.MjvGeom) -> tuple[Any, ...]:
    """Return what the triangles of a shape depend on."""
    return (geom.type, geom.dataid, *(float(side) for side in geom.size))


def _vectors(rows: Points) -> Vt.Vec3fArray:
    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(rows, np.float32))


def _extent(points: Points) -> Vt.Vec3fArray:
    if not len(points):
        return _vectors(np.zeros((2, 3), np.float32))
    return _vectors(np.stack([points.min(0), points.max(0)]))


class Look:
    """The material of one shape: its color in time, and the texture of the model's material.

    Attributes
    ----------
    material
        On the stage.
    textured, repeat, uniform
        Whether and how often an image is repeated.
    """

    def __init__(
        self,
        stage: Usd.Stage,
        name: str,
        m: condyle.MjModel,
        geom: condyle.MjvGeom,
        files: dict[int, str],
        special: UsdShade.Material | None,
    ) -> None:
        self.repeat, self.uniform = np.ones(2, np.float32), False
        self._color: Changing | None = None
        image = self._image(m, geom.matid)
        self.textured = image in files
        if self.textured:
            self.repeat, self.uniform = (
                m.mat_texrepeat[geom.matid],
                bool(m.mat_texuniform[geom.matid]),
            )
        if special is not None:
            self.material = special
            return
        path = f"/World/_materials/Material_{name}"
        self.material = UsdShade.Material.Define(stage, path)
        shader = UsdShade.Shader.Define(stage, f"{path}/Principled_BSDF")
        shader.CreateIdAttr("UsdPreviewSurface")
        types = Sdf.ValueTypeNames
        metallic, roughness = 0.0, 1 - 0.9 * min(1.0, max(0.0, geom.shininess))
        if geom.matid >= 0:
            given = float(m.mat_metallic[geom.matid]), float(m.mat_roughness[geom.matid])
            metallic = given[0] if given[0] >= 0 else metallic
            roughness = given[1] if given[1] >= 0 else roughness
        shader.CreateInput("metallic", types.Float).Set(metallic)
        shader.CreateInput("roughness", types.Float).Set(roughness)
        self._opacity = Changing(
            shader.CreateInput("opacity", types.Float).GetAttr(), float(geom.rgba[3]), _equal
        )
        diffuse = shader.CreateInput("diffuseColor", types.Color3f)
        if self.textured:
            color = self._texture(stage, path, diffuse, files[image])
            self._color = Changing(color.GetAttr(), self._scale(geom), _equal)
        else:
            self._color = Changing(diffuse.GetAttr(), self._plain(geom), _equal)
        glow = float(geom.emission)
        if glow > 0:
            emitted = Gf.Vec3f(*(glow * float(part) for part in geom.rgba[:3]))
            shader.CreateInput("emissiveColor", types.Color3f).Set(emitted)
        surface = shader.CreateOutput("surface", types.Token)
        self.material.CreateSurfaceOutput().ConnectToSource(surface)

    @staticmethod
    def _image(m: condyle.MjModel, material: int) -> int:
        role = int(condyle.mjtTextureRole.mjTEXROLE_RGB)
        return int(m.mat_texid[material, role]) if material >= 0 else -1

    @staticmethod
    def _plain(geom: condyle.MjvGeom) -> Gf.Vec3f:
        return Gf.Vec3f(*(float(part) for part in geom.rgba[:3]))

    @staticmethod
    def _scale(geom: condyle.MjvGeom) -> Gf.Vec4f:
        return Gf.Vec4f(*(float(part) for part in geom.rgba[:3]), 1)

    @staticmethod
    def _texture(stage: Usd.Stage, path: str, diffuse: UsdShade.Input, file: str) -> UsdShade.Input:
        types = Sdf.ValueTypeNames
        reader = UsdShade.Shader.Define(stage, f"{path}/uvmap")
        reader.CreateIdAttr("UsdPrimvarReader_float2")
        reader.CreateInput("varname", types.String).Set("UVMap")
        image = UsdShade.Shader.Define(stage, f"{path}/Image_Texture")
        image.CreateIdAttr("UsdUVTexture")
        image.CreateInput("file", types.Asset).Set(file)
        for side in ("wrapS", "wrapT"):
            image.CreateInput(side, types.Token).Set("repeat")
        image.CreateInput("sourceColorSpace", types.Token).Set("sRGB")
        image.CreateInput("st", types.Float2).ConnectToSource(
            reader.CreateOutput("result", types.Float2)
        )
        diffuse.ConnectToSource(image.CreateOutput("rgb", types.Float3))
        return image.CreateInput("scale", types.Float4)

    def update(self, frame: int, geom: condyle.MjvGeom) -> None:
        """Take the color of a frame."""
        if self._color is not None:
            self._color.set(frame, self._scale(geom) if self.textured else self._plain(geom))
            self._opacity.set(frame, float(geom.rgba[3]))


class Lamp(Moving):
    """A light of a scene."""

    def __init__(
        self, stage: Usd.Stage, number: int, light: condyle.MjvLight, intensity: float
    ) -> None:
        super().__init__(stage, f"/World/Light_Xform_{number}")
        path, kinds = f"{self.path}/Light_{number}", condyle.mjtLightType
        if light.type == kinds.mjLIGHT_DIRECTIONAL:
            lamp = UsdLux.DistantLight.Define(stage, path)
            lamp.CreateIntensityAttr().Set(intensity * _SUN)
        else:
            lamp = UsdLux.SphereLight.Define(stage, path)
            lamp.CreateRadiusAttr().Set(light.bulbradius or 0.3)
            lamp.CreateNormalizeAttr().Set(True)
            lamp.CreateIntensityAttr().Set(intensity)
        if light.type == kinds.mjLIGHT_SPOT:
            cone = UsdLux.ShapingAPI.Apply(lamp.GetPrim())
            cone.CreateShapingConeAngleAttr().Set(light.cutoff)
            cone.CreateShapingConeSoftnessAttr().Set(0.5)
        color = Gf.Vec3f(*(float(part) for part in light.diffuse))
        self._color = Changing(lamp.CreateColorAttr(), color, _equal)

    def update(self, frame: int, light: condyle.MjvLight) -> None:
        """Show it at a frame."""
        self.place(frame, transform(light.pos, facing(np.array(light.dir, float))))
        self._color.set(frame, Gf.Vec3f(*(float(part) for part in light.diffuse)))


def facing(direction: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a rotation that turns -z, where lights and cameras of USD look, to a direction."""
    length = np.linalg.norm(direction)
    back = -direction / length if length > 0 else np.array([0.0, 0, 1])
    across = np.cross([0.0, 0, 1] if abs(back[2]) < 0.99 else [1.0, 0, 0], back)
    across /= np.linalg.norm(across)
    return np.stack([across, np.cross(back, across), back], 1)


class Eye(Moving):
    """A camera of the model."""

    def __init__(self, stage: Usd.Stage, name: str, m: condyle.MjModel, number: int, wide: float):
        super().__init__(stage, f"/World/Camera_Xform_{name}")
        self._number = number
        camera = UsdGeom.Camera.Define(stage, f"{self.path}/Camera_{name}")
        sensor = m.cam_sensorsize[number]
        if m.cam_orthographic[number]:
            # apertures are the extents of what is seen, fovy its height, m
            height = float(m.cam_fovy[number]) / Gf.Camera.APERTURE_UNIT
            width, focal = height * wide, _APERTURE
            camera.CreateProjectionAttr().Set(UsdGeom.Tokens.orthographic)
        elif sensor[1] > 0:
            # sensor sizes and focal lengths, m
            width, height = (1000 * float(side) for side in sensor)
            focal = 1000 * float(m.cam_intrinsic[number, 1])
            shift = 1000 * m.cam_intrinsic[number, 2:4]
            camera.CreateHorizontalApertureOffsetAttr().Set(float(shift[0]))
            camera.CreateVerticalApertureOffsetAttr().Set(float(shift[1]))
        else:
            width, height = _APERTURE * wide, _APERTURE
            focal = height / (2 * np.tan(np.radians(float(m.cam_fovy[number])) / 2))
        camera.CreateHorizontalApertureAttr().Set(width)
        camera.CreateVerticalApertureAttr().Set(height)
        camera.CreateFocalLengthAttr().Set(float(focal))
        extent = m.stat.extent
        near, far = (float(extent * part) for part in (m.vis.map.znear, m.vis.map.zfar))
        camera.CreateClippingRangeAttr().Set(Gf.Vec2f(near, far))

    def update(self, frame: int, d: condyle.MjData) -> None:
        """Take the pose of a frame."""
        self.place(frame, transform(d.cam_xpos[self._number], d.cam_xmat[self._number]))
