"""Loads libraries of plugins; loading one registers its plugins."""

from __future__ import annotations

import os
from typing import Any

__all__ = ["load"]

_LIBRARY = (".so", ".dylib", ".dll")


def load(folders: list[str]) -> list[Any]:
    """Load all libraries in these folders and below.

    Parameters
    ----------
    folders
        Those that don't exist are passed over. Other files than libraries give an ImportWarning.

    Returns
    -------
    handles
        What ctypes gives for each library; they keep it loaded.
    """
    handles = []
    for folder in filter(None, folders):
        for root, _, names in os.walk(folder):
            handles += [_load(os.path.join(root, name)) for name in sorted(names)]
    return [handle for handle in handles if handle is not None]


def _load(path: str) -> Any:
    import ctypes  # noqa: PLC0415
    import warnings  # noqa: PLC0415

    if path.endswith(_LIBRARY):
        return ctypes.CDLL(path)
    if os.path.basename(path) != "__init__.py":
        warnings.warn(f"Ignoring non-library in plugin directory: {path}", ImportWarning, 3)
    return None
