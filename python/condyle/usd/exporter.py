"""Writes simulations as scenes of USD: ``USDExporter``."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

try:
    from pxr import Gf, Sdf, Tf, Usd, UsdGeom, UsdLux, UsdShade
except ImportError as error:
    raise ImportError(
        "export to USD needs the package usd-core: pip install 'condyle[usd]'", name="pxr"
    ) from error

import condyle
from condyle._support import output, picture
from condyle.renderer import find_camera
from condyle.usd.objects import Eye, Lamp, Look, Surface, transform
from condyle.usd.shapes import Shape, of_geom

__all__ = ["USDExporter"]

_FRAMES_PER_SECOND = 60
_FILES = ("usd", "usda", "usdc")
_MAX_GEOM = 10000


class USDExporter:
    """Collects states of a simulation, and writes them as one scene with motion.

    Shapes become triangles with materials (UsdPreviewSurface) and images, lights and cameras their
    likes in USD; flexes and skins move with their vertices. Lines and labels are left out.

    Parameters
    ----------
    model
        What is simulated.
    height, width
        Shape of pictures that the cameras are for, pixels.
    max_geom
        Most shapes in a picture; None: 10,000.
    output_directory, output_directory_root
        The folder to make, and where. The scene goes to its folder ``frames``, images to
        ``assets``; what is there already stays.
    light_intensity
        Brightness of the model's lights.
    camera_names
        Cameras of the model to write; None: none.
    specialized_materials_file
        A file of USD with materials: where one is called as a material of the model, it is used
        instead.
    verbose
        Print what is written.

    Raises
    ------
    ValueError
        There is no such camera, or the file of materials can't be read.
    """

    def __init__(
        self,
        model: condyle.MjModel,
        height: int = 480,
        width: int = 480,
        max_geom: int | None = _MAX_GEOM,
        output_directory: str | os.PathLike[str] = "mujoco_usdpkg",
        output_directory_root: str | os.PathLike[str] = "./",
        light_intensity: float = 10000,
        camera_names: Sequence[str] | None = None,
        specialized_materials_file: str | os.PathLike[str] | None = None,
        verbose: bool = True,
    ) -> None:
        self.model = model
        self.height, self.width = height, width
        self.max_geom = _MAX_GEOM if max_geom is None else max_geom
        self.output_directory = os.fspath(output_directory)
        self.output_directory_root = os.fspath(output_directory_root)
        self.light_intensity = light_intensity
        self.camera_names = camera_names
        self.specialized_materials_file = specialized_materials_file
        self.verbose = verbose
        self.frame_count = 0  # states so far

        self._scene = condyle.MjvScene(model, self.max_geom)
        self._surfaces: dict[tuple[int, ...], Surface] = {}
        self._lamps: dict[int, Lamp] = {}
        self.stage = _new_stage()
        self._cameras = [
            Eye(
                self.stage,
                Tf.MakeValidIdentifier(name),
                model,
                find_camera(model, name).fixedcamid,
                width / height,
            )
            for name in camera_names or ()
        ]
        self._special = self._load_special()
        self.output_directory_path = os.path.join(self.output_directory_root, self.output_directory)
        self.frames_directory = os.path.join(self.output_directory_path, "frames")
        self.assets_directory = os.path.join(self.output_directory_path, "assets")
        for folder in (self.frames_directory, self.assets_directory):
            os.makedirs(folder, exist_ok=True)
        self._say(f"Writing scenes and images to {self.output_directory_path}")
        self._files = self._write_textures()

    @property
    def usd(self) -> str:
        """The scene as text (usda)."""
        text: str = self.stage.GetRootLayer().ExportToString()
        return text

    @property
    def scene(self) -> condyle.MjvScene:
        """What was drawn last."""
        return self._scene

    def update_scene(
        self,
        data: condyle.MjData,
        scene_option: condyle.MjvOption | None = None,
        camera: int | str = -1,
    ) -> None:
        """Take a state, as the next frame.

        Parameters
        ----------
        data
            The state.
        scene_option
            What is drawn; None: the defaults.
        camera
            The eye, which the light of the viewer's head goes with; -1: the free one.

        Raises
        ------
        ValueError
            There is no such camera.
        """
        frame, m = self.frame_count, self.model
        option = condyle.MjvOption() if scene_option is None else scene_option
        eye = find_camera(m, camera)
        everything = int(condyle.mjtCatBit.mjCAT_ALL)
        condyle.mjv_updateScene(m, data, option, None, eye, everything, self._scene)
        self._update_surfaces(frame)
        for light in self._scene.lights[: self._scene.nlight]:
            if light.id not in self._lamps:
                number = len(self._lamps)
                self._lamps[light.id] = Lamp(self.stage, number, light, self.light_intensity)
            self._lamps[light.id].update(frame, light)
        seen = {light.id for light in self._scene.lights[: self._scene.nlight]}
        for number, lamp in self._lamps.items():
            if number not in seen:
                lamp.show(frame, False)
        for camera_ in self._cameras:
            camera_.update(frame, data)
        self.stage.SetEndTimeCode(frame)
        self.frame_count += 1

    def add_light(
        self,
        pos: ArrayLike,
        intensity: float,
        radius: float = 1.0,
        color: ArrayLike = (0.3, 0.3, 0.3),
        obj_name: str = "light_1",
        light_type: str = "sphere",
    ) -> None:
        """Add a light that stands still.

        Parameters
        ----------
        pos
            Where it is.
        intensity, radius, color
            Its brightness, its size (m), its color.
        obj_name
            Its name on the stage.
        light_type
            "sphere", or "dome": light from everywhere.

        Raises
        ------
        ValueError
            The type is another one.
        """
        name = Tf.MakeValidIdentifier(obj_name)
        xform = UsdGeom.Xform.Define(self.stage, f"/World/Light_Xform_{name}")
        path = f"/World/Light_Xform_{name}/Light_{name}"
        if light_type == "sphere":
            lamp = UsdLux.SphereLight.Define(self.stage, path)
            lamp.CreateRadiusAttr().Set(float(radius))
            lamp.CreateNormalizeAttr().Set(True)
        elif light_type == "dome":
            lamp = UsdLux.DomeLight.Define(self.stage, path)
        else:
            self.stage.RemovePrim(xform.GetPath())
            raise ValueError(f"light_type should be 'sphere' or 'dome', not {light_type!r}")
        lamp.CreateIntensityAttr().Set(float(intensity))
        lamp.CreateColorAttr().Set(Gf.Vec3f(*(float(part) for part in np.asarray(color))))
        xform.AddTransformOp().Set(transform(np.asarray(pos, float), np.eye(3)))

    def add_camera(
        self, pos: ArrayLike, rotation_xyz: ArrayLike, obj_name: str = "camera_1"
    ) -> None:
        """Add a camera that stands still.

        Parameters
        ----------
        pos
            Where it is.
        rotation_xyz
            Angles about x, then y, then z, degrees; without them it looks along -z.
        obj_name
            Its name on the stage.
        """
        name = Tf.MakeValidIdentifier(obj_name)
        xform = UsdGeom.Xform.Define(self.stage, f"/World/Camera_Xform_{name}")
        UsdGeom.Camera.Define(self.stage, f"/World/Camera_Xform_{name}/Camera_{name}")
        xform.AddTranslateOp().Set(Gf.Vec3d(*(float(part) for part in np.asarray(pos))))
        angles = (float(angle) for angle in np.asarray(rotation_xyz))
        xform.AddRotateXYZOp().Set(Gf.Vec3f(*angles))

    def save_scene(self, filetype: str = "usd") -> str:
        """Write the scene of all frames so far, to ``frames/frame_N`` after N frames.

        Parameters
        ----------
        filetype
            "usd" or "usdc" (binary), "usda" (text).

        Returns
        -------
        path
            The file.

        Raises
        ------
        ValueError
            The type is another one.
        OSError
            It can't be written.
        """
        if filetype not in _FILES:
            raise ValueError(f"filetype should be one of {', '.join(_FILES)}, not {filetype!r}")
        path = os.path.join(self.frames_directory, f"frame_{self.frame_count}.{filetype}")
        # the library goes by the ending, so it writes to a folder of its own
        with output.writing(path) as file, tempfile.TemporaryDirectory() as folder:
            made = os.path.join(folder, os.path.basename(path))
            try:
                written = self.stage.Export(made)
            except Tf.ErrorException as error:
                raise OSError(f"{path} can't be written: {error}") from None
            if not written:
                raise OSError(f"{path} can't be written")
            with open(made, "rb") as whole:
                shutil.copyfileobj(whole, file)
        self._say(f"Wrote {path}")
        return path

    def _say(self, text: str) -> None:
        if self.verbose:
            print(text)

    def _update_surfaces(self, frame: int) -> None:
        scene, seen, count = self._scene, set(), dict[tuple[int, ...], int]()
        for geom in scene.geoms[: scene.ngeom]:
            # one element may have several shapes: a tendon has one for each piece
            key = (geom.objtype, geom.objid, geom.type, geom.matid)
            again = count.get(key, 0)
            count[key] = again + 1
            at = (*key, again)
            surface = self._surfaces.get(at)
            shape = None
            if surface is None or surface.needs_shape(geom):
                shape = of_geom(self.model, scene, geom)
            if surface is None:
                if shape is None:
                    continue
                surface = self._make_surface(geom, shape)
                self._surfaces[at] = surface
            surface.update(frame, geom, shape)
            seen.add(at)
        for known, surface in self._surfaces.items():
            if known not in seen:
                surface.show(frame, False)

    def _make_surface(self, geom: condyle.MjvGeom, shape: Shape) -> Surface:
        m = self.model
        kind = condyle.mju_type2Str(geom.objtype) or "decor"
        name = None
        if geom.objid >= 0 and kind != "decor":
            name = condyle.mj_id2name(m, geom.objtype, geom.objid)
        plain = first = Tf.MakeValidIdentifier(f"{name or kind}_id{geom.objid}_{kind}")
        count = 0
        while self.stage.GetPrimAtPath(f"/World/Mesh_Xform_{plain}"):
            count += 1
            plain = f"{first}_{count}"
        material = condyle.mj_id2name(m, condyle.mjtObj.mjOBJ_MATERIAL, max(0, geom.matid))
        special = self._special.get(material or "") if geom.matid >= 0 else None
        look = Look(self.stage, plain, m, geom, self._files, special)
        return Surface(self.stage, plain, shape, geom, look)

    def _load_special(self) -> dict[str, UsdShade.Material]:
        """Return the materials of the file of them, by their names."""
        if self.specialized_materials_file is None:
            return {}
        path = os.path.abspath(self.specialized_materials_file)
        try:
            other = Usd.Stage.Open(path)
        except Tf.ErrorException as error:
            raise ValueError(f"materials can't be read from {path}: {error}") from None
        found = {}
        for prim in other.Traverse():
            if prim.IsA(UsdShade.Material):
                own = self.stage.DefinePrim(f"/World/_materials/Special_{prim.GetName()}")
                own.GetReferences().AddReference(path, prim.GetPath())
                found[prim.GetName()] = UsdShade.Material(own)
        return found

    def _write_textures(self) -> dict[int, str]:
        """Write all images; returns where flat ones are, seen from the scene's file."""
        m, files = self.model, {}
        for number in range(m.ntex):
            name = f"texture_{number}.png"
            height, width = int(m.tex_height[number]), int(m.tex_width[number])
            channels, start = int(m.tex_nchannel[number]), int(m.tex_adr[number])
            size = height * width * channels
            if start < 0:
                try:
                    pixels = condyle.mj_loadTexture(m, number)[0]
                except ValueError as error:
                    self._say(f"Left out texture {number}: {error}")
                    continue
            else:
                pixels = m.tex_data[start : start + size].reshape(height, width, channels)
            if channels < 3:
                gray = np.repeat(pixels[:, :, :1], 3, 2)
                pixels = np.concatenate([gray, pixels[:, :, 1:]], 2)
            flat = m.tex_type[number] == condyle.mjtTexture.mjTEXTURE_2D
            # images of the engine begin with the lowest row
            pixels = np.ascontiguousarray(pixels[::-1] if flat else pixels)
            output.write_file(os.path.join(self.assets_directory, name), picture.png(pixels))
            if flat:
                files[number] = f"../assets/{name}"
        self._say(f"Wrote {m.ntex} images to {self.assets_directory}")
        return files


def _new_stage() -> Usd.Stage:
    stage = Usd.Stage.CreateInMemory()
    world = UsdGeom.Xform.Define(stage, "/World")
    stage.SetDefaultPrim(world.GetPrim())
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 1)
    stage.SetStartTimeCode(0)
    stage.SetTimeCodesPerSecond(_FRAMES_PER_SECOND)
    UsdGeom.Scope.Define(stage, Sdf.Path("/World/_materials"))
    return stage
