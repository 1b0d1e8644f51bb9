"""The window of the viewer. It draws, so it comes with a later release."""

from __future__ import annotations

import threading
from typing import NoReturn

from condyle import _drawing

__all__ = ["Mutex", "Simulate", "set_glfw_dlhandle"]


class Mutex:
    """A lock, held inside a ``with`` block."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        """Wait for the lock and take it."""
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        """Give it back."""
        self._lock.release()


class Simulate:
    """A window that shows a simulation and lets the user change it."""

    def __init__(self, *_: object) -> None:
        _drawing.refuse("Simulate")


def set_glfw_dlhandle(dlhandle: int) -> NoReturn:
    """Tell the window which library of GLFW to use."""
    del dlhandle
    _drawing.refuse("Simulate")
