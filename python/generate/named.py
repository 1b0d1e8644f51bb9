"""Writes named.inc: named access, ``m.body("x").mass``, as tables for the extension.

The attributes of an object are the fields that have a row for it, without their prefix. Joints also
have their coordinates and degrees of freedom, and some objects have a part of an array that several
share (the pixels of a texture).
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from dataclasses import dataclass

from .declarations import Field, Headers

__all__ = ["CATEGORIES", "Category", "Item", "items", "view_name", "write_named"]


@dataclass(frozen=True)
class Category:
    """A kind of objects. ``data`` names the fields of MjData, ``other`` those of the model whose
    names don't begin with the prefix."""

    type: str
    size: str  # its count
    prefix: str  # of its fields
    name: str  # in class names: _MjModelBodyViews
    methods: tuple[str, ...]  # of MjModel, and of MjData if it has fields there
    data: str = ""


_JOINT = (
    "qpos qvel qacc qacc_warmstart qacc_smooth qfrc_applied qfrc_bias qfrc_passive qfrc_spring "
    "qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_actuator qfrc_smooth qfrc_constraint qfrc_inverse "
    "xanchor xaxis cdof cdof_dot qLDiagInv"
)
_BODY = (
    "xpos xquat xmat xipos ximat xfrc_applied subtree_com subtree_linvel subtree_angmom cinert crb "
    "cvel cacc cfrc_int cfrc_ext"
)
_ACTUATOR = "ctrl actuator_length actuator_velocity actuator_force actuator_moment"
_TENDON = (
    "ten_length ten_velocity ten_J ten_J_rownnz ten_J_rowadr ten_J_colind ten_wrapadr ten_wrapnum"
)

CATEGORIES = (
    Category("mjOBJ_BODY", "nbody", "body_", "Body", ("body",), _BODY),
    Category("mjOBJ_JOINT", "njnt", "jnt_", "Joint", ("joint", "jnt"), _JOINT),
    Category("mjOBJ_GEOM", "ngeom", "geom_", "Geom", ("geom",), "geom_xpos geom_xmat"),
    Category("mjOBJ_SITE", "nsite", "site_", "Site", ("site",), "site_xpos site_xmat"),
    Category("mjOBJ_CAMERA", "ncam", "cam_", "Camera", ("camera", "cam"), "cam_xpos cam_xmat"),
    Category("mjOBJ_LIGHT", "nlight", "light_", "Light", ("light",), "light_xpos light_xdir"),
    Category("mjOBJ_ACTUATOR", "nactuator", "actuator_", "Actuator", ("actuator",), _ACTUATOR),
    Category("mjOBJ_SENSOR", "nsensor", "sensor_", "Sensor", ("sensor",), "sensordata"),
    Category("mjOBJ_TENDON", "ntendon", "tendon_", "Tendon", ("tendon", "ten"), _TENDON),
    Category("mjOBJ_EQUALITY", "neq", "eq_", "Equality", ("equality", "eq"), "eq_active"),
    Category("mjOBJ_MATERIAL", "nmat", "mat_", "Material", ("material", "mat")),
    Category("mjOBJ_TEXTURE", "ntex", "tex_", "Texture", ("texture", "tex")),
    Category("mjOBJ_KEY", "nkey", "key_", "Keyframe", ("keyframe", "key")),
    Category("mjOBJ_MESH", "nmesh", "mesh_", "Mesh", ("mesh",)),
    Category("mjOBJ_SKIN", "nskin", "skin_", "Skin", ("skin",)),
    Category("mjOBJ_FLEX", "nflex", "flex_", "Flex", ("flex",)),
    Category("mjOBJ_HFIELD", "nhfield", "hfield_", "Hfield", ("hfield",)),
    Category("mjOBJ_PAIR", "npair", "pair_", "Pair", ("pair",)),
    Category("mjOBJ_EXCLUDE", "nexclude", "exclude_", "Exclude", ("exclude",)),
    Category("mjOBJ_NUMERIC", "nnumeric", "numeric_", "Numeric", ("numeric",)),
    Category("mjOBJ_TEXT", "ntext", "text_", "Text", ("text",)),
    Category("mjOBJ_TUPLE", "ntuple", "tuple_", "Tuple", ("tuple",)),
    Category("mjOBJ_PLUGIN", "nplugin", "plugin_", "Plugin", ("plugin_instance",)),
)


@dataclass(frozen=True)
class Item:
    """An attribute: a part of the array ``field``.

    ``part`` is how it is found (enum Part of named.cc): ``kSlice`` begins at the field ``address``
    and has the lengths of the fields ``lengths``.
    """

    name: str
    field: Field
    part: str
    address: str = ""
    lengths: tuple[str, ...] = ()


# arrays that several objects share: prefix, attribute, array, address, lengths
_SLICES = (
    ("numeric_", "data", "numeric_data", "numeric_adr", "numeric_size"),
    ("tuple_", "objid", "tuple_objid", "tuple_adr", "tuple_size"),
    ("tuple_", "objtype", "tuple_objtype", "tuple_adr", "tuple_size"),
    ("tuple_", "objprm", "tuple_objprm", "tuple_adr", "tuple_size"),
    ("tex_", "data", "tex_data", "tex_adr", "tex_height tex_width tex_nchannel"),
    ("hfield_", "data", "hfield_data", "hfield_adr", "hfield_nrow hfield_ncol"),
    ("mesh_", "vert", "mesh_vert", "mesh_vertadr", "mesh_vertnum"),
    ("mesh_", "face", "mesh_face", "mesh_faceadr", "mesh_facenum"),
    ("mesh_", "normal", "mesh_normal", "mesh_normaladr", "mesh_normalnum"),
    ("skin_", "vert", "skin_vert", "skin_vertadr", "skin_vertnum"),
    ("skin_", "face", "skin_face", "skin_faceadr", "skin_facenum"),
)

# arrays with rows for the controls and the forces of actuators: rows -> address, number
_BLOCKS = {
    "nu": ("actuator_ctrladr", "actuator_ctrlnum"),
    "nout": ("actuator_outadr", "actuator_outnum"),
}

# fields of MjData that are no rows: field -> how they are found
_PARTS = {"actuator_moment": "kMoment", "ten_J": "kJacobian", "ten_J_colind": "kColumns"}


def view_name(category: Category, in_data: bool) -> str:
    """Name of the class of its objects."""
    return f"_Mj{'Data' if in_data else 'Model'}{category.name}Views"


def items(headers: Headers, category: Category, in_data: bool) -> list[Item]:
    """The attributes of a category's objects; the first of a name counts."""
    found = _in_data(headers, category) if in_data else _in_model(headers, category)
    unique: dict[str, Item] = {}
    for item in found:
        if not keyword.iskeyword(item.name):
            unique.setdefault(item.name, item)
    return list(unique.values())


def _fields(headers: Headers, struct: str) -> dict[str, Field]:
    return {field.name: field for field in headers.structs[struct].fields if field.rows}


def _in_model(headers: Headers, category: Category) -> Iterator[Item]:
    fields = _fields(headers, "mjModel")
    taken = set()
    for prefix, name, array, address, lengths in _SLICES:
        if prefix == category.prefix:
            counts = tuple(lengths.split())
            part = "kPicture" if len(counts) > 1 else "kSlice"
            yield Item(name, fields[array], part, address, counts)
    joint = category.type == "mjOBJ_JOINT"
    if joint:
        # dof_bodyid goes before jnt_bodyid, as in the reference; the others of a name are jnt_
        yield Item("bodyid", fields["dof_bodyid"], "kDofs")
    for field in fields.values():
        if field.rows == category.size and field.name.startswith(category.prefix):
            name = field.name.removeprefix(category.prefix)
            taken.add(name)
            yield Item(name, field, "kRow")
            if category.type == "mjOBJ_TENDON":
                yield Item(f"_{name}", field, "kRow")
        elif field.rows in _BLOCKS and field.name.startswith(category.prefix):
            address, length = _BLOCKS[field.rows]
            yield Item(
                field.name.removeprefix(category.prefix), field, "kBlock", address, (length,)
            )
    if joint:
        for field in fields.values():
            if field.rows == "nv" and field.name.startswith("dof_"):
                name = field.name.removeprefix("dof_")
                yield Item(field.name if name in taken | {"bodyid"} else name, field, "kDofs")
        for name in ("qpos0", "qpos_spring"):
            yield Item(name, fields[name], "kCoords")


def _in_data(headers: Headers, category: Category) -> Iterator[Item]:
    fields = _fields(headers, "mjData")
    prefix = "ten_" if category.type == "mjOBJ_TENDON" else category.prefix
    for word in category.data.split():
        field = fields[word]
        if word == "sensordata":
            yield Item("data", field, "kSlice", "sensor_adr", ("sensor_dim",))
            continue
        if field.rows in _BLOCKS:
            address, length = _BLOCKS[field.rows]
            yield Item(word.removeprefix(prefix), field, "kBlock", address, (length,))
            continue
        part = _PARTS.get(word) or {"nq": "kCoords", "nv": "kDofs"}.get(field.rows or "", "kRow")
        yield Item(word.removeprefix(prefix), field, part)


def write_named(headers: Headers) -> str:
    """The text of named.inc."""
    lines = ["// Written by python/generate/named.py."]
    classes = []
    for category in CATEGORIES:
        for in_data in (False, True) if category.data else (False,):
            view = view_name(category, in_data)
            lines.append(f"const ItemRow items{view}[] = {{")
            for item in items(headers, category, in_data):
                lengths = ", ".join(f'"{length}"' for length in item.lengths)
                lines.append(
                    f'  {{"{item.name}", "{item.field.name}", Part::{item.part}, '
                    f'"{item.address}", {{{lengths}}}}},'
                )
            lines.append("};")
            methods = ", ".join(f'"{name}"' for name in category.methods)
            classes.append(
                f'  {{{category.type}, {str(in_data).lower()}, "{category.size}", '
                f'"condyle._structs.{view}", {{{methods}}}, items{view}, '
                f"static_cast<int>(sizeof items{view} / sizeof *items{view})}},"
            )
    return "\n".join([*lines, "const ClassRow kClasses[] = {", *classes, "};"]) + "\n"
