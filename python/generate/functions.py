"""Writes functions.inc: one row per C function that Python calls by its own name.

A row holds the names and kinds of the arguments, a check of the arrays' shapes, and a call.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

from . import rules
from .declarations import Array, Function, Headers, Named, Parameter, Pointer
from .nullable import NULLABLE
from .structs import STRUCTS, class_name

__all__ = ["Argument", "Binding", "bindings", "write_by_hand", "write_functions"]

_FLOATS = {"mjtNum", "float", "double"}
_INTEGERS = {
    "int": ("INT_MIN", "INT_MAX"),
    "mjtByte": ("0", "255"),
    "unsigned int": ("0", "UINT_MAX"),
    "unsigned char": ("0", "255"),
    "size_t": ("0", "LLONG_MAX"),
    "mjtSize": ("0", "LLONG_MAX"),
    "long long": ("LLONG_MIN", "LLONG_MAX"),
}
_ARRAYS = {
    "mjtNum": ("kNum", "float64"),
    "double": ("Number::kFloat64", "float64"),
    "float": ("Number::kFloat32", "float32"),
    "int": ("Number::kInt32", "int32"),
    "mjtByte": ("Number::kUint8", "uint8"),
    "unsigned char": ("Number::kUint8", "uint8"),
}
_STRUCTS = {struct.name for struct in STRUCTS}
# counts of the data that shapes name
_COUNTS = {"nefc", "ncon", "nJ"}


@dataclass(frozen=True)
class Argument:
    """One argument as Python sees it."""

    name: str
    kind: str  # kModel, kData, kStruct, kInt, kState, kDouble, kText, kInput, kOutput
    annotation: str
    c: Parameter
    shape: str = ""
    optional: bool = False
    omissible: bool = False


@dataclass(frozen=True)
class Binding:
    """A function as Python sees it. ``hidden`` are lengths that C wants and arrays tell."""

    function: Function
    arguments: tuple[Argument, ...]
    hidden: tuple[str, ...]
    result: str  # annotation

    @property
    def signature(self) -> str:
        """``mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None``."""
        parts = [
            f"{a.name}: {a.annotation}{' = None' if a.omissible else ''}" for a in self.arguments
        ]
        return f"{self.function.name}({', '.join(parts)}) -> {self.result}"


def _parts(shape: str) -> list[str]:
    """Lengths of a shape: what commas outside of parentheses separate."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", shape)]


def _variables(shape: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", shape))


def _is_excluded(name: str) -> bool:
    return any(
        name == start or (name.startswith(start) and (len(start) > 4 or start == "mjv_"))
        for start in rules.EXCLUDED
        if not start.endswith("(")
    ) or any(name.startswith(p) for p in ("mjs_", "mjp_", "mjc_", "mjui_"))


def bindings(headers: Headers) -> list[Binding]:
    """All functions for Python, in the order of the headers."""
    result = []
    for function in headers.functions.values():
        name = function.name
        if function.hidden or function.variadic or _is_excluded(name):
            continue
        if name.startswith("cnd_") and name not in rules.SHAPES and name not in rules.PLAIN:
            continue
        if name in rules.BY_HAND:
            continue
        if name in rules.WITH_NORMAL:
            more = headers.functions[rules.WITH_NORMAL[name]]
            function = replace(more, name=name, doc=function.doc)
        result.append(_bind(function, headers))
    return result


def _bind(function: Function, headers: Headers) -> Binding:
    shapes = rules.SHAPES.get(function.name, {})
    names = {p.name for p in function.parameters}
    hidden = []
    for parameter in function.parameters:
        used = any(parameter.name in _variables(shape) for shape in shapes.values())
        stays = parameter.name in rules.STAYS.get(function.name, frozenset())
        if used and not stays and parameter.base == "int" and not parameter.pointers:
            hidden.append(parameter.name)
    arguments = []
    for parameter in function.parameters:
        if parameter.name not in hidden:
            arguments.append(_argument(function, parameter, shapes))
    unknown = set(shapes) - names
    if unknown and shapes is not rules.VECTOR:
        raise ValueError(f"{function.place}: no argument {sorted(unknown)} in {function.name}")
    return Binding(function, tuple(arguments), tuple(hidden), _result(function, headers))


def _argument(function: Function, parameter: Parameter, shapes: dict[str, str]) -> Argument:
    name = rules.RENAMED.get(parameter.name, parameter.name)
    base = parameter.base
    strict = rules.NEVER_NONE.get(function.name, frozenset())
    omissible = parameter.name in rules.OMISSIBLE.get(function.name, frozenset())
    optional = parameter.name in NULLABLE.get(function.name, ()) and parameter.name not in strict
    optional = optional or omissible
    none = " | None" if optional else ""

    def make(kind: str, annotation: str, shape: str = "") -> Argument:
        return Argument(name, kind, annotation + none, parameter, shape, optional, omissible)

    pointed = isinstance(parameter.type, (Pointer, Array))
    if base == "mjModel" and pointed:
        return make("kModel", "MjModel")
    if base == "mjData" and pointed:
        return make("kData", "MjData")
    if base in _STRUCTS and isinstance(parameter.type, (Pointer, Named)):
        return make("kStruct", class_name(base))
    if base == "char" and isinstance(parameter.type, Pointer) and parameter.const:
        return make("kText", "str")
    if not pointed:
        if base in _FLOATS:
            return make("kDouble", "float")
        if base in _INTEGERS or base.startswith("mjt"):
            return make("kState" if name in rules.STATES else "kInt", "int")
    elif base in _ARRAYS:
        inputs = rules.INPUTS.get(function.name, frozenset())
        kind = "kInput" if parameter.const or parameter.name in inputs else "kOutput"
        extents = parameter.extents
        if parameter.name in shapes:
            shape = shapes[parameter.name]
        elif extents and all(extents):
            shape = str(extents[0]) if len(extents) == 1 else ", ".join(map(str, extents))
        elif parameter.name in rules.FIXED:
            shape = rules.FIXED[parameter.name]
        else:
            raise ValueError(f"{function.place}: no shape for {parameter.name} of {function.name}")
        dtype = f"NDArray[np.{_ARRAYS[base][1]}]"
        return make(kind, "ArrayLike" if kind == "kInput" else dtype, shape)
    raise ValueError(f"{function.place}: can't bind {parameter.name} of {function.name}")


def _result(function: Function, headers: Headers) -> str:
    result = function.result
    if isinstance(result, Named):
        if result.name == "void":
            return "None"
        if result.name in _FLOATS:
            return "float"
        if result.name in _INTEGERS or result.name in headers.enums:
            return "int"
        if result.name in _STRUCTS:
            return class_name(result.name)
    if isinstance(result, Pointer) and isinstance(result.inner, Named):
        if result.inner.name == "char" and result.inner.const:
            return "str | None"
    raise ValueError(f"{function.place}: can't return from {function.name}")


def write_by_hand() -> str:
    """The text of by_hand.inc: documentation of functions with code of their own."""
    lines = ["// Written by python/generate/functions.py."]
    for name, function in rules.BY_HAND.items():
        doc = json.dumps(f"{name}{function.signatures[0]}\n\n{function.doc}")
        lines.append(f"constexpr char doc_{name}[] = {doc};")
    return "\n".join(lines) + "\n"


def write_functions(headers: Headers) -> str:
    """The text of functions.inc."""
    lines = ["// Written by python/generate/functions.py."]
    rows = []
    for binding in bindings(headers):
        lines += _write(binding, headers)
        rows.append(_row(binding))
    lines.append("const Function kFunctions[] = {")
    lines += rows
    lines.append("};")
    return "\n".join(lines) + "\n"


def _value(index: int, parameter: Parameter) -> str:
    """The C++ expression of an argument of the call."""
    base = parameter.base
    if isinstance(parameter.type, (Pointer, Array)):
        return f"static_cast<{base} *>(v[{index}].p)"
    if base in _STRUCTS:
        return f"*static_cast<{base} *>(v[{index}].p)"
    if base in _FLOATS:
        return f"static_cast<{base}>(v[{index}].x)"
    return f"static_cast<{base}>(v[{index}].i)"


def _write(binding: Binding, headers: Headers) -> list[str]:
    function = binding.function
    name = function.name
    index = {a.c.name: i for i, a in enumerate(binding.arguments)}
    count = len(binding.arguments)
    for i, hidden in enumerate(binding.hidden):
        index[hidden] = count + i
    values = [_value(index[p.name], p) for p in function.parameters]
    called = f"RENDER({name})" if name.startswith("mjr_") else name
    call = f"{called}({', '.join(values)})"
    if name in rules.WITH_NORMAL:
        # errors name the function that does the work
        more = f"{rules.WITH_NORMAL[name]}({', '.join(values)})"
        call = f"v[{index['normal']}].p ? {more} : {name}({', '.join(values[:-1])})"
    if name in rules.LATER:
        call = f"release_is_later() ? {rules.LATER[name]}({', '.join(values)}) : {call}"
    result = binding.result
    store = {
        "None": f"{call};",
        "float": f"v[kResult].x = static_cast<double>({call});",
        "int": f"v[kResult].i = static_cast<long long>({call});",
        "str | None": f"v[kResult].p = const_cast<char *>({call});",
    }.get(
        result,
        f"*static_cast<{function.result.name}*>(v[kResult].p) = {call};"
        if isinstance(function.result, Named)
        else "",
    )
    lines = [f"void call_{name}(Value *v) {{ (void)v; {store} }}"]
    lines += _write_check(binding, index, headers)
    if binding.arguments:
        lines.append(f"const Argument arguments_{name}[] = {{")
        for a in binding.arguments:
            number, low, high, struct = "kNum", "0", "0", "nullptr"
            if a.kind in ("kInput", "kOutput"):
                number = _ARRAYS[a.c.base][0]
            elif a.kind in ("kInt", "kState"):
                low, high = _INTEGERS.get(a.c.base, ("INT_MIN", "INT_MAX"))
            elif a.kind == "kStruct":
                struct = json.dumps(a.c.base)
            flat = str(a.kind in ("kInput", "kOutput") and _is_flat(a)).lower()
            lines.append(
                f'{{"{a.name}", Kind::{a.kind}, {number}, {low}, {high}, {struct}, '
                f"{str(a.optional).lower()}, {str(a.omissible).lower()}, {flat}}},"
            )
        lines.append("};")
    return lines


def _is_flat(argument: Argument) -> bool:
    """A vector is flat; a matrix written as [9] or with a product may come in two dimensions."""
    parts = _parts(argument.shape)
    return len(parts) == 1 and "*" not in parts[0] and not argument.c.extents


def _write_check(binding: Binding, index: dict[str, int], headers: Headers) -> list[str]:
    """The function that looks at shapes before a call, and finds the lengths that C wants."""
    name = binding.function.name
    arrays = [a for a in binding.arguments if a.shape]
    if not arrays and name not in rules.CHECKS:
        return []
    sizes = {field.name for field in headers.structs["mjModel"].fields if field.name[0] == "n"}
    known = {a.c.name for a in binding.arguments}
    lines = [f"const char *check_{name}(Value *v) {{", *_declare(binding, index)]
    for variable in _open_lengths(arrays, known | sizes | _COUNTS, headers):
        lines += _find_length(variable, arrays, index)
    for a in arrays:
        parts = [_expand(part, sizes, known) for part in _parts(a.shape)]
        what = f"shape ({a.shape})" if len(parts) > 1 else f"size {a.shape}"
        text = json.dumps(f"{a.name} should be of {what}")
        lines.append(f"  if (!fits(v[{index[a.c.name]}].a, {', '.join(parts)})) return {text};")
    for hidden in binding.hidden:
        lines.append(f'  if ({hidden} < 0 || {hidden} > INT_MAX) return "{hidden} is unknown";')
        lines.append(f"  v[{index[hidden]}].i = {hidden};")
    for argument, count in rules.INDICES.get(name, {}).items():
        text = json.dumps(f"{name}: {argument} is %lld, must be from 0 to %d")
        wrong = f"{argument} < 0 || {argument} >= m->{count}"
        lines.append(f"  if ({wrong}) mju_error({text}, {argument}, m->{count} - 1);")
    return [*lines, *_special_check(binding, index), "  return nullptr;", "}"]


def _declare(binding: Binding, index: dict[str, int]) -> list[str]:
    """Variables that shapes may name: the model, data and integers among the arguments."""
    kinds = {
        "kModel": "const auto *{0} = static_cast<const mjModel *>(v[{1}].p);",
        "kData": "const auto *{0} = static_cast<const mjData *>(v[{1}].p);",
        "kInt": "const long long {0} = v[{1}].i;",
        "kState": "const long long {0} = v[{1}].i;",
    }
    lines = []
    for a in binding.arguments:
        if a.kind in kinds:
            lines.append("  " + kinds[a.kind].format(a.c.name, index[a.c.name]))
            lines.append(f"  (void){a.c.name};")
    data = [a for a in binding.arguments if a.kind == "kData"]
    if data and not any(a.kind == "kModel" for a in binding.arguments):
        lines.append(f"  const mjModel *m = v[{index[data[0].c.name]}].model;")
        lines.append("  (void)m;")
    return lines


def _open_lengths(arrays: list[Argument], fixed: set[str], headers: Headers) -> list[str]:
    """Names in shapes that stand for nothing else: the arrays tell them."""
    found: dict[str, None] = {}
    for a in arrays:
        for variable in sorted(_variables(a.shape)):
            is_function = variable.startswith(("mj", "cnd_"))
            if variable not in fixed and variable not in headers.constants and not is_function:
                if variable not in ("m", "d"):
                    found[variable] = None
    return list(found)


def _find_length(variable: str, arrays: list[Argument], index: dict[str, int]) -> list[str]:
    """The length is that of the first array that has it alone."""
    lines = [f"  long long {variable} = -1;"]
    for a in arrays:
        parts = _parts(a.shape)
        if variable in parts:
            place = "rows" if parts.index(variable) == 0 else "columns"
            what = f"v[{index[a.c.name]}].a.{'size' if len(parts) == 1 else place}"
            lines.append(
                f"  if ({variable} < 0 && v[{index[a.c.name]}].a.array) {variable} = {what};"
            )
    return lines


def _special_check(binding: Binding, index: dict[str, int]) -> list[str]:
    """A check of contents, e.g. of indices in a sparse matrix."""
    condition, message = rules.CHECKS.get(binding.function.name, ("", ""))
    if not condition:
        return []
    lines = []
    for a in binding.arguments:
        pointed = a.kind in ("kInput", "kOutput", "kStruct")
        if pointed and re.search(rf"\b{a.c.name}\b", condition):
            value = f"static_cast<{a.c.base} *>(v[{index[a.c.name]}].p)"
            lines.append(f"  auto *{a.c.name} = {value};")
    return [*lines, f"  if (!({condition})) return {json.dumps(message)};"]


def _expand(part: str, sizes: set[str], known: set[str]) -> str:
    """A length as C++: sizes are those of the model, counts those of the data."""

    def replace(match: re.Match[str]) -> str:
        name = match.group(0)
        if name in known:
            return name if not name == "sig" else "static_cast<unsigned int>(sig)"
        if name in sizes:
            return f"m->{name}"
        if name in _COUNTS:
            return f"d->{name}"
        return name

    return re.sub(r"[A-Za-z_]\w*", replace, part)


def _row(binding: Binding) -> str:
    name = binding.function.name
    doc = json.dumps(f"{binding.signature}\n\n{binding.function.doc}")
    arguments = f"arguments_{name}" if binding.arguments else "nullptr"
    check = (
        f"check_{name}"
        if any(a.shape for a in binding.arguments) or name in rules.CHECKS
        else "nullptr"
    )
    result = {"None": "kNone", "float": "kDouble", "int": "kInt", "str | None": "kText"}.get(
        binding.result, "kStruct"
    )
    struct = (
        json.dumps(binding.function.result.name)
        if result == "kStruct" and isinstance(binding.function.result, Named)
        else "nullptr"
    )
    long = any(a.kind in ("kModel", "kData") for a in binding.arguments)
    return (
        f'{{"{name}", {doc}, {arguments}, {len(binding.arguments)}, {len(binding.hidden)}, '
        f"Result::{result}, {struct}, call_{name}, {check}, {str(long).lower()}}},"
    )
