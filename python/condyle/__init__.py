"""Condyle: a physics engine for articulated bodies in contact.

A superset of MuJoCo's Python module: ``import condyle as mujoco`` runs programs written for it, and
``condyle.install_as_mujoco()`` lets libraries that import it run unchanged.
"""

from __future__ import annotations

import os as _os
from typing import Any as _Any

from condyle import _callbacks, _condyle, _constants, _enums, _errors, _functions, _structs
from condyle._callbacks import *  # noqa: F403
from condyle._condyle import *  # noqa: F403
from condyle._constants import *  # noqa: F403
from condyle._diagnostic import Diagnostic, ModelError
from condyle._errors import FatalError, UnexpectedError

__version__ = _condyle.cnd_version()

HEADERS_DIR = _os.path.join(_os.path.dirname(__file__), "include", "mujoco")
PLUGINS_DIR = _os.path.join(_os.path.dirname(__file__), "plugin")


def __getattr__(name: str) -> _Any:
    if name.startswith(("mjt", "cndt")):
        return getattr(_enums, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(_enums)})
