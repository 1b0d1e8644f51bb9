"""Writes stubs of what is compiled or made at run time: functions, classes of structs, enums.

The attributes of MjModel and MjData come from the tables in the headers, with their meaning as
comment; named access and other hand-written parts stand in ``_HAND_WRITTEN``.
"""

from __future__ import annotations

import keyword

from .functions import bindings
from .headers import Anonymous, Array, Field, Headers, Named, Pointer, Struct
from .structs import RENAMED, STRUCTS, class_name

__all__ = ["write_enum_stubs", "write_function_stubs", "write_struct_stubs"]

_HEAD = '''"""{title} Written by python/generate/stubs.py."""

from __future__ import annotations

'''

_DTYPES = {
    "mjtNum": "np.float64",
    "double": "np.float64",
    "float": "np.float32",
    "int": "np.int32",
    "mjtByte": "np.uint8",
    "unsigned char": "np.uint8",
    "char": "np.int8",
    "unsigned int": "np.uint32",
    "uintptr_t": "np.uint64",
    "uint64_t": "np.uint64",
    "mjtSize": "np.uint64",
    "size_t": "np.uint64",
}

_FLOATS = {"mjtNum", "double", "float"}

# methods of the classes that are written by hand in python/src
_MODEL = """
    opt: MjOption
    vis: MjVisual
    stat: MjStatistic
    names: bytes
    text_data: bytes
    paths: bytes
    signature: int
    _address: int
    _all_fields: tuple[str, ...]
    _size_fields: tuple[str, ...]
    _sizes: NDArray[np.int64]
    @staticmethod
    def from_xml_string(
        xml: str | bytes, assets: Mapping[str, bytes] | None = None
    ) -> MjModel: ...
    @staticmethod
    def from_xml_path(
        filename: str | PathLike[str], assets: Mapping[str, bytes] | None = None
    ) -> MjModel: ...
    @staticmethod
    def from_binary_path(
        filename: str | PathLike[str], assets: Mapping[str, bytes] | None = None
    ) -> MjModel: ...
    @staticmethod
    def _from_model_ptr(address: int) -> MjModel: ...
    def bind(self, elements: Any) -> Any: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> MjModel: ...
"""

_DATA = """
    contact: _MjContactList
    warning: _MjWarningStatList
    timer: _MjTimerStatList
    solver: _MjSolverStatList
    model: MjModel
    signature: int
    _address: int
    _all_fields: tuple[str, ...]
    def __init__(self, model: MjModel) -> None: ...
    def bind(self, elements: Any) -> Any: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> MjData: ...
"""

_NAMED_BOTH = (
    "body joint jnt geom site camera cam light actuator sensor tendon ten equality eq".split()
)
_NAMED_MODEL = (
    "material mat texture tex keyframe key mesh skin flex hfield pair exclude numeric text tuple "
    "plugin_instance".split()
)

_LISTS = (
    ("_MjContactList", "mjContact"),
    ("_MjWarningStatList", "mjWarningStat"),
    ("_MjTimerStatList", "mjTimerStat"),
    ("_MjSolverStatList", "mjSolverStat"),
)


def write_enum_stubs(headers: Headers) -> str:
    """The text of _enums.pyi."""
    text = _HEAD.format(title="Enums of the engine.")
    text += "from condyle._enum import EngineEnum\n"
    for enum in headers.enums.values():
        if not enum.name or enum.name.startswith("cndSeverity"):
            continue
        text += f"\nclass {enum.name}(EngineEnum):\n"
        for value in enum.values:
            comment = f"  # {value.doc}" if value.doc else ""
            text += f"    {value.name} = {value.value}{comment}\n"
    return text


def write_function_stubs(headers: Headers) -> str:
    """The text of _functions.pyi."""
    text = _HEAD.format(title="The functions of the C interface.")
    text += (
        "from typing import Any\n\n"
        "from numpy.typing import ArrayLike, NDArray\n\n"
        "from condyle._structs import *  # noqa: F403\n"
    )
    text += "\ndef __getattr__(name: str) -> Any: ...\n"
    text += "def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None: ...\n"
    for binding in bindings(headers):
        signature = binding.signature.replace("NDArray", "NDArray[Any]")
        text += f"def {signature}: ...\n"
    return text


def write_struct_stubs(headers: Headers) -> str:
    """The text of _structs.pyi."""
    text = _HEAD.format(title="Classes of the engine's structs.")
    text += (
        "from collections.abc import Iterator, Mapping\n"
        "from os import PathLike\n"
        "from typing import Any, overload\n\n"
        "import numpy as np\nfrom numpy.typing import NDArray\n"
    )
    for plain in STRUCTS:
        struct = headers.structs[plain.name]
        text += f"\nclass {class_name(plain.name)}:\n"
        for field in struct.fields:
            if isinstance(field.type, Anonymous):
                text += f"    class {field.name.capitalize()}:\n"
                text += "".join(_member(plain.name, inner, 8) for inner in field.type.fields)
        for field in struct.fields:
            text += _member(plain.name, field, 4)
    for name, element in _LISTS:
        text += _list(name, headers.structs[element])
    text += "\nclass MjModel:\n" + _attributes(headers.structs["mjModel"]) + _MODEL
    text += _named(_NAMED_BOTH + _NAMED_MODEL)
    text += "\nclass MjData:\n" + _attributes(headers.structs["mjData"]) + _DATA
    return text + _named(_NAMED_BOTH)


def _comment(field: Field) -> str:
    return f"  # {field.doc}" if field.doc else ""


def _member(struct: str, field: Field, indent: int) -> str:
    if field.private or isinstance(field.type, Pointer) or not field.name:
        return ""
    name = RENAMED.get(field.name, field.name)
    blanks = " " * indent
    if isinstance(field.type, Anonymous):
        return f"{blanks}{name}: {field.name.capitalize()}\n"
    inner = field.type.inner if isinstance(field.type, Array) else field.type
    while isinstance(inner, Array):
        inner = inner.inner
    base = inner.name if isinstance(inner, Named) else "Any"
    if isinstance(field.type, Array):
        if base == "char":
            kind = "str" if len(field.type.extents) == 1 else "NDArray[np.bytes_]"
        elif base in _DTYPES:
            kind = f"NDArray[{_DTYPES[base]}]"
        else:
            kind = f"tuple[{class_name(base)}, ...]"
    elif base.startswith("mj") and base not in _DTYPES and not base.startswith("mjt"):
        kind = class_name(base)
    else:
        kind = "float" if base in _FLOATS else "int"
    return f"{blanks}{name}: {kind}{_comment(field)}\n"


def _list(name: str, element: Struct) -> str:
    item = class_name(element.name)
    text = f"\nclass {name}:\n    def __len__(self) -> int: ...\n"
    text += f"    def __iter__(self) -> Iterator[{item}]: ...\n"
    text += f"    @overload\n    def __getitem__(self, key: int) -> {item}: ...\n"
    text += f"    @overload\n    def __getitem__(self, key: slice) -> {name}: ...\n"
    for field in element.fields:
        base = _base(field)
        text += f"    {field.name}: NDArray[{_DTYPES.get(base, 'np.int32')}]{_comment(field)}\n"
    return text


def _base(field: Field) -> str:
    inner = field.type
    while isinstance(inner, Array | Pointer):
        inner = inner.inner
    return inner.name if isinstance(inner, Named) else ""


def _attributes(struct: Struct) -> str:
    text = ""
    for field in struct.fields:
        base = _base(field)
        if field.private or base not in _DTYPES or field.name in ("buffer", "arena", "signature"):
            continue
        if field.name in ("names", "text_data", "paths") or keyword.iskeyword(field.name):
            continue
        if isinstance(field.type, Array | Pointer):
            text += f"    {field.name}: NDArray[{_DTYPES[base]}]{_comment(field)}\n"
        else:
            text += f"    {field.name}: {'float' if base in _FLOATS else 'int'}{_comment(field)}\n"
    return text


def _named(names: list[str]) -> str:
    return "".join(f"    def {name}(self, name: int | str) -> Any: ...\n" for name in names)
