"""Paths for the tests, and a stand-in for the compiled part where that is not built.

The pure modules of the package call the compiled part through the name ``condyle``. Where
``condyle._condyle`` cannot be imported but the reference's Python module can, a module ``condyle``
with the reference's names takes its place, so that they can be tested without a build.
"""

from __future__ import annotations

import importlib.util
import signal
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "condyle"
sys.path.insert(0, str(Path(__file__).resolve().parent / "support"))
sys.path.append(str(ROOT / "python"))  # for generate; last, because a built condyle comes first
# programs that a shell has put into the background ignore Ctrl-C, and what they start does, too
signal.signal(signal.SIGINT, signal.default_int_handler)


def _compiled() -> bool:
    """Tell if the package can be imported as it is, here or installed."""
    if not (PACKAGE / "__init__.py").exists():
        return False
    try:
        import condyle  # noqa: F401
    except ImportError:
        return False
    return True


def _stand_in() -> None:
    import mujoco  # type: ignore[import-untyped, unused-ignore]

    module = types.ModuleType("condyle")
    module.__path__ = [str(PACKAGE)]
    module.__file__ = str(PACKAGE / "__init__.py")
    spec = importlib.util.spec_from_file_location(
        "condyle", module.__file__, submodule_search_locations=module.__path__
    )
    module.__spec__ = spec
    for name, value in vars(mujoco).items():
        if not name.startswith("_") and not isinstance(value, types.ModuleType):
            setattr(module, name, value)
    module.__version__ = "0.0.0"  # type: ignore[attr-defined]
    sys.modules["condyle"] = module

    compiled = types.ModuleType("condyle._rollout")
    sys.modules["condyle._rollout"] = compiled
    from rollout_in_python import Pool

    compiled._Pool = Pool  # type: ignore[attr-defined]


if not _compiled():
    for name in [name for name in sys.modules if name.split(".")[0] == "condyle"]:
        del sys.modules[name]
    _stand_in()
