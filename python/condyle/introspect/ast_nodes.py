"""Nodes that describe declarations in C. ``str`` of a node is C, ``decl("x")`` declares x."""

from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any

# keywords of C that are no type names
_KEYWORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "const",
        "continue",
        "default",
        "do",
        "else",
        "enum",
        "extern",
        "for",
        "goto",
        "if",
        "inline",
        "register",
        "restrict",
        "return",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "volatile",
        "while",
        "__attribute__",
        "_Alignas",
        "_Atomic",
        "_Generic",
        "_Imaginary",
        "_Noreturn",
        "_Pragma",
        "_Static_assert",
        "_Thread_local",
    ]
)
_NAME = re.compile(r"(?:struct )?[A-Za-z_]\w*", re.ASCII)

# numeric types of several words: sign, size and int, in this order, each of them optional
_NUMBER = re.compile(
    r"(?=.)(?:(?:un)?signed)?(?: ?(?:char|(?:short|long long|long)(?: int)?|int))?|long double"
)


def _is_type_name(name: str) -> bool:
    if _NUMBER.fullmatch(name) and not name.startswith(" "):
        return True
    return bool(_NAME.fullmatch(name)) and name not in _KEYWORDS


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


@dataclasses.dataclass
class ValueType:
    """A type with a name: ``int``, ``mjtNum``, ``struct mjModel_``.

    Attributes
    ----------
    name
        Name as in C; ValueError if C would not accept it.
    is_const, is_volatile
        Qualifiers.
    nullable
        Has no meaning for values; counts in comparisons.
    """

    name: str
    is_const: bool = False
    is_volatile: bool = False
    nullable: bool = False

    def __post_init__(self) -> None:
        """Check the name."""
        if not _is_type_name(self.name):
            raise ValueError(f"{self.name!r} is not a valid value type name")

    def decl(self, name_or_decl: str | None = None) -> str:
        """Return the declaration of a name, or of a declarator such as ``* x``."""
        return _joined(
            "const" if self.is_const else "",
            "volatile" if self.is_volatile else "",
            self.name,
            name_or_decl or "",
        )

    def __str__(self) -> str:
        """Return the type as C."""
        return self.decl()


@dataclasses.dataclass
class ArrayType:
    """An array; ``ArrayType(ValueType("int"), (2, 3))`` is ``int [2][3]``."""

    inner_type: ValueType | PointerType | ArrayType
    extents: tuple[int, ...]
    nullable: bool = False

    def __post_init__(self) -> None:
        """Take any sequence of extents."""
        self.extents = tuple(self.extents)

    def decl(self, name_or_decl: str | None = None) -> str:
        """Return the declaration of a name."""
        name = name_or_decl or ""
        # brackets bind more tightly than *
        if name.startswith("*"):
            name = f"({name})"
        brackets = "".join(f"[{extent}]" for extent in self.extents)
        return self.inner_type.decl(f"{name}{brackets}")

    def __str__(self) -> str:
        """Return the type as C."""
        return self.decl()


@dataclasses.dataclass
class PointerType:
    """A pointer.

    Attributes
    ----------
    inner_type
        What it points to.
    nullable
        Whether NULL may be passed; counts in comparisons.
    is_const, is_volatile, is_restrict
        Qualifiers of the pointer itself.
    """

    inner_type: ValueType | PointerType | ArrayType
    nullable: bool = False
    is_const: bool = False
    is_volatile: bool = False
    is_restrict: bool = False

    def decl(self, name_or_decl: str | None = None) -> str:
        """Return the declaration of a name."""
        declarator = _joined(
            "*",
            "const" if self.is_const else "",
            "volatile" if self.is_volatile else "",
            "restrict" if self.is_restrict else "",
            name_or_decl or "",
        )
        return self.inner_type.decl(declarator)

    def __str__(self) -> str:
        """Return the type as C."""
        return self.decl()


class _Declared:
    """What has a name and a type."""

    name: str
    type: Any

    def __str__(self) -> str:
        """Return the declaration as C."""
        return str(self.type.decl(self.name))

    @property
    def decltype(self) -> str:
        """The type as C."""
        return str(self.type.decl())


@dataclasses.dataclass
class FunctionParameterDecl(_Declared):
    """A parameter; ``nullable`` tells whether NULL may be passed."""

    name: str
    type: ValueType | ArrayType | PointerType
    nullable: bool = False


@dataclasses.dataclass
class FunctionDecl:
    """A function."""

    name: str
    return_type: ValueType | ArrayType | PointerType
    parameters: tuple[FunctionParameterDecl, ...]
    doc: str

    def __post_init__(self) -> None:
        """Take any sequence of parameters."""
        self.parameters = tuple(self.parameters)

    def __str__(self) -> str:
        """Return the declaration as C."""
        return self.return_type.decl(f"{self.name}({', '.join(map(str, self.parameters))})")

    @property
    def decltype(self) -> str:
        """The type as C, without names."""
        types = ", ".join(parameter.decltype for parameter in self.parameters)
        return self.return_type.decl(f"({types})")


class _Values(collections.OrderedDict[str, int]):
    """Values of an enum in the order of C."""

    def __repr__(self) -> str:
        """Look like a dict."""
        return repr(dict(self))


@dataclasses.dataclass
class EnumDecl:
    """An enum; ``declname`` is ``enum mjtJoint_``, ``values`` an ordered dict by name."""

    name: str
    declname: str
    values: Mapping[str, int]

    def __init__(
        self, name: str, declname: str, values: Mapping[str, int] | Iterable[tuple[str, int]]
    ) -> None:
        """Take values as a dict or as pairs."""
        self.name = name
        self.declname = declname
        self.values = _Values(values)


@dataclasses.dataclass
class StructFieldDecl(_Declared):
    """A member of a struct.

    ``array_extent`` has the sizes of what a pointer of mjModel or mjData points to, ``("nq",)`` or
    ``("nbody", 3)``; None elsewhere.
    """

    name: str
    type: ValueType | ArrayType | PointerType | AnonymousStructDecl
    doc: str
    array_extent: tuple[str | int, ...] | None = None


@dataclasses.dataclass
class AnonymousStructDecl:
    """A struct without a name, inside another."""

    fields: tuple[StructFieldDecl | AnonymousUnionDecl | AnonymousStructDecl, ...]

    def __init__(self, fields: Iterable[Any]) -> None:
        """Take any sequence of members."""
        self.fields = tuple(fields)

    _word = "struct"

    def decl(self, name_or_decl: str | None = None) -> str:
        """Return the declaration of a name."""
        members = " ".join(f"{member};" for member in self.fields)
        return _joined(f"{self._word} {{{members}}}", name_or_decl or "")

    def __str__(self) -> str:
        """Return the type as C."""
        return self.decl()


class AnonymousUnionDecl(AnonymousStructDecl):
    """A union without a name, inside a struct."""

    _word = "union"


@dataclasses.dataclass
class StructDecl:
    """A struct; ``declname`` is ``struct mjData_``."""

    name: str
    declname: str
    fields: tuple[StructFieldDecl | AnonymousUnionDecl | AnonymousStructDecl, ...]

    def __init__(self, name: str, declname: str, fields: Iterable[Any]) -> None:
        """Take any sequence of members."""
        self.name = name
        self.declname = declname
        self.fields = tuple(fields)

    def decl(self, name_or_decl: str | None = None) -> str:
        """Return the declaration of a variable of this type."""
        return _joined(self.name, name_or_decl or "")
