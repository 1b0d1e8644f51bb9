"""Types of C in the words of Python's type checkers, and the text of stubs made of them.

A stub says more than a signature in the documentation: which element type an array must have, and
that whole numbers may be NumPy's. Attributes are properties, because what may be assigned
(``d.ctrl = 0.5``) is wider than what is read.
"""

from __future__ import annotations

from collections.abc import Iterable

from .declarations import Array, Named, Pointer, Type

__all__ = [
    "DTYPES",
    "FLOATS",
    "array_of",
    "attribute",
    "base_of",
    "docstring",
    "head",
    "method",
    "number_types",
]

# element types of arrays, in NumPy's words
DTYPES = {
    "mjtNum": "np.float64",
    "double": "np.float64",
    "float": "np.float32",
    "int": "np.int32",
    "mjtByte": "np.uint8",
    "unsigned char": "np.uint8",
    "char": "np.int8",
    "unsigned int": "np.uint32",
    "uintptr_t": "np.uint64",
    "uint64_t": "np.uint64",
    "mjtSize": "np.uint64",
    "size_t": "np.uint64",
}

FLOATS = frozenset({"mjtNum", "double", "float"})


def base_of(type: Type) -> str:
    """Name of the C type below pointers and extents; "" if it has none."""
    while isinstance(type, Array | Pointer):
        type = type.inner
    return type.name if isinstance(type, Named) else ""


def array_of(base: str) -> str:
    """The array that holds elements of a C type; enums are integers."""
    return f"NDArray[{DTYPES.get(base, 'np.int32')}]"


def number_types(base: str) -> tuple[str, str]:
    """What one number of a C type is when read, and what may be assigned."""
    if base == "bool":
        return "bool", "bool"
    return ("float", "SupportsFloat") if base in FLOATS else ("int", "SupportsIndex")


def docstring(text: str, indent: int) -> str:
    """A docstring of one line; "" if there is nothing to say."""
    if not text:
        return ""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    text += " " if text.endswith('"') else ""
    return f'{" " * indent}"""{text}"""\n'


def method(
    name: str, arguments: Iterable[str], result: str, doc: str = "", indent: int = 4, mark: str = ""
) -> str:
    """A method or function; ``mark`` is a decorator."""
    blanks = " " * indent
    text = f"{blanks}@{mark}\n" if mark else ""
    text += f"{blanks}def {name}({', '.join(arguments)}) -> {result}:"
    body = docstring(doc, indent + 4)
    return f"{text}\n{body}" if body else f"{text} ...\n"


def attribute(name: str, reads: str, assigns: str | None, doc: str, indent: int = 4) -> str:
    """A property; ``assigns`` None: it can't be set."""
    text = method(name, ["self"], reads, doc, indent, "property")
    if assigns:
        text += method(name, ["self", f"value: {assigns}"], "None", "", indent, f"{name}.setter")
    return text


def head(title: str, imports: str) -> str:
    """The beginning of a stub."""
    return (
        f'"""{title} Written by python/generate."""\n\n'
        f"from __future__ import annotations\n\n{imports}\n"
    )
