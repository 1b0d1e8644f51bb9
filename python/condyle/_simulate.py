"""Names of the reference's window, which programs import: Condyle's viewer is a page instead.

Nothing here opens a window of GLFW; ``condyle.viewer`` shows simulations in the browser.
"""

from __future__ import annotations

import threading
from typing import Any, NoReturn

import condyle

__all__ = ["Mutex", "Simulate", "set_glfw_dlhandle"]


class Mutex:
    """A lock, held inside a ``with`` block; a thread may take it more than once."""

    def __init__(self, lock: Any = None) -> None:
        self._lock = threading.RLock() if lock is None else lock

    def __enter__(self) -> None:
        """Wait for the lock and take it."""
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        """Give it back."""
        self._lock.release()


class Simulate:
    """A window of GLFW, which Condyle does not open."""

    def __init__(self, *_: object) -> None:
        _refuse()


def set_glfw_dlhandle(dlhandle: int) -> NoReturn:
    """Tell the window which library of GLFW to use."""
    del dlhandle
    _refuse()


def _refuse() -> NoReturn:
    raise condyle.FatalError(
        "Condyle opens no window of GLFW: condyle.viewer shows simulations in the browser"
    )
