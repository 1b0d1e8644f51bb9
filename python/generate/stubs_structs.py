"""Writes _structs.pyi: the classes of plain structs, MjModel, MjData, their lists and views."""

from __future__ import annotations

import keyword
from pathlib import Path

from . import named
from .absent import absent_attributes, absent_of_contacts, absent_of_data, absent_of_view
from .annotations import array_of, attribute, base_of, docstring, head, method, number_types
from .computed import read_computed
from .declarations import Anonymous, Array, Field, Headers, Pointer, Struct
from .structs import ELSEWHERE, RENAMED, STRUCTS, PlainStruct, class_name

__all__ = ["STRUCT_CLASSES", "struct_classes", "write_struct_stubs"]

_LISTS = {
    "_MjContactList": ("mjContact", "The contacts of a data, as many as there are at the moment."),
    "_MjWarningStatList": ("mjWarningStat", "Warnings by mjtWarning."),
    "_CndWarningStatList": ("mjWarningStat", "Warnings by cndtWarning."),
    "_MjTimerStatList": ("mjTimerStat", "Times by mjtTimer."),
    "_MjSolverStatList": ("mjSolverStat", "Statistics by island and iteration."),
}

_VIEWS = [
    named.view_name(category, in_data)
    for category in named.CATEGORIES
    for in_data in ((False, True) if category.data else (False,))
]

# classes besides the plain structs
STRUCT_CLASSES = ["MjModel", "MjData", *_LISTS, *_VIEWS]

# fields of the model that are bytes or no attributes at all, and of both that belong to the engine
_BYTES = ("names", "text_data", "paths")
_INSIDE = frozenset({"buffer", "arena", "signature", *_BYTES})

# kinds of elements that have a category of another name (named.py)
_ELEMENTS = {"Hfield": "HField", "Keyframe": "Key"}

_MODEL = '''
    opt: MjOption
    """settings of the physics"""
    vis: MjVisual
    """settings of the picture"""
    stat: MjStatistic
    """sizes at qpos0 by which solvers and viewers scale"""
    _all_fields: ClassVar[tuple[str, ...]]
    _size_fields: ClassVar[tuple[str, ...]]
    _setconst_groups: ClassVar[tuple[str, ...]]
    _setconst_fields: ClassVar[dict[str, tuple[int, ...]]]
    _setconst_inputs: ClassVar[tuple[str, ...]]
    _setconst_outputs: ClassVar[tuple[str, ...]]
    _setconst_scalars: ClassVar[tuple[str, ...]]
    @property
    def names(self) -> bytes:
        """names of all objects, zero-terminated"""
    @property
    def text_data(self) -> bytes:
        """values of the custom texts, zero-terminated"""
    @property
    def paths(self) -> bytes:
        """paths of the assets, zero-terminated"""
    @property
    def _sizes(self) -> NDArray[np.int64]:
        """all sizes, in the order of _size_fields"""
    @staticmethod
    def from_xml_string(
        xml: str | bytes, assets: Mapping[str, bytes] | None = None, vfs: MjVfs | None = None
    ) -> MjModel:
        """Loads a model from MJCF or URDF text. assets, vfs: files by name."""
    @staticmethod
    def from_xml_path(
        filename: str | bytes | PathLike[str],
        assets: Mapping[str, bytes] | None = None,
        vfs: MjVfs | None = None,
    ) -> MjModel:
        """Loads a model from an MJCF or URDF file, or an archive. assets, vfs: files by name."""
    @staticmethod
    def from_binary_path(
        filename: str | bytes | PathLike[str],
        assets: Mapping[str, bytes] | None = None,
        vfs: MjVfs | None = None,
    ) -> MjModel:
        """Loads a model from a file in the binary format."""
    @staticmethod
    def _from_model_ptr(address: int) -> MjModel:
        """Wraps an mjModel by its address, and owns it from then on."""
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> MjModel: ...
'''

_DATA = '''
    contact: _MjContactList
    """the contacts, detected at the last collision"""
    warning: _MjWarningStatList
    """warnings by mjtWarning"""
    cnd_warning: _CndWarningStatList
    """warnings by cndtWarning, which MuJoCo has not"""
    timer: _MjTimerStatList
    """time spent by mjtTimer"""
    solver: _MjSolverStatList
    """statistics by island and iteration"""
    _all_fields: ClassVar[tuple[str, ...]]
    @property
    def model(self) -> MjModel:
        """the model it belongs to"""
    def __init__(self, model: MjModel) -> None: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> MjData: ...
'''

_OPTION = """    _all_fields: ClassVar[tuple[str, ...]]
    _float_fields: ClassVar[tuple[str, ...]]
    _floatarray_fields: ClassVar[tuple[str, ...]]
    _int_fields: ClassVar[tuple[str, ...]]
"""

# attributes and constructors of single structs
_SCENE = '''    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, model: MjModel | None, maxgeom: SupportsIndex) -> None: ...
    @property
    def maxgeom(self) -> int:
        """room for shapes"""
    @property
    def nflex(self) -> int:
        """number of flexes"""
    @property
    def nskin(self) -> int:
        """number of skins"""
    @property
    def geoms(self) -> tuple[MjvGeom, ...]:
        """all maxgeom shapes"""
'''
_RECT = """    def __init__(
        self,
        left: SupportsIndex,
        bottom: SupportsIndex,
        width: SupportsIndex,
        height: SupportsIndex,
    ) -> None: ...
"""
_CONTEXT = '''    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, model: MjModel, fontscale: SupportsIndex) -> None: ...
    def free(self) -> None:
        """Gives back what it holds; may be called twice."""
'''
_LOG_CONFIG = '''    @staticmethod
    def get() -> MjLogConfig:
        """A copy of the settings in force."""
    def set(self) -> None:
        """Puts these settings in force."""
'''
_LOG_MESSAGE = '''    @property
    def body(self) -> str | None:
        """more lines"""
    @property
    def func(self) -> str | None:
        """function that tells it"""
    @property
    def file(self) -> str | None:
        """its file"""
'''
_MORE = {
    "mjLogConfig": _LOG_CONFIG,
    "mjLogMessage": _LOG_MESSAGE,
    "mjOption": _OPTION,
    "mjvScene": _SCENE,
    "mjrRect": _RECT,
    "mjrContext": _CONTEXT,
}


def struct_classes(headers: Headers, render: bool = False) -> dict[str, str]:
    """Text of the classes of plain structs, by name: of those for rendering, or of the others."""
    return {
        class_name(plain.name): _plain(headers, plain)
        for plain in STRUCTS
        if plain.name.startswith("mjr") == render
    }


def write_struct_stubs(headers: Headers, computed: Path) -> str:
    """The text of _structs.pyi; ``computed`` is the table of later fields."""
    elements = sorted(f"Mjs{_ELEMENTS.get(c.name, c.name)}" for c in _bound())
    elements.insert(0, "MjVfs")
    text = head(
        "Classes of the engine's structs.",
        "from collections.abc import Iterator, Mapping, Sequence\n"
        "from os import PathLike\n"
        "from typing import Any, ClassVar, SupportsFloat, SupportsIndex, overload\n\n"
        "import numpy as np\n"
        "from numpy.typing import ArrayLike, NDArray\n\n"
        "from condyle._model.bind import BoundGroup\n"
        "from condyle._functions import mjv_averageCamera as mjv_averageCamera\n"
        "from condyle._functions import mjv_camera2GLCamera as mjv_camera2GLCamera\n"
        "from condyle._model.plain import MjPreContact as MjPreContact\n"
        "from condyle._model.plain import MjrRendererInfo as MjrRendererInfo\n"
        "from condyle._model.plain import MjrVertexAttribute as MjrVertexAttribute\n"
        "from condyle._render import MjrRect as MjrRect\n"
        f"from condyle._specs import {', '.join(elements)}",
    )
    text += "".join(struct_classes(headers).values())
    for name, (element, doc) in _LISTS.items():
        text += _list(name, headers.structs[element], doc)
    for category in named.CATEGORIES:
        for in_data in (False, True) if category.data else (False,):
            text += _view(headers, category, in_data)
    later = read_computed(computed, headers)
    for in_data in (False, True):
        name = "MjData" if in_data else "MjModel"
        doc = "State, inputs and results of a simulation of a model."
        text += f"\nclass {name}:\n" + docstring(doc if in_data else "A compiled model.", 4)
        text += _fields(headers.structs[f"mj{name[2:]}"], in_data)
        for row in later:
            if row.in_data == in_data:
                reads = number_types(row.type)[0] if row.is_number else array_of(row.type)
                text += attribute(row.name, reads, None, row.doc)
        if in_data:
            known = {field.name for field in headers.structs["mjData"].fields}
            text += absent_of_data(known | {row.name for row in later})
        text += (_DATA if in_data else _MODEL).lstrip("\n")
        for inside in ("signature", "_address"):
            text += attribute(inside, "int", None, "")
        text += _accesses(in_data)
    return text


def _plain(headers: Headers, plain: PlainStruct) -> str:
    struct = headers.structs[plain.name]
    text = f"\nclass {class_name(plain.name)}:\n" + docstring(plain.doc, 4)
    for field in struct.fields:
        if isinstance(field.type, Anonymous):
            text += f"    class {field.name.capitalize()}:\n"
            text += "".join(_member(plain.name, inner, 8) for inner in field.type.fields)
            text += _copies(field.name.capitalize(), 8)
    for field in struct.fields:
        text += _member(plain.name, field, 4)
    text += absent_attributes(class_name(plain.name), {field.name for field in struct.fields})
    text += _MORE.get(plain.name, "")
    if plain.constructible and plain.name not in ("mjvScene",):
        text += method("__init__", ["self"], "None")
    if plain.name != "mjrContext":
        text += _copies(class_name(plain.name), 4)
    return text


def _copies(name: str, indent: int) -> str:
    nested = "Any" if indent > 4 else name
    return method("__copy__", ["self"], nested, indent=indent) + method(
        "__deepcopy__", ["self", "memo: dict[int, Any]", "/"], nested, indent=indent
    )


def _member(struct: str, field: Field, indent: int) -> str:
    if field.private or not field.name or field.name in ELSEWHERE.get(struct, ()):
        return ""
    name = RENAMED.get(field.name, field.name)
    base = base_of(field.type)
    if isinstance(field.type, Anonymous):
        return attribute(name, field.name.capitalize(), None, field.doc, indent)
    if isinstance(field.type, Pointer):
        if base.startswith("mj") or struct not in ("mjvScene", "mjrContext"):
            return ""
        assigns = "ArrayLike" if struct == "mjvScene" else None
        return attribute(name, array_of(base), assigns, field.doc, indent)
    if isinstance(field.type, Array):
        if base == "char":
            texts = len(field.type.extents) > 1
            reads, assigns = ("NDArray[np.bytes_]", None) if texts else ("str", "str | bytes")
            return attribute(name, reads, assigns, field.doc, indent)
        if _is_struct(base):
            return attribute(name, f"tuple[{class_name(base)}, ...]", None, field.doc, indent)
        return attribute(name, array_of(base), "ArrayLike", field.doc, indent)
    if _is_struct(base):
        return attribute(name, class_name(base), None, field.doc, indent)
    return attribute(name, *number_types(base), field.doc, indent)


def _is_struct(base: str) -> bool:
    return any(base == plain.name for plain in STRUCTS)


def _list(name: str, element: Struct, doc: str) -> str:
    item = class_name(element.name)
    text = f"\nclass {name}:\n{docstring(doc, 4)}"
    text += method("__len__", ["self"], "int")
    text += method("__iter__", ["self"], f"Iterator[{item}]")
    text += method("__getitem__", ["self", "key: SupportsIndex", "/"], item, mark="overload")
    text += method("__getitem__", ["self", "key: slice", "/"], name, mark="overload")
    for field in element.fields:
        if not field.private:
            text += attribute(field.name, array_of(base_of(field.type)), None, field.doc)
    if name == "_MjContactList":
        text += absent_of_contacts({field.name for field in element.fields})
    return text


def _fields(struct: Struct, in_data: bool) -> str:
    text = ""
    for field in struct.fields:
        base = base_of(field.type)
        if field.private or field.name in _INSIDE or keyword.iskeyword(field.name):
            continue
        if _is_struct(base) or base == "void":
            continue
        if isinstance(field.type, Array | Pointer):
            # arrays of the arena come and go: they are assigned by item
            arena = in_data and field.arena
            text += attribute(field.name, array_of(base), None if arena else "ArrayLike", field.doc)
        else:
            reads, assigns = number_types(base)
            text += attribute(field.name, reads, assigns if in_data else None, field.doc)
    return text


def _view(headers: Headers, category: named.Category, in_data: bool) -> str:
    where = "data" if in_data else "a model"
    text = f"\nclass {named.view_name(category, in_data)}:\n"
    text += docstring(f"Fields of one {category.methods[0]} in {where}.", 4)
    text += attribute("id", "int", None, "its index") + attribute("name", "str", None, "its name")
    for item in named.items(headers, category, in_data):
        array = array_of(base_of(item.field.type))
        text += attribute(item.name, array, "ArrayLike", item.field.doc)
    if in_data:
        text += absent_of_view(category.name)
    return text


def _bound() -> list[named.Category]:
    """Categories whose elements bind takes: those of specs."""
    return [c for c in named.CATEGORIES if c.name not in ("Plugin",)]


def _accesses(in_data: bool) -> str:
    text = ""
    doc = "The object of that index or name, with its fields as attributes."
    for category in named.CATEGORIES:
        if category.data or not in_data:
            view = named.view_name(category, in_data)
            for name in category.methods:
                text += method(name, ["self", "name: SupportsIndex | str | bytes"], view, doc)
    for name in ("bind_scalar", "bind"):
        argument = "spec" if name == "bind_scalar" else "specs"
        for category in _bound():
            if category.data or not in_data:
                element = f"Mjs{_ELEMENTS.get(category.name, category.name)}"
                view = named.view_name(category, in_data)
                text += method(name, ["self", f"{argument}: {element}"], view, mark="overload")
    arguments = ["self", "specs: Sequence[Any]"]
    doc = "Several objects as one: attributes are lists, in their order."
    return text + method("bind", arguments, "BoundGroup", doc, mark="overload")
