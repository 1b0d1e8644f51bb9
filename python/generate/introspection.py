"""Writes the data of condyle.introspect: enums, functions, structs and mjxmacro.

``PYTHONPATH=python python -m generate.introspection INCLUDE_FOLDER OUTPUT_FOLDER``

The data describe the interface that is compatible with MuJoCo. Left out are what only Condyle has,
and what the nodes cannot say: structs and functions with pointers to functions, and the containers
of vector.h, which are classes in C++.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from . import later, nullable
from .declarations import (
    Anonymous,
    Array,
    Enum,
    EnumValue,
    Field,
    Function,
    FunctionType,
    Headers,
    Named,
    Place,
    Pointer,
    Struct,
    Type,
)
from .headers import HeaderError, read_headers

# containers, and what describes plugins and resources
_CONTAINERS = frozenset(
    ["mjString", "mjStringVec", "mjIntVec", "mjIntVecVec", "mjFloatVec", "mjFloatVecVec"]
    + ["mjDoubleVec", "mjByteVec", "mjResource", "mjpResourceProvider", "mjpPlugin"]
    + ["mjpDecoder", "mjpEncoder"]
)

_HEAD = '"""{title}, generated from the headers by generate.introspection."""\n\n'


def main(arguments: list[str]) -> int:
    """Write the four modules; returns the exit status."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    include, output = (Path(argument) for argument in arguments)
    try:
        texts = write_introspection(read_headers(include))
    except HeaderError as error:
        print(error, file=sys.stderr)
        return 1
    output.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (output / name).write_text(text, encoding="utf-8")
    return 0


def write_introspection(headers: Headers, switch: bool = False) -> dict[str, str]:
    """Return the text of each module by its file name; ``switch``: it may show a later one."""
    texts = {name: _sizes_before(text) for name, text in _write(headers).items()}
    return {name: text + _switch(name) for name, text in texts.items()} if switch else texts


def _write(headers: Headers) -> dict[str, str]:
    nullable.check(headers)
    return {
        "enums.py": enums(headers),
        "functions.py": functions(headers),
        "structs.py": structs(headers),
        "mjxmacro.py": mjxmacro(headers),
    }


def _sizes_before(text: str) -> str:
    """Give arrays of actuators their size of 3.3.7, which has one control and force for each."""
    return re.sub(r"(?<!StructFieldDecl)\('(nactuator|nout)'", "('nu'", text)


# tables of each module
_TABLES = {
    "enums": ("ENUMS",),
    "functions": ("FUNCTIONS",),
    "structs": ("STRUCTS",),
    "mjxmacro": ("MJMODEL", "MJDATA"),
}


def _switch(file: str) -> str:
    """The end of a module, which shows the tables of 4.0.0 if the process has chosen it."""
    module = file.removesuffix(".py")
    return (
        "\nfrom condyle import _enums as _release  # noqa: E402\n\nif _release._later:\n"
        f"    from condyle.introspect.later import {module} as _newer\n\n"
        + "".join(f"    {table} = _newer.{table}\n" for table in _TABLES[module])
    )


def write_later_introspection(headers: Headers, before: Headers) -> dict[str, str]:
    """Return the texts of the modules for 4.0.0, of headers that were read for it.

    What they don't document is as in the headers of before. Enums have the numbers of 4.0.0.
    """
    for name, function in headers.functions.items():
        if name in before.functions:
            headers.functions[name] = replace(function, doc=before.functions[name].doc)
    for name, members in later.enum_members().items():
        known = headers.enums.get(name)
        docs = {value.name: value.doc for value in known.values} if known else {}
        values = tuple(EnumValue(k, v, docs.get(k, "")) for k, v in members.items())
        place = known.place if known else Place("<4.0.0>", 0)
        headers.enums[name] = Enum(name, f"{name}_", values, known.doc if known else "", place)
    return {f"later/{name}": text for name, text in _write(headers).items()}


def enums(headers: Headers) -> str:
    """Return the module with ENUMS."""
    text = _HEAD.format(title="Enums of the C interface")
    text += "from condyle.introspect.ast_nodes import EnumDecl\n\n"
    text += "ENUMS: dict[str, EnumDecl] = {\n"
    text += "".join(_enum(item) for item in headers.enums.values() if _public(item.name))
    return text + "}\n"


def _enum(item: Enum) -> str:
    values = "".join(f"            {value.name!r}: {value.value},\n" for value in item.values)
    return (
        f"    {item.name!r}: EnumDecl(\n        {item.name!r},\n        'enum {item.tag}',\n"
        f"        {{\n{values}        }},\n    ),\n"
    )


def functions(headers: Headers) -> str:
    """Return the module with FUNCTIONS."""
    text = _HEAD.format(title="Functions of the C interface")
    text += (
        "from condyle.introspect.ast_nodes import (\n    ArrayType,\n    FunctionDecl,\n"
        "    FunctionParameterDecl,\n    PointerType,\n    ValueType,\n)\n\n"
    )
    text += "FUNCTIONS: dict[str, FunctionDecl] = {\n"
    text += "".join(_function(item) for item in headers.functions.values() if _described(item))
    return text + "}\n"


def _described(item: Function) -> bool:
    return _public(item.name) and not any(_calls(parameter.type) for parameter in item.parameters)


def _function(item: Function) -> str:
    may_be_null = nullable.NULLABLE.get(item.name, ())
    lines = [
        f"            FunctionParameterDecl({parameter.name!r}, {_type(parameter.type)}"
        + (", nullable=True" if parameter.name in may_be_null else "")
        + "),\n"
        for parameter in item.parameters
    ]
    return (
        f"    {item.name!r}: FunctionDecl(\n        {item.name!r},\n        {_type(item.result)},\n"
        f"        (\n{''.join(lines)}        ),\n        {item.doc!r},\n    ),\n"
    )


def structs(headers: Headers) -> str:
    """Return the module with STRUCTS."""
    text = _HEAD.format(title="Structs of the C interface")
    text += (
        "from condyle.introspect.ast_nodes import (\n    AnonymousStructDecl,\n"
        "    AnonymousUnionDecl,\n    ArrayType,\n    PointerType,\n    StructDecl,\n"
        "    StructFieldDecl,\n    ValueType,\n)\n\n"
    )
    text += "STRUCTS: dict[str, StructDecl] = {\n"
    for item in headers.structs.values():
        if _public(item.name) and item.name != item.tag and item.name not in _CONTAINERS:
            text += (
                f"    {item.name!r}: StructDecl(\n        {item.name!r},\n"
                f"        '{item.kind} {item.tag}',\n        (\n"
                f"{_fields(item.fields, 12)}        ),\n    ),\n"
            )
    return text + "}\n"


def _fields(fields: tuple[Field, ...], indent: int) -> str:
    lines = []
    for item in fields:
        if item.private:
            continue
        if not item.name:
            lines.append(_type(item.type, indent))
            continue
        extent = ""
        if item.rows is not None:
            sizes = [item.rows] if item.columns == "1" else [item.rows, str(item.columns)]
            parts = [size if size.isdigit() else repr(size) for size in sizes]
            extent = f", ({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        lines.append(
            f"StructFieldDecl({item.name!r}, {_type(item.type, indent)}, {item.doc!r}{extent})"
        )
    return "".join(f"{' ' * indent}{line},\n" for line in lines)


def mjxmacro(headers: Headers) -> str:
    """Return the module with MJMODEL and MJDATA."""
    text = _HEAD.format(title="Rows and columns of the arrays of mjModel and mjData")
    for name, struct in (("MJMODEL", "mjModel"), ("MJDATA", "mjData")):
        text += f"{name}: dict[str, tuple[str, str]] = {{\n"
        for item in _arrays(headers.structs[struct]):
            text += f"    {item.name!r}: ({item.rows!r}, {item.columns!r}),\n"
        text += "}\n\n"
    return text.rstrip("\n") + "\n"


def _arrays(struct: Struct) -> Iterator[Field]:
    return (item for item in struct.fields if item.rows is not None and not item.private)


def _public(name: str) -> bool:
    return name.startswith("mj")


def _calls(type: Type) -> bool:
    """Tell if a type points to a function."""
    if isinstance(type, Pointer | Array):
        return _calls(type.inner)
    return isinstance(type, FunctionType)


def _type(type: Type, indent: int = 0) -> str:
    """Return the expression that makes the node of a type."""
    if isinstance(type, Named):
        marks = ", is_const=True" if type.const else ""
        marks += ", is_volatile=True" if type.volatile else ""
        return f"ValueType({type.name!r}{marks})"
    if isinstance(type, Pointer):
        marks = ", is_const=True" if type.const else ""
        marks += ", is_restrict=True" if type.restrict else ""
        return f"PointerType({_type(type.inner)}{marks})"
    if isinstance(type, Array):
        extents = ", ".join(str(extent) for extent in type.extents)
        if None in type.extents:
            raise HeaderError(f"an array of {_type(type.inner)} has no length")
        comma = "," if len(type.extents) == 1 else ""
        return f"ArrayType({_type(type.inner)}, ({extents}{comma}))"
    if isinstance(type, Anonymous):
        node = "AnonymousUnionDecl" if type.kind == "union" else "AnonymousStructDecl"
        members = _fields(type.fields, indent + 4)
        return f"{node}(\n{' ' * indent}(\n{members}{' ' * indent}))"
    raise HeaderError(f"the nodes cannot say {type}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
