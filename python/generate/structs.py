"""Writes structs.inc: the members of the plain structs that Python sees as classes."""

from __future__ import annotations

import json
from dataclasses import dataclass

from .declarations import Anonymous, Array, Headers, Named, Pointer

__all__ = ["STRUCTS", "PlainStruct", "write_structs"]


@dataclass(frozen=True)
class PlainStruct:
    """A C struct that becomes a class.

    ``default`` is a C function that fills a new one; empty: zeros. ``compares`` gives equality and
    a text by content.
    """

    name: str
    doc: str
    default: str = ""
    constructible: bool = True
    compares: bool = True


STRUCTS = (
    PlainStruct("mjOption", "Settings of the physics.", "mj_defaultOption"),
    PlainStruct("mjVisual", "Settings of the picture.", constructible=False),
    PlainStruct("mjStatistic", "Sizes of the model at qpos0, by which solvers and viewers scale."),
    PlainStruct("mjLogMessage", "Something that the engine tells."),
    PlainStruct("mjLogConfig", "Where messages go."),
    PlainStruct("mjLROpt", "Settings for finding length ranges.", "mj_defaultLROpt"),
    PlainStruct("mjContact", "One point where two objects touch or nearly touch."),
    PlainStruct("mjWarningStat", "How often a warning was raised."),
    PlainStruct("mjTimerStat", "Time spent in a stage."),
    PlainStruct("mjSolverStat", "What one iteration of the constraint solver did."),
    PlainStruct("mjvPerturb", "What the mouse drags.", "mjv_defaultPerturb"),
    PlainStruct("mjvCamera", "A camera described by what it follows.", "mjv_defaultCamera"),
    PlainStruct("mjvGLCamera", "A camera as OpenGL wants it."),
    PlainStruct("mjvGeom", "One shape to draw.", "default_geom"),
    PlainStruct("mjvLight", "One light."),
    PlainStruct("mjvOption", "What is drawn.", "mjv_defaultOption"),
    PlainStruct("mjvFigure", "A plot of lines.", "mjv_defaultFigure", compares=False),
    PlainStruct("mjvScene", "All that is in a picture.", "default_scene", compares=False),
    PlainStruct("mjrRect", "A rectangle of pixels.", constructible=False),
    PlainStruct("mjrContext", "What a renderer keeps.", constructible=False, compares=False),
)

_NAMES = frozenset(struct.name for struct in STRUCTS)

# defaults written by hand in structs.cc
BY_HAND = frozenset({"default_geom", "default_scene"})

# C keywords and words of Python that cannot be attribute names
RENAMED = {"global": "global_"}

# members of C arrays whose shape C does not show
SHAPES = {("mjvGeom", "mat"): (3, 3)}

# members that are attributes of another kind in scene.cc
ELSEWHERE = {"mjvScene": frozenset({"maxgeom", "nflex", "nskin"})}


def class_name(c_name: str) -> str:
    """``mjOption`` -> ``MjOption``."""
    return c_name[0].upper() + c_name[1:]


def write_structs(headers: Headers) -> str:
    """The text of structs.inc."""
    lines = ["// Written by python/generate/structs.py."]
    order: list[str] = []
    for struct in STRUCTS:
        fields = headers.structs[struct.name].fields
        nested = [field for field in fields if isinstance(field.type, Anonymous)]
        # the table of the outer struct names those of the inner ones, which are made after it
        for field in nested:
            lines.append(f"extern StructInfo info_{struct.name}_{field.name};")
        lines += _table(struct.name, struct.name, fields)
        lines.append(_info(struct.name, class_name(struct.name), struct, headers))
        order.append(struct.name)
        for field in nested:
            assert isinstance(field.type, Anonymous)
            inner = f"{struct.name}_{field.name}"
            lines.append(f"using {inner} = decltype({struct.name}::{field.name});")
            lines += _table(inner, inner, field.type.fields)
            name = f"{class_name(struct.name)}.{field.name.capitalize()}"
            doc = f"{struct.doc[:-1]}: part {field.name}."
            part = PlainStruct(inner, doc, constructible=False)
            lines.append(_info(inner, name, part, headers))
            order.append(inner)
    names = ", ".join(f"&info_{name}" for name in order)
    lines.append(f"StructInfo *const kStructs[] = {{{names}}};")
    return "\n".join(lines) + "\n"


def _table(name: str, c_type: str, fields: tuple) -> list[str]:
    lines = [f"StructField fields_{name}[] = {{"]
    for field in fields:
        if isinstance(field.type, Pointer) or field.private:
            continue
        if field.name in ELSEWHERE.get(name, ()):
            continue
        doc = json.dumps(field.doc)
        python = RENAMED.get(field.name, field.name)
        if isinstance(field.type, Anonymous):
            inner = f"info_{name}_{field.name}"
            lines.append(f'FIELD_IN({c_type}, {field.name}, "{python}", {inner}, {doc})')
        elif isinstance(field.type, Array) and _inner(field.type) in _NAMES:
            inner = f"info_{_inner(field.type)}"
            lines.append(f'FIELD_IN({c_type}, {field.name}, "{python}", {inner}, {doc})')
        elif (name, field.name) in SHAPES:
            rows, columns = SHAPES[name, field.name]
            lines.append(f"FIELD_SHAPED({c_type}, {field.name}, {rows}, {columns}, {doc})")
        elif isinstance(field.type, Array) or python == field.name:
            lines.append(f"FIELD({c_type}, {field.name}, {doc})")
        else:
            lines.append(f'FIELD_AS({c_type}, {field.name}, "{python}", {doc})')
    lines.append("};")
    return lines


def _inner(array: Array) -> str:
    return array.inner.name if isinstance(array.inner, Named) else ""


def _info(name: str, python: str, struct: PlainStruct, headers: Headers) -> str:
    known = struct.default in headers.functions or struct.default in BY_HAND
    default = (
        f"[](void *memory) {{ {struct.default}(static_cast<{name} *>(memory)); }}"
        if known
        else "nullptr"
    )
    flags = f"{str(struct.constructible).lower()}, {str(struct.compares).lower()}"
    return (
        f'StructInfo info_{name} = {{"{python}", {json.dumps(struct.doc)}, sizeof({name}), '
        f"{default}, {flags}, fields_{name}, "
        f"static_cast<int>(sizeof fields_{name} / sizeof *fields_{name}), nullptr}};"
    )
