"""Writes _enums.py and _constants.py: enums of the headers as classes, #define numbers."""

from __future__ import annotations

import json

from .declarations import Headers

__all__ = ["LEFT_OUT", "write_constants", "write_enums"]

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


def write_enums(headers: Headers) -> str:
    """The text of _enums.py; the classes are made at their first use."""
    lines = [
        '"""Enums of the engine. Written by python/generate/enums.py."""',
        "",
        "from __future__ import annotations",
        "",
        "from condyle._support.enum import EngineEnum, make_enum",
        "",
        "_MEMBERS: dict[str, tuple[tuple[str, int], ...]] = {",
    ]
    docs = []
    names = []
    for enum in headers.enums.values():
        if not enum.name or enum.name in LEFT_OUT:
            continue
        names.append(enum.name)
        lines.append(f'    "{enum.name}": (')
        lines += [f'        ("{value.name}", {value.value}),' for value in enum.values]
        lines.append("    ),")
        doc = (enum.doc[:1].upper() + enum.doc[1:]).rstrip(".") if enum.doc else ""
        docs.append(f'    "{enum.name}": {json.dumps(doc + "." if doc else "")},')
    lines += ["}", "", "_DOCS: dict[str, str] = {", *docs, "}", ""]
    lines += [
        "__all__ = list(_MEMBERS)  # noqa: PLE0605",
        "",
        "",
        "def __getattr__(name: str) -> type[EngineEnum]:",
        "    members = _MEMBERS.get(name)",
        "    if members is None:",
        '        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")',
        "    return globals().setdefault(name, make_enum(name, members, _DOCS[name]))",
        "",
        "",
        "def __dir__() -> list[str]:",
        "    return sorted(_MEMBERS)",
    ]
    return "\n".join(lines) + "\n"


def write_constants(headers: Headers) -> str:
    """The text of _constants.py."""
    lines = ['"""Numbers and texts of the engine. Written by python/generate/enums.py."""', ""]
    lines += ["from condyle._condyle import (  # noqa: F401", *(f"    {t}," for t in _TEXTS), ")"]
    lines.append("")
    for name in _NUMBERS:
        value = headers.constants[name].value
        lines.append(f"{name}: {type(value).__name__} = {value!r}")
    return "\n".join(lines) + "\n"
