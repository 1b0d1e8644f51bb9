"""From C types as text to nodes: ``parse_type("const mjtNum[9]")``."""

from __future__ import annotations

import re

from condyle.introspect.ast_nodes import ArrayType, PointerType, ValueType

Type = ValueType | PointerType | ArrayType

_EXTENTS = re.compile(r"(?:\[[^\]]*\]\s*)+\Z")
_QUALIFIERS = ("const", "volatile", "restrict")


def parse_type(type_name: str) -> Type:
    """Return the node of a type.

    Parameters
    ----------
    type_name
        A type as in C, without a name: values, pointers, arrays, pointers to arrays; no functions.

    Raises
    ------
    ValueError
        The text is no such type.
    """
    text = type_name.strip()
    # C declares inside out: the declarator in parentheses has the type that surrounds it
    match = re.fullmatch(r"([^()]*)\(([^()]*)\)\s*((?:\[[^\]]*\]\s*)+)", text)
    if match is None:
        if "(" in text or ")" in text:
            raise ValueError(f"{type_name!r} has parentheses that are not those of a pointer")
        return _array(text, type_name)
    before, inner, extents = match.groups()
    if not inner.strip().startswith("*"):
        raise ValueError(f"{type_name!r} has parentheses that are not those of a pointer")
    return _pointers(_array(f"{before.strip()}{extents}", type_name), inner.strip(), type_name)


def parse_function_return_type(type_name: str) -> Type:
    """Return the node of what a function returns, e.g. of ``const char *(mjModel *, int)``."""
    start = type_name.find("(")
    if start < 0:
        raise ValueError(f"{type_name!r} is not the type of a function")
    return parse_type(type_name[:start])


def _array(text: str, whole: str) -> Type:
    match = _EXTENTS.search(text)
    if match is None:
        return _pointer(text, whole)
    extents = [int(extent) for extent in re.findall(r"\[([^\]]*)\]", match.group()) if extent]
    if len(extents) != match.group().count("[") or min(extents) < 1:
        raise ValueError(f"{whole!r} has an extent that is not a positive number")
    return ArrayType(_pointer(text[: match.start()].strip(), whole), tuple(extents))


def _pointer(text: str, whole: str) -> Type:
    star = text.find("*")
    if star < 0:
        return _value(text)
    return _pointers(_value(text[:star].strip()), text[star:], whole)


def _pointers(inner: Type, stars: str, whole: str) -> Type:
    for part in stars.split("*")[1:]:
        words = part.split()
        if len(set(words)) < len(words) or not set(words) <= set(_QUALIFIERS):
            raise ValueError(f"{whole!r} has an invalid qualifier of a pointer: {part.strip()!r}")
        inner = PointerType(
            inner,
            is_const="const" in words,
            is_volatile="volatile" in words,
            is_restrict="restrict" in words,
        )
    return inner


def _value(text: str) -> ValueType:
    words = text.split()
    name = " ".join(word for word in words if word not in _QUALIFIERS[:2])
    return ValueType(name, is_const="const" in words, is_volatile="volatile" in words)
