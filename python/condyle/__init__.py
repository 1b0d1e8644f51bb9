"""Condyle: a physics engine for articulated bodies in contact.

A superset of MuJoCo's Python module: ``import condyle as mujoco`` runs programs written for it, and
``condyle.install_as_mujoco()`` lets libraries that import it run unchanged.
"""

from __future__ import annotations

import os as _os
from typing import TYPE_CHECKING
from typing import Any as _Any

import numpy as _np

from condyle import (
    _callbacks,
    _condyle,
    _constants,
    _enums,
    _errors,
    _functions,
    _render,
    _specs,
    _structs,
)
from condyle._callbacks import *  # noqa: F403
from condyle._condyle import *  # noqa: F403
from condyle._constants import *  # noqa: F403
from condyle._errors import FatalError as FatalError
from condyle._errors import UnexpectedError as UnexpectedError
from condyle._functions import *  # noqa: F403
from condyle._model import bind as _bind
from condyle._model.diagnostic import Diagnostic as Diagnostic
from condyle._model.diagnostic import ModelError as ModelError
from condyle._model.dialect import set_default_dialect as set_default_dialect
from condyle._model.path import MjsTendonPath as MjsTendonPath
from condyle._model.plain import MjPreContact as MjPreContact
from condyle._model.plain import MjrVertexAttribute as MjrVertexAttribute
from condyle._model.robot import load_robot as load_robot
from condyle._model.robot import robot_spec as robot_spec
from condyle._model.zip import from_zip as from_zip
from condyle._model.zip import to_zip as to_zip
from condyle._render import *  # noqa: F403
from condyle._specs import MjStruct as MjStruct
from condyle._specs import MjVisualHeadlight as MjVisualHeadlight
from condyle._specs import MjVisualRgba as MjVisualRgba
from condyle._support import plugins as _plugins

# type checkers see at once what is loaded at its first use
if TYPE_CHECKING:
    from condyle import batch as batch
    from condyle import cgl as cgl
    from condyle import egl as egl
    from condyle import gl_context as gl_context
    from condyle import glfw as glfw
    from condyle import introspect as introspect
    from condyle import minimize as minimize
    from condyle import msh2obj as msh2obj
    from condyle import osmesa as osmesa
    from condyle import renderer as renderer
    from condyle import replay as replay
    from condyle import rollout as rollout
    from condyle import simulations as simulations
    from condyle import viewer as viewer
    from condyle._enums import *
    from condyle._support.install import install_as_mujoco as install_as_mujoco
    from condyle._support.install import uninstall_as_mujoco as uninstall_as_mujoco
    from condyle._viewer.notebook import show as show
    from condyle.batch import Batch as Batch
    from condyle.batch import BatchError as BatchError
    from condyle.gl_context import GLContext as GLContext
    from condyle.renderer import Renderer as Renderer

__version__ = _condyle.cnd_version()

# the type of the engine's numbers
MJTNUM_BYTES = _condyle.MJTNUM_BYTES
MJTNUM_DTYPE = _np.float64 if MJTNUM_BYTES == _np.dtype(_np.float64).itemsize else _np.float32

HEADERS_DIR = _os.path.join(_os.path.dirname(__file__), "include", "mujoco")
PLUGINS_DIR = _os.path.join(_os.path.dirname(__file__), "plugin")
PLUGIN_HANDLES = _plugins.load(
    [PLUGINS_DIR, *_os.environ.get("MUJOCO_PLUGIN_DIR", "").split(_os.pathsep)]
)

from condyle._support import picture as _picture  # noqa: E402

# loaded at first use: names of modules, and names that a module has
_MODULES = frozenset(
    "batch cgl egl gl_context glfw introspect minimize msh2obj osmesa renderer rendering replay "
    "rollout simulations viewer".split()
)
_NAMES = {
    "Batch": "batch",
    "BatchError": "batch",
    "GLContext": "gl_context",
    "Renderer": "renderer",
    "install_as_mujoco": "_support.install",
    "show": "_viewer.notebook",
    "uninstall_as_mujoco": "_support.install",
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> _Any:
        if name in _enums.__all__:
            return getattr(_enums, name)
        if name in _MODULES or name in _NAMES:
            import importlib  # noqa: PLC0415

            module = importlib.import_module(f"condyle.{_NAMES.get(name, name)}")
            if name in _MODULES:
                return module
            if hasattr(module, name):
                return globals().setdefault(name, getattr(module, name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(_enums), *_NAMES, "gl_context", "renderer"})


del TYPE_CHECKING
