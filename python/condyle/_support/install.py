"""Drop-in for the module `mujoco`: ``install_as_mujoco``.

Programs say ``import mujoco``. After installation they get a module of that name which shows the
names of condyle, and ``mujoco.X`` is the very module ``condyle.X``: a second copy would bring a
second set of classes, and an MjModel of one would not be an MjModel of the other.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import condyle
from condyle import _condyle, _constants, _enums

_NAME = "mujoco"
_OURS = "condyle"

# modules that have another name here: condyle.batch is an interface of our own
_RENAMED = {"batch": "simulations"}

# modules whose tables differ between releases
_INTROSPECTED = ("enums", "functions", "structs", "mjxmacro")

# names that the module called mujoco does not take from condyle
_OWN = frozenset(
    ["__name__", "__version__", "__file__", "__path__", "__spec__", "__loader__", "__package__"]
    + ["__doc__", "__dict__", "__cached__", "__builtins__", "__getattr__", "__dir__", "__all__"]
)


class _Mujoco(types.ModuleType):
    """The module called mujoco: names that it does not have are looked up in condyle."""

    __version__: str

    def __getattr__(self, name: str) -> Any:
        """Return what condyle has under a name, and keep it."""
        if name in _RENAMED:
            return importlib.import_module(f"{_NAME}.{name}")
        try:
            value = getattr(condyle, name)
        except AttributeError:
            raise AttributeError(f"module {_NAME!r} has no attribute {name!r}") from None
        # sub-modules may be imported or removed later, so only other values are kept
        if not isinstance(value, types.ModuleType) and name not in _enums.__all__:
            self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        """List the names of condyle and those set on this module."""
        return sorted(set(dir(condyle)) | set(self.__dict__))


class _Loader(importlib.abc.InspectLoader):
    """Loads ``mujoco.X`` by handing out ``condyle.X``."""

    def __init__(self, real: importlib.machinery.ModuleSpec) -> None:
        self.real = real

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Leave it to the import system to make a module, which is thrown away."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Put the real module in the place of the one just made."""
        sys.modules[module.__name__] = importlib.import_module(self.real.name)

    # used by python -m and by tools that show source

    def is_package(self, fullname: str) -> bool:
        """Tell if the module may have sub-modules."""
        return self.real.submodule_search_locations is not None

    def get_code(self, fullname: str) -> types.CodeType | None:
        """Return the code of the real module."""
        loader = self.real.loader
        if isinstance(loader, importlib.abc.InspectLoader):
            return loader.get_code(self.real.name)
        return None

    def get_source(self, fullname: str) -> str | None:
        """Return the source of the real module."""
        loader = self.real.loader
        if isinstance(loader, importlib.abc.InspectLoader):
            return loader.get_source(self.real.name)
        return None


class _Top(importlib.machinery.SourceFileLoader):
    """Loads ``mujoco`` itself, which exists already; gives access to the files of condyle."""

    module: _Mujoco

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Leave it to the import system to make a module, which is thrown away."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Put the module that is there in the place of the one just made."""
        sys.modules[_NAME] = self.module


class _Finder(importlib.abc.MetaPathFinder):
    """Answers for ``mujoco`` and all below it."""

    def __init__(self, module: _Mujoco) -> None:
        self.module = module

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """Return how to load a module called ``mujoco`` or ``mujoco.X``."""
        if fullname == _NAME:
            return self.module.__spec__
        if not fullname.startswith(_NAME + "."):
            return None
        parent = sys.modules.get(fullname.rpartition(".")[0])
        if parent is not self.module and not str(getattr(parent, "__name__", "")).startswith(_OURS):
            # below a package that is not ours, such as mujoco.mjx
            return None
        inner = fullname[len(_NAME) + 1 :]
        real = importlib.util.find_spec(f"{_OURS}.{_RENAMED.get(inner, inner)}")
        if real is not None:
            spec = importlib.machinery.ModuleSpec(
                fullname,
                _Loader(real),
                origin=real.origin,
                is_package=real.submodule_search_locations is not None,
            )
            spec.submodule_search_locations = real.submodule_search_locations
            return spec
        return self._elsewhere(fullname) if parent is self.module else None

    def _elsewhere(self, fullname: str) -> importlib.machinery.ModuleSpec:
        """Look for a sub-module in other folders called mujoco.

        Private modules there are the compiled parts of the original, which bring the original's
        engine; they are not found.
        """
        name = fullname.rpartition(".")[2]
        if not name.startswith("_"):
            folders = [os.path.join(entry or os.curdir, _NAME) for entry in sys.path]
            folders = [folder for folder in folders if os.path.isdir(folder)]
            spec = importlib.machinery.PathFinder.find_spec(fullname, folders)
            if spec is not None:
                return spec
        raise ModuleNotFoundError(
            f"No module named {fullname!r} (mujoco is provided by condyle)", name=fullname
        )


_installed: _Finder | None = None
_replaced: dict[str, types.ModuleType] = {}


def install_as_mujoco(version: str | None = None, force: bool = False) -> types.ModuleType:
    """Make ``import mujoco`` give condyle, in this process.

    Must come before the first ``import mujoco``. An original on disk is left alone. Installing
    twice does nothing, but another version takes effect.

    Parameters
    ----------
    version
        What ``mujoco.__version__``, ``mj_version()`` and ``mjVERSION_HEADER`` say, "4.0" or
        "4.0.0", and by whose rules models are understood that name no dialect
        (``set_default_dialect``). None: the environment's MUJOCO_VERSION, or else the version of
        the interface, "3.3.7".
    force
        Replace an original that is loaded already. Modules that hold its names keep them.

    Returns
    -------
    module
        The module ``mujoco``.

    Raises
    ------
    RuntimeError
        The original is loaded.
    ValueError
        The version is not one.
    """
    global _installed
    version = os.environ.get("MUJOCO_VERSION") or None if version is None else version
    said = _full_version(str(condyle.mj_versionString()) if version is None else version)
    if _installed is not None:
        if version is not None:
            _set_version(_installed.module, said)
        return _installed.module

    loaded = _modules()
    if loaded and not force:
        origin = getattr(loaded.get(_NAME), "__file__", None) or "an unknown place"
        raise RuntimeError(
            f"mujoco is already loaded, from {origin}: call condyle.install_as_mujoco() before the"
            " first import of mujoco, or pass force=True to replace it"
        )
    for name in loaded:
        del sys.modules[name]
    _replaced.clear()
    _replaced.update(loaded)

    module = _module(said)
    _installed = _Finder(module)
    sys.meta_path.insert(0, _installed)
    sys.modules[_NAME] = module
    # modules that are loaded already are known under both names at once
    for name, item in list(sys.modules.items()):
        inner = name[len(_OURS) + 1 :]
        if name.startswith(_OURS + ".") and item is not None and inner not in _RENAMED:
            sys.modules[f"{_NAME}.{inner}"] = item
    return module


def uninstall_as_mujoco() -> None:
    """Undo ``install_as_mujoco``; modules that hold names of condyle keep them."""
    global _installed
    if _installed is None:
        return
    module = _installed.module
    if _installed in sys.meta_path:
        sys.meta_path.remove(_installed)
    _installed = None
    condyle.set_default_dialect("3.3")
    _use_release(module, False)
    for name in _modules():
        del sys.modules[name]
    sys.modules.update(_replaced)
    _replaced.clear()


def _modules() -> dict[str, types.ModuleType]:
    """Return loaded modules called mujoco or mujoco.X."""
    return {
        name: module
        for name, module in sys.modules.items()
        if name == _NAME or name.startswith(_NAME + ".")
    }


def _module(version: str) -> _Mujoco:
    file = str(Path(str(condyle.__file__)).resolve())
    module = _Mujoco(_NAME, condyle.__doc__)
    for name, value in vars(condyle).items():
        if name not in _OWN and name not in _RENAMED:
            module.__dict__[name] = value
    loader = _Top(_NAME, file)
    loader.module = module
    spec = importlib.machinery.ModuleSpec(_NAME, loader, origin=file, is_package=True)
    spec.has_location = True
    spec.submodule_search_locations = list(condyle.__path__)
    module.__spec__ = spec
    module.__loader__ = loader
    module.__package__ = _NAME
    module.__file__ = file
    module.__path__ = spec.submodule_search_locations
    _set_version(module, version)
    return module


def _set_version(module: _Mujoco, said: str) -> None:
    major, minor, patch = (int(part) for part in said.split("."))
    is_long = (major, minor) >= (3, 5)
    number = 1_000_000 * major + 1000 * minor + patch
    number = number if is_long else 100 * major + 10 * minor + patch
    module.__version__ = said
    module.__dict__["mjVERSION_HEADER"] = number
    module.__dict__["mj_version"] = lambda: number
    module.__dict__["mj_versionString"] = lambda: said
    condyle.set_default_dialect(f"{major}.{minor}")
    _use_release(module, major >= 4)


def _use_release(module: _Mujoco, later: bool) -> None:
    """Let names and numbers be those of 4.0.0, or of 3.3.7."""
    for name in _INTROSPECTED:
        # they choose their tables when they are loaded
        for package in (_NAME, _OURS):
            sys.modules.pop(f"{package}.introspect.{name}", None)
            known = sys.modules.get(f"{package}.introspect")
            if known is not None:
                known.__dict__.pop(name, None)
    _enums._use(later)
    _condyle._set_release(later)
    for name in [name for name in module.__dict__ if name in _enums.__all__]:
        del module.__dict__[name]
    for name, value in _constants._LATER.items():
        module.__dict__[name] = value if later else getattr(condyle, name)


def _full_version(version: str) -> str:
    match = re.fullmatch(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?", version)
    if match is None:
        raise ValueError(f"version must look like '3.3.7' or '4.0', got {version!r}")
    return ".".join(part or "0" for part in match.groups())
