"""Chooses the kind of OpenGL context by the environment variable MUJOCO_GL, when it is imported.

``GLContext`` is the class of the module chosen; there is none if drawing is switched off.
"""

from __future__ import annotations

import importlib
import os
import platform

_ON = frozenset(["", "enable", "enabled", "on", "true", "1"])
_OFF = frozenset(["disable", "disabled", "off", "false", "0"])

# names of modules by system and value
_MODULES = {
    "Linux": {"glfw": "glfw", "glx": "glfw", "egl": "egl", "osmesa": "osmesa"},
    "Windows": {"glfw": "glfw", "wgl": "glfw"},
    "Darwin": {"glfw": "cgl", "cgl": "cgl"},
}


def choose(value: str, system: str) -> str | None:
    """Return the name of the module for a value of MUJOCO_GL on a system.

    Parameters
    ----------
    value
        The variable; case and blanks around it do not matter.
    system
        As ``platform.system()`` says.

    Returns
    -------
    name
        "egl", "osmesa", "glfw" or "cgl"; None if drawing is switched off.

    Raises
    ------
    RuntimeError
        The value is none of those of the system.
    """
    plain = value.strip().lower()
    if plain in _OFF:
        return None
    modules = _MODULES.get(system, _MODULES["Linux"])
    if plain in _ON:
        return modules["glfw"]
    if plain not in modules:
        raise RuntimeError(f"invalid value for environment variable MUJOCO_GL: {plain}")
    return modules[plain]


_chosen = choose(os.environ.get("MUJOCO_GL", ""), platform.system())
if _chosen is not None:
    GLContext = importlib.import_module(f"condyle.{_chosen}").GLContext
