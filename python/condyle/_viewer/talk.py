"""What the viewer and one of its pages say to each other; web/page/remote.ts is the other side.

The page asks for each picture (tick) and tells along with it what the mouse did; in between it may
ask for other things (ask), and tells which keys are pressed. Whatever else is new, another model or
texts over the picture, goes to it before the next picture.
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

import condyle
from condyle._viewer.loopback import ProtocolError, Socket
from condyle._viewer.view import View
from condyle._viewer.wire import Message, Packer

_MOST_CALLS = 2000  # in one message
_LARGEST_SIDE = 32768  # pixels of a picture

# arguments: files by name, name of the model's file, whether the simulation continues; returns
# problems
Load = Callable[[dict[str, bytes], str, bool], list[dict[str, Any]]]


class Stage:
    """All pages of a viewer, and what they share besides the view.

    Parameters
    ----------
    view
        The simulation.
    panels
        Show the panels on the left, on the right.
    key_callback
        Called with the code (GLFW) of each key that is pressed.
    load
        Loads the model that files make; None: pages can't.
    reloads
        The simulation can be loaded anew.
    """

    def __init__(
        self,
        view: View,
        panels: tuple[bool, bool],
        key_callback: Callable[[int], None] | None,
        load: Load | None,
        reloads: bool,
    ) -> None:
        self.view = view
        self.key_callback = key_callback
        self.load = load
        self._program = {
            "managed": view.managed,
            "left": panels[0],
            "right": panels[1],
            "loads": load is not None,
            "reloads": reloads,
        }
        self.overlays: tuple[int, bytes] = (0, b"")  # their version, and the message
        self._over: dict[str, list[dict[str, Any]]] = {"figures": [], "texts": [], "images": []}
        self._lock = threading.Lock()
        self._pages = 0
        self._seen = False
        self._left = 0.0

    def is_watched(self, grace: float) -> bool:
        """Tell if there is a page, there will be the first one, or the last one may come back."""
        with self._lock:
            return bool(self._pages or not self._seen or time.monotonic() - self._left < grace)

    def talk(self, socket: Socket) -> None:
        """Serve one page until it goes away."""
        with self._lock:
            self._pages += 1
            self._seen = True
        try:
            program = {**self._program, "waits": self.view.version == 0}
            socket.send(Packer().finish({"kind": "ready", "remote": program}))
            page = _Page(self, socket)
            while (content := socket.receive()) is not None:
                try:
                    page.hear(Message(content))
                except ValueError as error:
                    raise ProtocolError(1007, str(error)) from None
        finally:
            with self._lock:
                self._pages -= 1
                self._left = time.monotonic()
                last = self._pages == 0
            if last:
                # the page that held a body is gone: release it
                with self.view.lock:
                    self.view.perturb.active = 0

    def put(self, parts: dict[str, list[dict[str, Any]]]) -> None:
        """Change what lies over the picture: figures, texts or images."""
        with self._lock:
            self._over.update(parts)
            packer = Packer()
            message = {
                kind: [
                    {
                        name: packer.array(value) if isinstance(value, np.ndarray) else value
                        for name, value in part.items()
                    }
                    for part in content
                ]
                for kind, content in self._over.items()
            }
            content = packer.finish({"kind": "overlays", **message})
            self.overlays = (self.overlays[0] + 1, content)

    def press(self, code: str) -> None:
        """Tell the program which key is pressed."""
        key = key_code(code)
        if self.key_callback is None or key < 0:
            return
        try:
            self.key_callback(key)
        except Exception:  # noqa: BLE001
            # an error in the program's callback must not end the page
            print("Exception in key_callback of the viewer:", file=sys.stderr)
            traceback.print_exc()


class _Page:
    """One page."""

    def __init__(self, stage: Stage, socket: Socket) -> None:
        self._stage, self._view, self._socket = stage, stage.view, socket
        self._version = 0
        self._patches: list[tuple[str, int, bytes]] = []
        self._overlays = 0
        self._steps = [0.0, 0.0]

    def hear(self, message: Message) -> None:
        """Answer a message; raises ValueError if it is none."""
        kind = message.get("kind", str)
        if kind == "tick":
            self._tick(message)
        elif kind == "key":
            self._stage.press(message.get("code", str))
        elif kind == "ask":
            packer = Packer()
            number = message.get("id", int)
            value = self._answer(packer, message)
            self._socket.send(packer.finish({"kind": "answer", "id": number, "value": value}))
        else:
            raise ValueError("unknown kind of message")

    def _tick(self, message: Message) -> None:
        calls = message.get("calls", list)
        if len(calls) > _MOST_CALLS:
            raise ValueError("too many calls")
        width, height = message.get("width", int), message.get("height", int)
        if not (0 <= width <= _LARGEST_SIDE and 0 <= height <= _LARGEST_SIDE):
            raise ValueError("a picture of another size")
        view = self._view
        with view.lock:
            view.width, view.height = width, height
            for call in calls:
                if not isinstance(call, list) or not call or not isinstance(call[0], str):
                    raise ValueError("a call that is none")
                view.carry_out(call[0], call[1:])
            news = self._news()
            frame = view.frame(self._steps)
        for content in [*news, frame]:
            self._socket.send(content)

    def _news(self) -> list[bytes]:
        """Return messages about what has changed since the last picture."""
        view, news = self._view, []
        if view.version != self._version:
            self._version = view.version
            self._patches = list(view.patches)
            packer = Packer()
            files = [
                {"name": name, "bytes": packer.array(np.frombuffer(content, np.uint8))}
                for name, content in view.files.items()
            ]
            model = {"kind": "model", "title": view.title, "files": files}
            news.append(packer.finish(model))
        elif view.patches and view.patches != self._patches:
            packer = Packer()
            patches = [
                {"array": name, "start": start, "bytes": packer.raw(content)}
                for name, start, content in view.patches
                if not any(content is known for _, _, known in self._patches)
            ]
            self._patches = list(view.patches)
            news.append(packer.finish({"kind": "patch", "patches": patches}))
        version, overlays = self._stage.overlays
        if version != self._overlays:
            self._overlays = version
            news.append(overlays)
        return news

    def _answer(self, packer: Packer, message: Message) -> Any:
        what, values = message.get("what", str), message.get("values", list)
        view = self._view
        match what, values:
            case "load", [list(files), str(main), bool(keep)]:
                return self._load(message, files, main, keep)
            case "arrays", [list(names), list(sizes)]:
                with view.lock:
                    return view.arrays(packer, names, sizes)
            case "lengths", [list(names)]:
                with view.lock:
                    return view.lengths(names)
            case "pick", [_, int() | float() as aspect, int() | float() as x, int() | float() as y]:
                with view.lock:
                    body, geom, point = view.pick(aspect, x, y)
                return {"body": body, "geom": geom, "point": point}
            case "inspect", [str(size), int(row)]:
                with view.lock:
                    return view.inspect(packer, size, row)
            case "names", []:
                with view.lock:
                    return view.names()
        raise ValueError("unknown question")

    def _load(self, message: Message, files: list[Any], main: str, keep: bool) -> dict[str, Any]:
        start = time.monotonic()
        if self._stage.load is None:
            problems = [problem("the program that this page belongs to chooses the model")]
        else:
            contents = {}
            for file in files:
                match file:
                    case {"name": str(name), "bytes": reference}:
                        contents[name] = message.bytes_of(reference)
                    case _:
                        raise ValueError("a file that is none")
            if main not in contents:
                raise ValueError("a model that is not among its files")
            problems = self._stage.load(contents, main, keep)
        return {
            "problems": problems,
            "loaded": not any(it["error"] for it in problems),
            "milliseconds": 1000 * (time.monotonic() - start),
        }


def problem(message: str, **place: Any) -> dict[str, Any]:
    """Return what a page shows of a problem of a model."""
    empty = {"file": "", "line": 0, "column": 0, "element": "", "hint": "", "check": ""}
    return {**empty, "message": message, "error": True, **place}


def problems_of(error: ValueError) -> list[dict[str, Any]]:
    """Return the problems that keep a model from being loaded."""
    if not isinstance(error, condyle.ModelError) or not error.diagnostics:
        return [problem(str(error))]
    return [
        problem(
            it.message,
            file=it.file,
            line=it.line,
            column=it.column,
            element=it.element,
            hint=it.hint,
            error=it.severity == "error",
        )
        for it in error.diagnostics
    ]


_KEYS = {
    name: code
    for codes, names in (
        (32, "Space"), (39, "Quote"), (44, "Comma Minus Period Slash"), (59, "Semicolon"),
        (61, "Equal"), (91, "BracketLeft Backslash BracketRight"), (96, "Backquote"),
        (161, "IntlBackslash"),
        (256, "Escape Enter Tab Backspace Insert Delete ArrowRight ArrowLeft ArrowDown ArrowUp"),
        (266, "PageUp PageDown Home End"), (280, "CapsLock ScrollLock NumLock PrintScreen Pause"),
        (330, "NumpadDecimal NumpadDivide NumpadMultiply NumpadSubtract NumpadAdd NumpadEnter"),
        (336, "NumpadEqual"), (340, "ShiftLeft ControlLeft AltLeft MetaLeft"),
        (344, "ShiftRight ControlRight AltRight MetaRight ContextMenu"),
    )
    for code, name in enumerate(names.split(), codes)
}  # fmt: skip


def key_code(code: str) -> int:
    """Return the number that GLFW gives to a key (``KeyboardEvent.code``), -1 for others."""
    for prefix, first, last, start in (
        ("Key", "A", "Z", 65),
        ("Digit", "0", "9", 48),
        ("Numpad", "0", "9", 320),
    ):
        rest = code.removeprefix(prefix)
        if code.startswith(prefix) and len(rest) == 1 and first <= rest <= last:
            return start + ord(rest) - ord(first)
    if code[:1] == "F" and code[1:].isdecimal() and len(code) <= 3 and 1 <= int(code[1:]) <= 25:
        return 289 + int(code[1:])
    return _KEYS.get(code, -1)
