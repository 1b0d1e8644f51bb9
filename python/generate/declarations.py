"""What declarations of C are: types, functions, structs, enums, numbers, as values of Python."""

from __future__ import annotations

from dataclasses import dataclass, field

from .preprocess import Number, Place

__all__ = [
    "Anonymous",
    "Array",
    "Constant",
    "Enum",
    "EnumValue",
    "Field",
    "Function",
    "FunctionType",
    "Headers",
    "Named",
    "Parameter",
    "Pointer",
    "Struct",
    "Type",
    "Typedef",
    "Variable",
    "declare",
]


@dataclass(frozen=True)
class Named:
    """A type with a name: ``int``, ``mjtNum``, ``unsigned char``, ``struct mjuiItemEdit_``."""

    name: str
    const: bool = False
    volatile: bool = False


@dataclass(frozen=True)
class Pointer:
    """Pointer; ``const`` says that the pointer itself does not change."""

    inner: Type
    const: bool = False
    restrict: bool = False


@dataclass(frozen=True)
class Array:
    """Array; an extent is None where C leaves it open. ``texts`` has extents as they are written,
    before macros and enums become numbers."""

    inner: Type
    extents: tuple[int | None, ...]
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class FunctionType:
    """What a pointer to a function points to."""

    result: Type
    parameters: tuple[Parameter, ...]
    variadic: bool = False


@dataclass(frozen=True)
class Anonymous:
    """A struct or union without a name, inside another."""

    kind: str
    fields: tuple[Field, ...]


Type = Named | Pointer | Array | FunctionType | Anonymous


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function. ``name`` may be empty in the type of a function."""

    name: str
    type: Type

    @property
    def base(self) -> str:
        """Name of the type below pointers and extents: ``mjtNum`` for ``const mjtNum x[3]``."""
        return _base(self.type).name

    @property
    def const(self) -> bool:
        """True if what it points to, or the value itself, is constant."""
        return _base(self.type).const

    @property
    def pointers(self) -> int:
        """How many times it points, arrays not counted."""
        return _pointers(self.type)

    @property
    def extents(self) -> tuple[int | None, ...]:
        """Extents of an array parameter; empty for numbers and bare pointers."""
        return self.type.extents if isinstance(self.type, Array) else ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Extents as they are written, e.g. ``("mjNREF",)``."""
        return self.type.texts if isinstance(self.type, Array) else ()


@dataclass(frozen=True)
class Function:
    """A function of the library. ``hidden``: not MJAPI. ``place``: where it is declared."""

    name: str
    result: Type
    parameters: tuple[Parameter, ...]
    variadic: bool
    doc: str
    place: Place
    hidden: bool = False


@dataclass(frozen=True)
class EnumValue:
    """A member of an enum."""

    name: str
    value: int
    doc: str


@dataclass(frozen=True)
class Enum:
    """An enum; ``tag`` is the name behind the word enum (``mjtJoint_``), empty if it has none."""

    name: str
    tag: str
    values: tuple[EnumValue, ...]
    doc: str
    place: Place


@dataclass(frozen=True)
class Field:
    """A member of a struct; ``name`` is empty for an anonymous union.

    ``rows`` and ``columns`` are those of the tables, as text ("nbody", "3", "nmocap*3"); None
    elsewhere. ``arena``: the array comes and goes with the position stage.
    """

    name: str
    type: Type
    doc: str
    rows: str | None = None
    columns: str | None = None
    arena: bool = False

    @property
    def private(self) -> bool:
        """True for what only Condyle has."""
        return self.name.startswith("cnd_")


@dataclass(frozen=True)
class Struct:
    """A struct or union; ``tag`` is the name behind the word struct (``mjData_``)."""

    name: str
    tag: str
    fields: tuple[Field, ...]
    doc: str
    place: Place
    kind: str = "struct"


@dataclass(frozen=True)
class Typedef:
    """Another name for a type."""

    name: str
    type: Type
    doc: str
    place: Place


@dataclass(frozen=True)
class Variable:
    """A variable of the library: hooks, tables of strings."""

    name: str
    type: Type
    doc: str
    place: Place


@dataclass(frozen=True)
class Constant:
    """A macro that stands for a number."""

    name: str
    value: Number
    doc: str
    place: Place


@dataclass
class Headers:
    """All that the headers declare, by name, in their order."""

    functions: dict[str, Function] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    typedefs: dict[str, Typedef] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)


def declare(type: Type, name: str) -> str:
    """Declaration of a name as C text: ``const mjtNum x[3]``, ``void (*f)(int)``."""
    if isinstance(type, Array):
        suffix = "".join(f"[{'' if extent is None else extent}]" for extent in type.extents)
        return declare(type.inner, _wrapped(type, name) + suffix)
    if isinstance(type, FunctionType):
        words = [declare(parameter.type, parameter.name) for parameter in type.parameters]
        words += ["..."] if type.variadic else []
        return declare(type.result, f"{_wrapped(type, name)}({', '.join(words) or 'void'})")
    if isinstance(type, Pointer):
        marks = (" const" if type.const else "") + (" restrict" if type.restrict else "")
        return declare(type.inner, f"*{marks} {name}".rstrip() if marks else f"*{name}")
    if isinstance(type, Anonymous):
        members = " ".join(declare(item.type, item.name) + ";" for item in type.fields)
        return f"{type.kind} {{ {members} }} {name}".rstrip()
    words = ["const"] * type.const + ["volatile"] * type.volatile + [type.name, name]
    return " ".join(words).rstrip()


def _wrapped(type: Array | FunctionType, name: str) -> str:
    return f"({name})" if name.startswith("*") else name


def _base(type: Type) -> Named:
    if isinstance(type, Named):
        return type
    if isinstance(type, FunctionType):
        return _base(type.result)
    if isinstance(type, Anonymous):
        return Named(type.kind)
    return _base(type.inner)


def _pointers(type: Type) -> int:
    if isinstance(type, Pointer):
        return 1 + _pointers(type.inner)
    return _pointers(type.inner) if isinstance(type, Array) else 0
