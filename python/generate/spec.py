"""Writes spec.inc: the members of the structs of mjspec.h that Python sees as classes."""

from __future__ import annotations

import json

from .declarations import Field, Headers
from .structs import RENAMED, class_name

__all__ = [
    "ADDED",
    "CHILDREN",
    "ELEMENTS",
    "LOOKUPS",
    "later_type",
    "write_spec",
    "write_spec_lists",
]

# C structs of elements, with the type of element (mjtObj); "" where there is none
ELEMENTS: dict[str, str] = {
    "mjsOrientation": "",
    "mjsCompiler": "",
    "mjsAuthored": "",
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

# elements that a spec finds by name and lists: C struct -> method, attribute
LOOKUPS: dict[str, tuple[str, str]] = {
    "mjsBody": ("body", "bodies"),
    "mjsFrame": ("frame", "frames"),
    "mjsGeom": ("geom", "geoms"),
    "mjsJoint": ("joint", "joints"),
    "mjsSite": ("site", "sites"),
    "mjsCamera": ("camera", "cameras"),
    "mjsLight": ("light", "lights"),
    "mjsFlex": ("flex", "flexes"),
    "mjsMesh": ("mesh", "meshes"),
    "mjsSkin": ("skin", "skins"),
    "mjsHField": ("hfield", "hfields"),
    "mjsTexture": ("texture", "textures"),
    "mjsMaterial": ("material", "materials"),
    "mjsPair": ("pair", "pairs"),
    "mjsExclude": ("exclude", "excludes"),
    "mjsEquality": ("equality", "equalities"),
    "mjsTendon": ("tendon", "tendons"),
    "mjsActuator": ("actuator", "actuators"),
    "mjsSensor": ("sensor", "sensors"),
    "mjsNumeric": ("numeric", "numerics"),
    "mjsText": ("text", "texts"),
    "mjsTuple": ("tuple", "tuples"),
    "mjsKey": ("key", "keys"),
    "mjsPlugin": ("plugin", "plugins"),
}

# elements of a body
CHILDREN = "mjsBody mjsFrame mjsGeom mjsJoint mjsSite mjsLight mjsCamera".split()

# elements that the method add_x makes: does a body have it (else the spec), does it take a class
ADDED: dict[str, tuple[bool, bool]] = {
    **{name: (True, True) for name in CHILDREN},
    **{
        f"mjs{name}": (False, True)
        for name in ("Mesh", "Texture", "Material", "Pair", "Equality", "Tendon", "Actuator")
    },
    **{
        f"mjs{name}": (False, False)
        for name in "Flex Skin HField Sensor Numeric Text Tuple Key Exclude Plugin".split()
    },
}

# classes without attributes of every element: name, id, signature
_PLAIN = {"mjsOrientation", "mjsCompiler", "mjsAuthored", "mjsWrap", "mjsDefault"}


def write_spec_lists() -> str:
    """The text of spec_lists.inc: the tables above as lists of C macros."""

    def define(name: str, rows: list[str]) -> str:
        return f"#define {name}(X) " + " ".join(f"X({row})" for row in rows)

    def added(in_body: bool, has_class: bool) -> list[str]:
        names = [name for name, how in ADDED.items() if how == (in_body, has_class)]
        # a frame takes another frame, not a class
        return [_element(name) + f', "{LOOKUPS[name][0]}"' for name in names if name != "mjsFrame"]

    def found(names: list[str]) -> list[str]:
        return [f'{ELEMENTS[name]}, "{LOOKUPS[name][0]}", "{LOOKUPS[name][1]}"' for name in names]

    lists = [
        define("SPEC_STRUCTS", ["mjSpec", *ELEMENTS]),
        define("SPEC_ELEMENTS", [_element(name) for name in LOOKUPS]),
        define("SPEC_LOOKUPS", found(list(LOOKUPS))),
        define("SPEC_CHILDREN", found(CHILDREN)),
        define("SPEC_ADDED_TO_BODY", added(True, True)),
        define("SPEC_ADDED_WITH_CLASS", added(False, True)),
        define("SPEC_ADDED", added(False, False)),
    ]
    return "\n".join(["// Written by python/generate/spec.py.", *lists]) + "\n"


def _element(name: str) -> str:
    """Type of element, and name of the C functions for it: ``mjOBJ_GEOM, Geom``."""
    return f"{ELEMENTS[name]}, {name.removeprefix('mjs')}"


# integers of 3.3.7 that are members of enums since 4.0
_ENUMS = {
    "limited": "mjtLimited",
    "actfrclimited": "mjtLimited",
    "ctrllimited": "mjtLimited",
    "forcelimited": "mjtLimited",
    "actlimited": "mjtLimited",
    "align": "mjtAlignFree",
    "inertiafromgeom": "mjtInertiaFromGeom",
    "section": "mjtFlexSection",
    "selfcollide": "mjtFlexSelf",
    "builtin": "mjtBuiltin",
    "mark": "mjtMark",
}


def later_type(struct: str, field: Field) -> str | None:
    """What a member is since 4.0: "bool", "polynomial", an enum, "names"; None: the same."""
    kind = getattr(field.type, "name", "")
    if kind in ("mjtByte", "CND_BOOL", "bool") or (struct, field.name) == (
        "mjsCompiler",
        "alignfree",
    ):
        return "bool"
    if struct in ("mjsJoint", "mjsTendon") and field.name in ("stiffness", "damping"):
        return "polynomial" if kind == "double" else None
    if (struct, field.name) == ("mjsCamera", "resolution"):
        return "integers"
    if (struct, field.name) == ("mjsFlex", "material"):
        return "names"
    texture = struct in ("mjsTexture", "mjsMesh") or field.name not in ("builtin", "mark")
    return _ENUMS.get(field.name) if kind == "int" and texture else None


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
            later = later_type(name, field) if enum == "nullptr" else None
            since = json.dumps(later) if later else "nullptr"
            doc = json.dumps(field.doc)
            lines.append(f'MEMBER({name}, {field.name}, "{python}", {enum}, {since}, {doc})')
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
