"""Writes _specs.pyi: MjSpec, its elements with their attributes and methods, and vectors of them.

Attributes and the keywords of ``add_...`` come from mjspec.h; other methods stand here.
"""

from __future__ import annotations

from .absent import absent_attributes, absent_enums
from .annotations import array_of, attribute, base_of, docstring, head, method, number_types
from .declarations import Array, Field, Headers, Pointer
from .spec import ADDED, CHILDREN, ELEMENTS, LOOKUPS
from .structs import RENAMED, class_name

__all__ = ["SPEC_CLASSES", "write_spec_stubs"]

# vectors: class -> type of its items, and of what may be put in
_VECTORS = {
    "MjDoubleVec": ("float", "SupportsFloat"),
    "MjFloatVec": ("float", "SupportsFloat"),
    "MjIntVec": ("int", "SupportsIndex"),
    "MjStringVec": ("str", "str | bytes"),
    "MjByteVec": ("int", "SupportsIndex"),
    "MjCharVec": ("str", "str | bytes"),
}
# C types of members that are vectors: what is read, what is assigned
_MEMBERS = {
    "mjString": ("str", "str | bytes"),
    "mjDoubleVec": ("MjDoubleVec", "Collection[SupportsFloat] | MjDoubleVec"),
    "mjFloatVec": ("MjFloatVec", "Collection[SupportsFloat] | MjFloatVec"),
    "mjIntVec": ("MjIntVec", "Collection[SupportsIndex] | MjIntVec"),
    "mjStringVec": ("MjStringVec", "Collection[str | bytes] | MjStringVec"),
    "mjByteVec": ("MjByteVec", "Buffer"),
    "mjIntVecVec": ("list[list[int]]", "Iterable[Collection[SupportsIndex]]"),
    "mjFloatVecVec": ("list[list[float]]", "Iterable[Collection[SupportsFloat]]"),
}

SPEC_CLASSES = [
    "MjSpec",
    "MjsElement",
    *_VECTORS,
    *(class_name(name) for name in ELEMENTS),
]

# keywords that stand for an orientation
_ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")

_WITH_CLASS = frozenset(
    "mjsBody mjsGeom mjsJoint mjsSite mjsCamera mjsLight mjsMaterial mjsMesh mjsTexture mjsPair "
    "mjsEquality mjsActuator".split()
)

_ELEMENT = '''
class MjsElement:
    """What all elements of a spec have."""
    @property
    def name(self) -> str:
        """its name, '' if it has none"""
    @name.setter
    def name(self, value: str | bytes) -> None: ...
    @property
    def id(self) -> int:
        """its index in the model, -1 before"""
    @property
    def signature(self) -> int:
        """of the spec when compiled"""
    @property
    def compiler(self) -> MjsCompiler:
        """settings of the spec where it was made"""
'''

_PLUGIN = '''    @property
    def config(self) -> dict[str, str]:
        """its configuration, a copy"""
    @config.setter
    def config(self, value: Mapping[str, str]) -> None: ...
'''

_DEFAULT = '''    @property
    def name(self) -> str:
        """its name"""
    @name.setter
    def name(self, value: str | bytes) -> None: ...
'''

_BODY = '''    def add_freejoint(
        self, *, align: SupportsIndex = ..., group: SupportsIndex = ..., name: str | bytes = ...
    ) -> MjsJoint:
        """Adds a free joint."""
    def find_all(self, type: SupportsIndex | str) -> list[Any]:
        """All elements of a type in this body and those below."""
    def find_child(self, name: str | bytes) -> MjsBody | None:
        """The body of that name below this one, or None."""
    def to_frame(self) -> MjsFrame:
        """Turns it into a frame of its parent."""
    def attach_frame(
        self, frame: MjsFrame, prefix: str | None = None, suffix: str | None = None
    ) -> MjsFrame:
        """Attaches a frame with all in it."""
    def make_flex(
        self,
        name: str | bytes,
        type: str | None = None,
        dim: SupportsIndex = 3,
        dof: str | None = None,
        count: ArrayLike | None = None,
        cellcount: ArrayLike | None = None,
        spacing: ArrayLike | None = None,
        scale: ArrayLike | None = None,
        radius: SupportsFloat = 0.0,
        mass: SupportsFloat = 1.0,
        inertiabox: SupportsFloat = 0.005,
        equality: SupportsIndex = 0,
        rigid: bool = False,
        flatskin: bool = False,
        elastic2d: SupportsIndex = 0,
        pos: ArrayLike | None = None,
        quat: ArrayLike | None = None,
        origin: ArrayLike | None = None,
        file: str | None = None,
        mesh: str | None = None,
    ) -> MjsFlex:
        """Adds a flex with its bodies, as <flexcomp> does."""
'''

_ATTACHES = '''    def attach_body(
        self, body: MjsBody, prefix: str | None = None, suffix: str | None = None
    ) -> MjsBody:
        """Attaches a body with all in it."""
'''

_MESH = '''    def make_sphere(self, subdivision: SupportsIndex) -> None:
        """Makes it a sphere."""
    def make_hemisphere(self, resolution: SupportsIndex) -> None:
        """Makes it half a sphere."""
    def make_cone(self, nedge: SupportsIndex, radius: SupportsFloat) -> None:
        """Makes it a cone, cut off at a radius."""
    def make_supersphere(
        self, resolution: SupportsIndex, e: SupportsFloat, n: SupportsFloat
    ) -> None:
        """Makes it a superellipsoid."""
    def make_supertorus(
        self, resolution: SupportsIndex, radius: SupportsFloat, s: SupportsFloat, t: SupportsFloat
    ) -> None:
        """Makes it a supertorus."""
    def make_wedge(
        self, resolution: ArrayLike = ..., fov: ArrayLike = ..., gamma: SupportsFloat = 0.0
    ) -> None:
        """Makes it a part of a sphere, as a tactile sensor sees."""
    def make_plate(self, resolution: ArrayLike = ...) -> None:
        """Makes it a plate."""
    def make_grid(self, count: ArrayLike, spacing: ArrayLike, dim: SupportsIndex = 3) -> None:
        """Makes it a lattice, solid or (dim 2) a sheet."""
    def make_box(self, count: ArrayLike, spacing: ArrayLike, dim: SupportsIndex = 3) -> None:
        """Makes it a box, solid or (dim 2) open at the top."""
    def make_cylinder(self, count: ArrayLike, spacing: ArrayLike, dim: SupportsIndex = 3) -> None:
        """Makes it a cylinder, as make_box."""
    def make_ellipsoid(self, count: ArrayLike, spacing: ArrayLike, dim: SupportsIndex = 3) -> None:
        """Makes it an ellipsoid, as make_box."""
    def make_square(self, count: ArrayLike, spacing: ArrayLike) -> None:
        """Makes it a flat square."""
    def make_disc(self, count: ArrayLike, spacing: ArrayLike) -> None:
        """Makes it a flat disc."""
'''

_SERVO = '''    def {name}(
        self,
        kp: SupportsFloat,
        kv: SupportsFloat = -1.0,
        dampratio: SupportsFloat = -1.0,
        timeconst: SupportsFloat = -1.0,
        inheritrange: bool = False,
    ) -> None:
        """Makes it a servo. -1: not given."""
'''

_ACTUATOR = (
    '''    def set_to_motor(self) -> None:
        """Makes it a motor."""
'''
    + _SERVO.format(name="set_to_position")
    + _SERVO.format(name="set_to_intvelocity")
    + '''    def set_to_velocity(self, kv: SupportsFloat) -> None:
        """Makes it a velocity servo."""
    def set_to_damper(self, kv: SupportsFloat) -> None:
        """Makes it a damper."""
    def set_to_adhesion(self, gain: SupportsFloat) -> None:
        """Makes it an adhesion actuator."""
    def set_to_cylinder(
        self,
        timeconst: SupportsFloat,
        bias: SupportsFloat,
        area: SupportsFloat,
        diameter: SupportsFloat = -1.0,
    ) -> None:
        """Makes it a cylinder."""
    def set_to_muscle(
        self,
        timeconst: SupportsFloat | ArrayLike = ...,
        tausmooth: SupportsFloat = 0.0,
        range: ArrayLike = ...,
        force: SupportsFloat = -1.0,
        scale: SupportsFloat = -1.0,
        lmin: SupportsFloat = -1.0,
        lmax: SupportsFloat = -1.0,
        vmax: SupportsFloat = -1.0,
        fpmax: SupportsFloat = -1.0,
        fvmax: SupportsFloat = -1.0,
    ) -> None:
        """Makes it a muscle. -1: not given."""
    def set_to_pid(
        self,
        kp: SupportsFloat,
        kv: SupportsFloat = -1.0,
        dampratio: SupportsFloat = -1.0,
        ki: SupportsFloat = -1.0,
        imax: SupportsFloat = -1.0,
        slewmax: SupportsFloat = -1.0,
        inheritrange: SupportsFloat = 0.0,
        ctrlspec: int = 0,
    ) -> None:
        """Makes it a controller. -1: not given."""
    def set_to_orientation(
        self,
        kp: SupportsFloat,
        kv: SupportsFloat = -1.0,
        dampratio: SupportsFloat = -1.0,
        ctrlspec: int = 0,
    ) -> None:
        """Makes it a servo of an orientation. -1: not given."""
    def set_to_dcmotor(
        self,
        motorconst: ArrayLike,
        resistance: SupportsFloat,
        nominal: ArrayLike = ...,
        saturation: ArrayLike = ...,
        inductance: ArrayLike = ...,
        cogging: ArrayLike = ...,
        controller: ArrayLike = ...,
        thermal: ArrayLike = ...,
        lugre: ArrayLike = ...,
        ctrlspec: int = 0,
    ) -> None:
        """Makes it a direct-current motor."""
'''
)

_TENDON = '''    @property
    def path(self) -> MjsTendonPath:
        """Its stations."""
    def wrap_site(self, name: str | bytes) -> MjsWrap:
        """Adds a site to its path."""
    def wrap_geom(self, name: str | bytes, sidesite: str | None = None) -> MjsWrap:
        """Adds a geom to its path."""
    def wrap_joint(self, name: str | bytes, coef: SupportsFloat) -> MjsWrap:
        """Adds a joint."""
    def wrap_pulley(self, divisor: SupportsFloat) -> MjsWrap:
        """Adds a pulley."""
    def default(self) -> MjsDefault | None:
        """Its default class."""
'''

_WRAP = '''    @property
    def target(self) -> MjsJoint | MjsSite | MjsGeom | None:
        """What it touches."""
    @property
    def sidesite(self) -> MjsSite | None:
        """The site on whose side it passes a geom."""
    @property
    def divisor(self) -> float:
        """Of a pulley."""
    @property
    def coef(self) -> float:
        """Of a joint."""
'''

_SENSOR = '''    def get_data_size(self) -> int:
        """Numbers that it gives."""
'''

_METHODS = {
    "mjsPlugin": _PLUGIN,
    "mjsDefault": _DEFAULT,
    "mjsBody": _BODY,
    "mjsFrame": _ATTACHES,
    "mjsSite": _ATTACHES,
    "mjsMesh": _MESH,
    "mjsActuator": _ACTUATOR,
    "mjsTendon": _TENDON,
    "mjsWrap": _WRAP,
    "mjsSensor": _SENSOR,
}

_SPEC = '''    override_assets: bool
    """files of attached specs replace those of the same name"""
    @property
    def _address(self) -> int: ...
    @property
    def _signature(self) -> int: ...
    @property
    def _copies(self) -> bool: ...
    @property
    def assets(self) -> dict[str, bytes | str]:
        """files for compiling, by name; assigned ones are added"""
    @assets.setter
    def assets(self, value: Mapping[str, bytes | str]) -> None: ...
    @property
    def timer(self) -> NDArray[np.float64]:
        """seconds that the last compilation took, by mjtCTimer; a copy"""
    @property
    def diagnostics(self) -> list[Diagnostic]:
        """errors and warnings of the last reading or compilation"""
    @property
    def parent(self) -> MjSpec | None:
        """the spec that this one was attached to"""
    @property
    def copy_during_attach(self) -> NoReturn:
        """attach copies; can only be assigned"""
    @copy_during_attach.setter
    def copy_during_attach(self, value: bool) -> None: ...
    @property
    def default(self) -> MjsDefault:
        """the main class"""
    @property
    def worldbody(self) -> MjsBody:
        """the world"""
    @property
    def meshdir(self) -> str:
        """directory of meshes"""
    @meshdir.setter
    def meshdir(self, value: str | bytes) -> None: ...
    @property
    def texturedir(self) -> str:
        """directory of textures"""
    @texturedir.setter
    def texturedir(self, value: str | bytes) -> None: ...
    def __init__(self) -> None: ...
    @staticmethod
    def from_string(
        xml: str | bytes,
        include: Mapping[str, bytes | str] | None = None,
        assets: Mapping[str, bytes | str] | None = None,
        vfs: MjVfs | None = None,
    ) -> MjSpec:
        """Reads a spec from MJCF or URDF text."""
    @staticmethod
    def from_file(
        filename: str | bytes | PathLike[str],
        include: Mapping[str, bytes | str] | None = None,
        assets: Mapping[str, bytes | str] | None = None,
        vfs: MjVfs | None = None,
    ) -> MjSpec:
        """Reads a spec from a file, or from an archive (.mjz, .zip)."""
    @staticmethod
    def from_zip(file: str | PathLike[str] | IO[bytes]) -> MjSpec:
        """Reads a spec from a zip file: its .xml is the model, the others are assets."""
    @staticmethod
    def _from_robot(
        path: str | PathLike[str],
        floating: int,
        actuators: str | None,
        visuals: bool,
        exclude: str,
        simplify: bool,
        scene: bool,
        packages: list[str],
        xacro: list[str],
        program: str | None,
    ) -> MjSpec: ...
    @staticmethod
    def resolve_orientation(
        degree: bool, sequence: MjCharVec | str | None = None, *, orientation: MjsOrientation
    ) -> list[float]:
        """The quaternion of an orientation."""
    def to_zip(self, file: str | PathLike[str] | IO[bytes]) -> None:
        """Writes it and its assets to a zip file."""
    def encode(
        self,
        filename: str | bytes | PathLike[str],
        model: MjModel | None = None,
        content_type: str | None = None,
    ) -> int:
        """Writes it as MJCF (.xml) or with its files as an archive (.mjz, .zip), or the model
        (.mjb, .txt); returns the length of the file."""
    def compile(self, vfs: MjVfs | None = None) -> MjModel:
        """Compiles it to an MjModel."""
    def recompile(
        self, model: MjModel, data: MjData, vfs: MjVfs | None = None
    ) -> tuple[MjModel, MjData]:
        """Compiles it to a new MjModel and MjData with the state of the given ones."""
    def fuse_static(self, vfs: MjVfs | None = None) -> int:
        """Turns static bodies into frames of their parents; returns how many."""
    def discard_visual(self, vfs: MjVfs | None = None) -> int:
        """Deletes what is only seen; returns how many elements."""
    def dedup_assets(self) -> int:
        """Merges equal meshes and textures; returns how many are gone."""
    def adopt_inertial(self, body: MjsBody, vfs: MjVfs | None = None) -> None:
        """Makes the mass of a body that follows from its geoms explicit."""
    def copy_back(self, model: MjModel) -> None:
        """Takes the numbers of a changed model over."""
    def to_xml(self) -> str:
        """Compiles it, and returns it as MJCF text."""
    def to_file(self, filename: str | bytes | PathLike[str]) -> None:
        """Writes it, as last compiled, to an MJCF file."""
    def copy(self) -> MjSpec:
        """An independent copy."""
    def __copy__(self) -> MjSpec: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> MjSpec: ...
    def find_default(self, name: str | bytes) -> MjsDefault | None:
        """The default class of that name, or None."""
    def delete(self, element: MjsElement | MjsDefault) -> None:
        """Deletes an element, and what refers to it."""
    def activate_plugin(self, name: str | bytes) -> None:
        """Lets elements use a registered plugin."""
    def add_default(self, name: str | bytes, parent: MjsDefault | None) -> MjsDefault | None:
        """Adds a default class; None if the name is taken."""
    def attach(
        self,
        child: MjSpec,
        prefix: str | None = None,
        suffix: str | None = None,
        site: MjsSite | str | None = None,
        frame: MjsFrame | str | None = None,
    ) -> MjsFrame:
        """Attaches the content of another spec to a site or a frame; returns its new frame."""
    def _attach(
        self, to: MjsElement, child: MjSpec, prefix: str | None, suffix: str | None
    ) -> MjsFrame: ...
    def _owns(self, element: MjsElement) -> bool: ...
'''


_VFS = '''
class MjVfs:
    """Files in memory, for loading and compiling."""
    def __init__(self) -> None: ...
    def __setitem__(self, name: str, data: Buffer) -> None:
        """Adds a file."""
    def __delitem__(self, name: str) -> None:
        """Takes a file out."""
    def __contains__(self, name: str) -> bool:
        """Is there a file of exactly this name?"""
    def close(self) -> None:
        """Drops all files; may be called again."""
    def __enter__(self) -> MjVfs: ...
    def __exit__(self, *args: object) -> None: ...
'''


def write_spec_stubs(headers: Headers) -> str:
    """The text of _specs.pyi."""
    shown = ", ".join(f"{name} as {name}" for name in ("MjOption", "MjStatistic", "MjVisual"))
    enums = sorted(_enums(headers))
    text = head(
        "Models that can be edited: MjSpec and its elements.",
        "from collections.abc import Collection, Iterable, Iterator, Mapping\n"
        "from os import PathLike\n"
        "from typing import IO, Any, NoReturn, SupportsFloat, SupportsIndex, TypeAlias\n"
        "from typing import overload\n\n"
        "import numpy as np\n"
        "from numpy.typing import ArrayLike, DTypeLike, NDArray\n"
        "from typing_extensions import Buffer\n\n"
        "from condyle._model.diagnostic import Diagnostic\n"
        f"from condyle._enums import {', '.join(enums)}\n"
        f"from condyle._structs import MjData, MjLROpt, MjModel, {shown}\n"
        "from condyle._model.path import MjsTendonPath as MjsTendonPath\n"
        "from condyle._model.zip import from_zip as from_zip, to_zip as to_zip\n\n"
        "MjVisualHeadlight = MjVisual.Headlight\n"
        "MjVisualRgba = MjVisual.Rgba",
    )
    for name, (item, accepts) in _VECTORS.items():
        text += _vector(name, item, accepts)
    text += _ELEMENT + _VFS
    for name in [*ELEMENTS, "mjSpec"]:
        text += _class(headers, name)
    union = " | ".join(class_name(name) for name, kind in ELEMENTS.items() if _in_union(name, kind))
    return text + f"\nMjStruct: TypeAlias = {union}\n"


def _in_union(name: str, kind: str) -> bool:
    return bool(kind) and name not in ("mjsWrap", "mjsDefault")


def _enums(headers: Headers) -> set[str]:
    fields = [field for name in ELEMENTS for field in headers.structs[name].fields]
    known = {base_of(f.type) for f in fields if base_of(f.type) in headers.enums}
    return known | absent_enums(known) | {"mjtProjection"}


def _vector(name: str, item: str, accepts: str) -> str:
    text = f"\nclass {name}:\n" + docstring("Looks its items up in the element at each access.", 4)
    text += method("__len__", ["self"], "int")
    text += method("__iter__", ["self"], f"Iterator[{item}]")
    text += method("__getitem__", ["self", "key: SupportsIndex", "/"], item, mark="overload")
    text += method("__getitem__", ["self", "key: slice", "/"], f"list[{item}]", mark="overload")
    text += method("__setitem__", ["self", "key: SupportsIndex", f"value: {accepts}", "/"], "None")
    if name != "MjCharVec":
        text += method("append", ["self", f"item: {accepts}", "/"], "None", "Adds an item.")
    arguments = ["self", "dtype: DTypeLike | None = None", "copy: bool | None = None"]
    return text + method("__array__", arguments, "NDArray[Any]")


def _class(headers: Headers, name: str) -> str:
    struct = headers.structs[name]
    element = ELEMENTS.get(name, "") not in ("", "mjOBJ_UNKNOWN", "mjOBJ_DEFAULT")
    base = "(MjsElement)" if element else ""
    doc = struct.doc[:1].upper() + struct.doc[1:] + "."
    text = f"\nclass {class_name(name)}{base}:\n" + docstring(doc, 4)
    for field in struct.fields:
        if field.name == "element" or (name == "mjsPlugin" and field.name == "name"):
            continue
        reads, assigns = _types(headers, field)
        text += attribute(RENAMED.get(field.name, field.name), reads, assigns, field.doc)
    text += absent_attributes(class_name(name), {field.name for field in struct.fields})
    if name == "mjsCamera" and "proj" not in {field.name for field in struct.fields}:
        text += attribute("proj", "mjtProjection", "SupportsIndex", "perspective or orthographic")
    if name in _WITH_CLASS:
        text += attribute("classname", "MjsDefault", "MjsDefault", "its default class")
    if name in CHILDREN:
        text += attribute("parent", "MjsBody", None, "the body around it")
        text += attribute("frame", "MjsFrame | None", None, "the frame around it, or None")
        doc = "Moves it into a frame of its body."
        text += method("set_frame", ["self", "frame: MjsFrame"], "None", doc)
    text += _METHODS.get(name, "")
    if name == "mjsBody":
        text += _children(headers)
    if name == "mjsFrame":
        text += _additions(headers, of_body=True)
    if name == "mjSpec":
        text += _SPEC + _lookups() + _additions(headers, of_body=False)
    return text


def _types(headers: Headers, field: Field) -> tuple[str, str | None]:
    """What an attribute is when read, and what may be assigned (None: nothing)."""
    base = base_of(field.type)
    if base in _MEMBERS:
        return _MEMBERS[base]
    if isinstance(field.type, Array):
        return ("MjCharVec", "Iterable[str]") if base == "char" else (array_of(base), "ArrayLike")
    if base in headers.enums:
        return base, "SupportsIndex"
    if isinstance(field.type, Pointer):
        return class_name(base), None
    if base.startswith("mjs"):
        fixed = base in ("mjsCompiler", "mjsAuthored")
        return class_name(base), None if fixed else class_name(base)
    if base in headers.structs:
        return class_name(base), None
    return number_types(base)


def _children(headers: Headers) -> str:
    text = ""
    for name in CHILDREN:
        lookup, plural = LOOKUPS[name]
        found = f"{class_name(name)} | None"
        text += attribute(plural, f"list[{class_name(name)}]", None, "those in this body")
        text += method(f"first_{lookup}", ["self"], found, "The first one in this body, or None.")
        arguments = ["self", f"child: {class_name(name)}"]
        doc = "The one after `child` in this body, or None."
        text += method(f"next_{lookup}", arguments, found, doc)
    return text + _additions(headers, of_body=True)


def _lookups() -> str:
    text = ""
    for name, (lookup, plural) in LOOKUPS.items():
        doc = "The element of that name, or None."
        arguments = ["self", "name: str | bytes"]
        text += method(lookup, arguments, f"{class_name(name)} | None", doc)
        text += attribute(plural, f"list[{class_name(name)}]", None, "all of them, a new list")
    return text


def _additions(headers: Headers, of_body: bool) -> str:
    """The methods add_x of bodies or of specs."""
    text = ""
    for name, (in_body, has_class) in ADDED.items():
        if in_body != of_body:
            continue
        arguments = ["self"]
        if has_class:
            # a frame's is the frame around it
            kind = "MjsFrame" if name == "mjsFrame" else "MjsDefault"
            arguments.append(f"default: {kind} | None = None")
        arguments += _keywords(headers, name)
        lookup = LOOKUPS[name][0]
        text += method(f"add_{lookup}", arguments, class_name(name), f"Adds a {lookup}.")
    return text


def _keywords(headers: Headers, name: str) -> list[str]:
    words = ["name: str | bytes | None = None"]
    for field in headers.structs[name].fields:
        base = base_of(field.type)
        if field.name == "element" or (name == "mjsPlugin" and field.name == "name"):
            continue
        if base == "mjsOrientation":
            prefix = field.name.removesuffix("alt")
            words += [f"{prefix}{word}: ArrayLike | None = None" for word in _ORIENTATIONS]
            continue
        accepts = _types(headers, field)[1]
        if accepts:
            words.append(f"{field.name}: {accepts} | None = None")
    return words
