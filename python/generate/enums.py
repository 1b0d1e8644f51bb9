"""Writes _enums.py and _constants.py: enums of the headers as classes, #define numbers."""

from __future__ import annotations

import json

from . import later
from .declarations import Headers

__all__ = ["LEFT_OUT", "enum_members", "write_constants", "write_enums"]

# enums that only C programs use
LEFT_OUT = frozenset({"cndSeverity"})

# numbers of the headers that Python shows
_NUMBERS = (
    "mjPI mjMAXVAL mjMINVAL mjMINMU mjMINIMP mjMAXIMP mjMAXCONPAIR mjMAXTREEDEPTH mjMAXFLEXNODES "
    "mjNEQDATA mjNDYN mjNGAIN mjNBIAS mjNFLUID mjNREF mjNIMP mjNSENS mjNSOLVER mjNISLAND mjNGROUP "
    "mjMAXLIGHT mjMAXOVERLAY mjMAXLINE mjMAXLINEPNT mjMAXPLANEGRID mjVERSION_HEADER "
    "mjNPOLY mjMINAWAKE"
).split()


# names of the values of enums, tuples that the extension makes
_TEXTS = (
    "mjDISABLESTRING mjENABLESTRING mjFRAMESTRING mjLABELSTRING mjRNDSTRING mjTIMERSTRING "
    "mjVISSTRING"
).split()


def enum_members(headers: Headers) -> dict[str, dict[str, int]]:
    """Members of all enums that Python has, as the engine numbers them."""
    known = {
        enum.name: {value.name: value.value for value in enum.values}
        for enum in headers.enums.values()
        if enum.name and enum.name not in LEFT_OUT
    }
    return known | {n: members for n, members in later.enum_members().items() if n not in known}


def write_enums(headers: Headers) -> str:
    """The text of _enums.py; the classes are made at their first use."""

    def table(enums: dict[str, dict[str, int]]) -> list[str]:
        lines = []
        for name, members in enums.items():
            lines.append(f'    "{name}": (')
            lines += [f'        ("{member}", {number}),' for member, number in members.items()]
            lines.append("    ),")
        return lines

    engine = enum_members(headers)
    renumbered = {n: m for n, m in later.enum_members().items() if m != engine[n]}
    docs = {enum.name: enum.doc for enum in headers.enums.values() if enum.doc}
    lines = [
        '"""Enums of the engine. Written by python/generate/enums.py."""',
        "",
        "from __future__ import annotations",
        "",
        "from condyle._support.enum import EngineEnum, Members, make_enum, renumber",
        "",
        "_MEMBERS: dict[str, Members] = {",
        *table(engine),
        "}",
        "",
        "# enums that 4.0.0 numbers otherwise",
        "_LATER: dict[str, Members] = {",
        *table(renumbered),
        "}",
        "",
        "_DOCS: dict[str, str] = {",
    ]
    for name in engine:
        doc = docs.get(name, "")
        doc = (doc[:1].upper() + doc[1:]).rstrip(".")
        lines.append(f'    "{name}": {json.dumps(doc + "." if doc else "")},')
    lines += ["}", "", "__all__ = list(_MEMBERS)  # noqa: PLE0605", "", *_ENUM_FUNCTIONS]
    return "\n".join(lines) + "\n"


_ENUM_FUNCTIONS = '''
_later = False


def _use(later: bool) -> None:
    """Number members as 4.0.0 does, or as 3.3.7; classes of before keep their numbers."""
    global _later
    _later = later
    for name in _LATER:
        globals().pop(name, None)


def _members(name: str) -> Members:
    """Return the members of an enum as the process numbers them."""
    return _LATER[name] if _later and name in _LATER else _MEMBERS[name]


def _from_engine(name: str, number: int) -> int:
    """Return the number of a member for the engine's number."""
    return renumber(name, number, _MEMBERS[name], _members(name))


def _to_engine(name: str, number: int) -> int:
    """Return the engine's number of a member."""
    return renumber(name, number, _members(name), _MEMBERS[name])


def __getattr__(name: str) -> type[EngineEnum]:
    if name not in _MEMBERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, make_enum(name, _members(name), _DOCS[name]))


def __dir__() -> list[str]:
    return sorted(_MEMBERS)
'''.splitlines()


def write_constants(headers: Headers) -> str:
    """The text of _constants.py."""
    lines = ['"""Numbers and texts of the engine. Written by python/generate/enums.py."""', ""]
    lines.append("from condyle import _condyle")
    lines += ["from condyle._condyle import (  # noqa: F401", *(f"    {t}," for t in _TEXTS), ")"]
    lines.append("")
    for name in _NUMBERS:
        value = headers.constants[name].value
        lines.append(f"{name}: {type(value).__name__} = {value!r}")
    lines += [f"{name}: int = {value}" for name, value in later.NUMBERS.items()]
    lines += ["MJTNUM_BYTES: int = _condyle.MJTNUM_BYTES", "", "# as 4.0.0 has them"]
    lines.append(f"_LATER: dict[str, object] = {later.TEXTS!r}")
    return "\n".join(lines) + "\n"
