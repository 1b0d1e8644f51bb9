"""Prints the public names of a package called mujoco, for tests/python/later/surface.txt.

    python record_surface.py > surface.txt

Only names, what they stand for, and values of numbers and enums are written, as the running package
has them: ``MODULE NAME KIND MEMBERS``, with ``KIND`` one of module, class, function, value, enum.
"""

from __future__ import annotations

import importlib
import types
from typing import Any

MODULES = (
    "mujoco mujoco.batch mujoco.sysid mujoco.rollout mujoco.minimize mujoco.renderer "
    "mujoco.gl_context mujoco.viewer mujoco.msh2obj mujoco.introspect.structs "
    "mujoco.introspect.enums mujoco.introspect.functions mujoco.introspect.mjxmacro "
    "mujoco.introspect.ast_nodes mujoco.introspect.type_parsing mujoco._structs mujoco._specs "
    "mujoco._enums mujoco._functions mujoco._constants mujoco._errors mujoco._callbacks "
    "mujoco._render mujoco.rendering mujoco.rendering.classic "
    "mujoco.rendering.classic.renderer mujoco.rendering.classic.gl_context"
).split()


def kind(value: Any) -> str:
    """Return what a value is."""
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        return "enum" if hasattr(value, "__members__") else "class"
    if isinstance(value, (int, float, str, tuple)):
        return "value"
    return "function" if callable(value) else "object"


def is_borrowed(name: str, value: Any) -> bool:
    """Tell if a name belongs to Python, NumPy or another package."""
    home = getattr(value, "__module__", None) or getattr(value, "__name__", "")
    if isinstance(value, types.ModuleType):
        home = value.__name__
    return name in (
        "Optional",
        "Union",
        "Callable",
        "TypeAlias",
        "Any",
        "glfw",
        "Dict",
        "List",
    ) or (isinstance(home, str) and bool(home) and not home.startswith("mujoco"))


def describe(value: Any, in_full: bool) -> str:
    """Return the rest of a line; members and values only if they are wanted."""
    what = kind(value)
    if not in_full:
        return what
    if what == "enum":
        members = value.__members__.items()
        return "enum " + " ".join(f"{k}={getattr(v, 'value', v)}" for k, v in members)
    if what == "class":
        private = "__" if value.__name__.startswith("Mj") else "_"
        names = [n for n in dir(value) if not n.startswith(private) and "pybind11" not in n]
        return " ".join(["class", *names])
    return f"value {value!r}" if what == "value" else what


def main() -> None:
    """Print all lines."""
    for name in MODULES:
        module = importlib.import_module(name)
        for item in dir(module):
            value = getattr(module, item)
            if not item.startswith("_") and not is_borrowed(item, value):
                if not item.endswith("_DIR") and item != "mujoco":
                    print(name, item, describe(value, "._" not in name))


if __name__ == "__main__":
    main()
