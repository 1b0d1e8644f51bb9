"""Writes spec.inc: the members of the structs of mjspec.h that Python sees as classes."""

from __future__ import annotations

import json

from .headers import Headers
from .structs import RENAMED, class_name

__all__ = ["ELEMENTS", "write_spec"]

# C structs of elements, with the type of element (mjtObj); "" where there is none
ELEMENTS: dict[str, str] = {
    "mjsOrientation": "",
    "mjsCompiler": "",
    "mjsPlugin": "mjOBJ_PLUGIN",
    "mjsBody": "mjOBJ_BODY",
    "mjsFrame": "mjOBJ_FRAME",
    "mjsJoint": "mjOBJ_JOINT",
    "mjsGeom": "mjOBJ_GEOM",
    "mjsSite": "mjOBJ_SITE",
    "mjsCamera": "mjOBJ_CAMERA",
    "mjsLight": "mjOBJ_LIGHT",
    "mjsFlex": "mjOBJ_FLEX",
    "mjsMesh": "mjOBJ_MESH",
    "mjsHField": "mjOBJ_HFIELD",
    "mjsSkin": "mjOBJ_SKIN",
    "mjsTexture": "mjOBJ_TEXTURE",
    "mjsMaterial": "mjOBJ_MATERIAL",
    "mjsPair": "mjOBJ_PAIR",
    "mjsExclude": "mjOBJ_EXCLUDE",
    "mjsEquality": "mjOBJ_EQUALITY",
    "mjsTendon": "mjOBJ_TENDON",
    "mjsWrap": "mjOBJ_UNKNOWN",
    "mjsActuator": "mjOBJ_ACTUATOR",
    "mjsSensor": "mjOBJ_SENSOR",
    "mjsNumeric": "mjOBJ_NUMERIC",
    "mjsText": "mjOBJ_TEXT",
    "mjsTuple": "mjOBJ_TUPLE",
    "mjsKey": "mjOBJ_KEY",
    "mjsDefault": "mjOBJ_DEFAULT",
}

# classes without attributes of every element: name, id, signature
_PLAIN = {"mjsOrientation", "mjsCompiler", "mjsWrap", "mjsDefault"}


def write_spec(headers: Headers) -> str:
    """The text of spec.inc."""
    lines = ["// Written by python/generate/spec.py."]
    for name, element in [*ELEMENTS.items(), ("mjSpec", "mjOBJ_MODEL")]:
        struct = headers.structs[name]
        lines.append(f"SpecField fields_{name}[] = {{")
        for field in struct.fields:
            # a plugin's name is that of the element
            if field.name == "element" or (name == "mjsPlugin" and field.name == "name"):
                continue
            enum = getattr(field.type, "name", "")
            enum = json.dumps(enum) if enum in headers.enums else "nullptr"
            python = RENAMED.get(field.name, field.name)
            doc = json.dumps(field.doc)
            lines.append(f'MEMBER({name}, {field.name}, "{python}", {enum}, {doc})')
        lines.append("};")
        doc = json.dumps(struct.doc[:1].upper() + struct.doc[1:] + ".")
        lines.append(
            f'SpecClass class_{name} = {{"{class_name(name)}", {doc}, '
            f"{element or 'mjOBJ_UNKNOWN'}, {str(name not in _PLAIN).lower()}, fields_{name}, "
            f"static_cast<int>(sizeof fields_{name} / sizeof *fields_{name}), nullptr}};"
        )
    names = ", ".join(f"&class_{name}" for name in ELEMENTS)
    lines.append(f"SpecClass *const kClasses[] = {{{names}}};")
    return "\n".join(lines) + "\n"
