"""A page of the viewer without a browser: speaks to its server as web/page/remote.ts does."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import struct
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

import condyle

_TYPES = {"f8": np.float64, "f4": np.float32, "i4": np.int32, "u1": np.uint8}
# mjvGeom as it is in memory
GEOM = np.dtype(
    {
        "names": ["type", "objtype", "objid", "size", "pos", "mat", "rgba", "label"],
        "formats": ["i4", "i4", "i4", "3f4", "3f4", "9f4", "4f4", "S100"],
        "offsets": [0, 8, 12, 32, 44, 56, 92, 124],
        "itemsize": 252,
    }
)


class Closed(Exception):
    """The server closes the socket."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code, self.reason = code, reason


def parts(url: str) -> tuple[int, str]:
    """Port and secret of an address."""
    match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", url)
    assert match, url
    return int(match[1]), match[2]


def exchange(port: int, request: bytes) -> bytes:
    """Everything that a server answers to these bytes."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        try:
            connection.sendall(request)
            while piece := connection.recv(65536):
                answer += piece
        except OSError:
            pass
    return answer


def handshake(port: int, secret: str, **fields: str) -> bytes:
    """A request for the socket; fields replace those of a browser, "" leaves one out."""
    head = {
        "Host": f"127.0.0.1:{port}",
        "Origin": f"http://127.0.0.1:{port}",
        "Upgrade": "websocket",
        "Connection": "keep-alive, Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(bytes(range(16))).decode(),
    }
    head |= {name.replace("_", "-"): value for name, value in fields.items()}
    lines = [f"{name}: {value}" for name, value in head.items() if value]
    return "\r\n".join([f"GET /{secret}/socket HTTP/1.1", *lines, "", ""]).encode()


class Page:
    """An open page."""

    def __init__(self, url: str) -> None:
        self.port, secret = parts(url)
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.socket.sendall(handshake(self.port, secret))
        self._rest = b""
        while b"\r\n\r\n" not in self._rest:
            piece = self.socket.recv(65536)
            assert piece, self._rest
            self._rest += piece
        head, _, self._rest = self._rest.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 ")
        self.hello = self.receive()
        self.titles: list[str] = []
        self.files: dict[str, bytes] = {}
        self.overlays: dict[str, Any] = {}
        self.patches: list[dict[str, Any]] = []
        self.next_id = 1

    def __enter__(self) -> Page:
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def _read(self, count: int) -> bytes:
        while len(self._rest) < count:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise Closed(0, "without goodbye")
            self._rest += piece
        content, self._rest = self._rest[:count], self._rest[count:]
        return content

    def frame(self) -> tuple[int, bytes]:
        """The next frame of the socket: its code and content."""
        first, size = self._read(2)
        assert first & 0xF0 == 0x80 and size < 128
        if size == 126:
            size = int.from_bytes(self._read(2), "big")
        elif size == 127:
            size = int.from_bytes(self._read(8), "big")
        return first & 15, self._read(size)

    def receive(self) -> dict[str, Any]:
        """The next message."""
        code, content = self.frame()
        if code == 8:
            raise Closed(int.from_bytes(content[:2], "big"), content[2:].decode())
        assert code == 2
        size = int.from_bytes(content[:4], "little")
        assert (4 + size) % 8 == 0
        message: dict[str, Any] = revive(json.loads(content[4 : 4 + size]), content[4 + size :])
        return message

    def send_frame(self, first: int, content: bytes, mask: bytes = b"mask") -> None:
        """Send a frame; ``first`` is its first byte."""
        size = len(content)
        head = (
            struct.pack(">BB", first, 128 | size)
            if size < 126
            else struct.pack(">BBQ", first, 255, size)
        )
        key = np.frombuffer((mask * (size // 4 + 1))[:size], np.uint8)
        self.socket.sendall(
            head + mask + (np.frombuffer(content, np.uint8) ^ key).astype(np.uint8).tobytes()
        )

    def send(self, message: Any) -> None:
        self.send_frame(0x81, json.dumps(message).encode())

    def tick(self, *calls: list[Any], size: tuple[int, int] = (640, 480)) -> dict[str, Any]:
        """Call functions, and return the next picture's message."""
        self.send({"kind": "tick", "calls": list(calls), "width": size[0], "height": size[1]})
        while (message := self.receive())["kind"] != "frame":
            if message["kind"] == "model":
                self.titles.append(message["title"])
                self.files = {it["name"]: it["bytes"].tobytes() for it in message["files"]}
            elif message["kind"] == "overlays":
                self.overlays = message
            elif message["kind"] == "patch":
                self.patches += message["patches"]
        return message

    def geoms(self, *calls: list[Any]) -> Any:
        """The shapes of the next picture."""
        frame = self.tick(*calls)
        return np.frombuffer(frame["pictures"][0]["geoms"], GEOM)

    def ask(self, what: str, *values: Any) -> Any:
        """Ask, and return the answer."""
        self.next_id += 1
        self.send({"kind": "ask", "id": self.next_id, "what": what, "values": list(values)})
        message = self.receive()
        assert (message["kind"], message["id"]) == ("answer", self.next_id)
        return message["value"]

    def load(self, files: dict[str, bytes], main: str, keep: bool = False) -> Any:
        """Send the files of a model, and return the answer."""
        content, places = b"", []
        for name, part in files.items():
            places.append({"name": name, "bytes": {"$": ["b", len(content), len(part)]}})
            content += part
        message = {"kind": "ask", "id": 1, "what": "load", "values": [places, main, keep]}
        text = json.dumps(message).encode()
        self.send_frame(0x82, len(text).to_bytes(4, "little") + text + content)
        return self.receive()["value"]


def revive(value: Any, content: bytes) -> Any:
    """Put arrays in the places of what stands for them."""
    if isinstance(value, list):
        return [revive(it, content) for it in value]
    if not isinstance(value, dict):
        return value
    if "$" not in value:
        return {name: revive(it, content) for name, it in value.items()}
    kind, place, count = value["$"]
    assert place % 8 == 0
    if kind == "b":
        return content[place : place + count]
    return np.frombuffer(content, _TYPES[kind], count, place)


def page_file(folder: os.PathLike[str]) -> str:
    """A file that stands for the page where that is not built."""
    path = os.path.join(folder, "viewer.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            "<!doctype html><meta content=\"connect-src 'self'; base-uri 'none'\">"
            '<script type="application/json" id="embedded-start">null</script>'
        )
    return path


XML = """
<mujoco model="arm">
  <asset>
    <hfield name="hill" nrow="3" ncol="4" size="1 1 .2 .1"/>
    <texture name="grid" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0"/>
    <mesh name="rock" vertex="0 0 0  .1 0 0  0 .1 0  0 0 .1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <body name="link" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
    </body>
    <body name="ball" pos="0 1 1"><freejoint/><geom name="ball" size=".1"/></body>
    <body name="goal" mocap="true" pos="1 1 1"><geom type="box" size=".1 .1 .1" contype="0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
  <keyframe><key name="up" qpos="1 0 1 2 1 0 0 0"/></keyframe>
</mujoco>"""


def until(truth: Callable[[], Any], seconds: float = 10) -> None:
    """Wait until something is true."""
    stop = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < stop, "never came true"
        time.sleep(0.01)


def place_of(geoms: Any, m: Any, name: str) -> Any:
    """Position of the shape of a geom."""
    kind = int(condyle.mjtObj.mjOBJ_GEOM)
    found = geoms[(geoms["objtype"] == kind) & (geoms["objid"] == m.geom(name).id)]
    assert len(found) == 1
    return found[0]["pos"]


def status(answer: bytes) -> int:
    """The status of an answer, 0 without one."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0
