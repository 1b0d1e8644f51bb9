"""A view, the server of its pages, and the browser."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
import weakref
import webbrowser
from collections.abc import Callable

from condyle._viewer import page, talk
from condyle._viewer.loopback import Server
from condyle._viewer.note import Note
from condyle._viewer.view import View

_GRACE = 1.5  # seconds that a page may be gone, as it is while it is loaded again
_LARGEST_MODEL = 1 << 28  # bytes of files that pages may send where they choose the model
_LARGEST_MESSAGE = 1 << 20  # bytes, elsewhere

_open: weakref.WeakSet[Window] = weakref.WeakSet()


class Window:
    """Serves pages of a view until the last one is closed.

    Parameters
    ----------
    view, panels, key_callback, load, reloads
        As for talk.Stage.

    Raises
    ------
    FatalError
        There is no page.
    """

    def __init__(
        self,
        view: View,
        panels: tuple[bool, bool],
        key_callback: Callable[[int], None] | None = None,
        load: talk.Load | None = None,
        reloads: bool = False,
    ) -> None:
        self._text = page.with_start({"socket": "socket"})
        self.view = view
        self.stage = talk.Stage(view, panels, key_callback, load, reloads)
        self.closed = False
        self._process = os.getpid()
        largest = _LARGEST_MODEL if load else _LARGEST_MESSAGE
        self._server = Server(self._serve, self.stage.talk, largest)
        self.url = self._server.url
        self._note: Note | None = None
        _open.add(self)
        threading.Thread(target=self._show, name="condyle viewer: browser", daemon=True).start()

    def _serve(self, path: str) -> tuple[str, bytes] | None:
        if path:
            return None
        self._forget_note()
        text = page.reaching(self._text, self._server.port)
        return "text/html; charset=utf-8", text.encode()

    def is_open(self) -> bool:
        """Tell if it is open; closes it if its last page is gone."""
        if not self.closed and not self.stage.is_watched(_GRACE):
            self.close()
        return not self.closed

    def close(self) -> None:
        """Close it, and its pages; may be called twice."""
        if not self.closed:
            self.closed = True
            _open.discard(self)
            # a forked process has copies of the sockets, but must not shut them down
            if os.getpid() == self._process:
                self._server.close()
                self._forget_note()

    def _forget_note(self) -> None:
        """Remove what told the browser the address: it is here, or no longer wanted."""
        note, self._note = self._note, None
        if note is not None:
            note.remove()

    def _show(self) -> None:
        """Open the browser, or say what to open."""
        shown = False
        # without a display only browsers for terminals are found, which would take this one
        if (
            not sys.platform.startswith("linux")
            or os.environ.get("DISPLAY")
            or os.environ.get("WAYLAND_DISPLAY")
            or os.environ.get("BROWSER")
        ):
            with contextlib.suppress(webbrowser.Error, OSError):
                self._note = note = Note(self.url)
                shown = webbrowser.open(note.url)
                if self.closed:
                    self._forget_note()
        if not shown:
            self._forget_note()
            print(f"The viewer is at {self.url}", file=sys.stderr, flush=True)


@atexit.register
def _close_all() -> None:
    # threads that draw must end before the interpreter does
    for window in list(_open):
        window.close()
