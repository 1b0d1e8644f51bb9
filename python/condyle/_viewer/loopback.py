"""A server for pages on this machine: files, and one WebSocket (RFC 6455).

It listens on 127.0.0.1 alone. Addresses begin with a secret of 128 random bits; requests must name
this server in their field Host, and those of pages (Origin) must come from its own, so that no
other page can read through it or talk to it. What is wrong gets an error, and the connection ends.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import hmac
import re
import secrets
import socket
import struct
import threading
import time
from collections.abc import Callable
from http import HTTPStatus

MOST_CONNECTIONS = 32
PATIENCE = 10.0  # seconds for an answer or a message to go on
REQUEST_TIME = 3.0  # seconds for a request, which browsers send at once
LARGEST_HEAD = 16384
LARGEST_PATH = 1024

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # of RFC 6455
_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10
_TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")

# a response: content type, and content
Content = tuple[str, bytes]


class ProtocolError(Exception):
    """What the other side sent is against the rules; ``code`` is the one of a closing frame."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class _Refused(Exception):
    """A request that gets an error."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Request:
    """Head of a request: method, path, and fields by their names in lower case."""

    def __init__(self, head: bytes) -> None:
        lines = head.split(b"\r\n")
        if b"\0" in head or any(b"\n" in line or b"\r" in line for line in lines):
            raise _Refused(400)
        words = lines[0].split(b" ")
        if len(words) != 3 or not re.fullmatch(rb"HTTP/\d\.\d", words[2]):
            raise _Refused(400)
        if words[0] not in (b"GET", b"HEAD"):
            raise _Refused(405)
        if not words[2].startswith(b"HTTP/1."):
            raise _Refused(505)
        if not words[1].startswith(b"/"):
            raise _Refused(400)
        if len(words[1]) > LARGEST_PATH:
            raise _Refused(414)
        self.method = words[0].decode()
        self.path = words[1].partition(b"?")[0].decode("latin-1")
        self.fields: dict[str, str] = {}
        for line in lines[1:]:
            name, colon, value = line.partition(b":")
            key = name.decode("latin-1").lower()
            if not colon or not _TOKEN.fullmatch(name) or (key == "host" and key in self.fields):
                raise _Refused(400)
            self.fields[key] = value.decode("latin-1").strip(" \t")
        if "transfer-encoding" in self.fields:
            raise _Refused(400)
        if self.fields.get("content-length", "0") != "0":
            raise _Refused(413)


class Socket:
    """A WebSocket after its handshake. One thread receives; any thread may send."""

    def __init__(self, connection: socket.socket, rest: bytes, largest: int) -> None:
        self._connection = connection
        self._rest = bytearray(rest)
        self._largest = largest
        self._sending = threading.Lock()
        self._ended = False

    def receive(self) -> str | bytes | None:
        """Wait for a message and return it; None at the end.

        Raises
        ------
        ProtocolError
            The other side breaks the rules, or sends more than is allowed.
        OSError
            It is gone, or stops within a message.
        """
        whole = bytearray()
        kind = 0
        while True:
            final, code, content = self._frame(self._largest - len(whole), idle=not kind)
            if code == _CLOSE:
                self.close(1000)
                return None
            if code == _PING:
                self._send(_PONG, content)
            elif code in (_TEXT, _BINARY, 0):
                if (code == 0) != bool(kind):
                    raise ProtocolError(1002, "a message is continued that did not begin")
                kind = kind or code
                if final and not whole:
                    break
                # one after the other: parts may be many, and empty
                whole += content
                if final:
                    content = bytes(whole)
                    break
            elif code != _PONG:
                raise ProtocolError(1002, "unknown kind of frame")
        if kind == _BINARY:
            return content
        try:
            return content.decode()
        except UnicodeDecodeError:
            raise ProtocolError(1007, "a text that is not UTF-8") from None

    def _frame(self, most: int, idle: bool) -> tuple[bool, int, bytes]:
        first, second = self._read(2, idle)
        code, size = first & 15, second & 127
        if first & 0x70 or not second & 128:
            raise ProtocolError(1002, "extensions, or a frame without mask")
        if code >= _CLOSE and (size > 125 or not first & 128):
            raise ProtocolError(1002, "a control frame that is long or in parts")
        if size == 126:
            size = int.from_bytes(self._read(2), "big")
        elif size == 127:
            size = int.from_bytes(self._read(8), "big")
        if size > most:
            raise ProtocolError(1009, "a message that is too long")
        mask = self._read(4)
        content = self._read(size)
        if size:
            key = (mask * (size // 4 + 1))[:size]
            plain = int.from_bytes(content, "little") ^ int.from_bytes(key, "little")
            content = plain.to_bytes(size, "little")
        return bool(first & 128), code, content

    def _read(self, count: int, idle: bool = False) -> bytes:
        rest = self._rest
        while len(rest) < count:
            try:
                piece = self._connection.recv(65536)
            except TimeoutError:
                # between messages there is no time limit
                if idle and not rest:
                    continue
                raise
            if not piece:
                raise ConnectionError("the other side is gone")
            rest += piece
        content = bytes(rest[:count])
        del rest[:count]
        return content

    def send(self, content: str | bytes) -> None:
        """Send a message; raises OSError if it can't be delivered."""
        if isinstance(content, str):
            self._send(_TEXT, content.encode())
        else:
            self._send(_BINARY, content)

    def _send(self, code: int, content: bytes) -> None:
        size = len(content)
        if size < 126:
            head = struct.pack(">BB", 128 | code, size)
        elif size < 65536:
            head = struct.pack(">BBH", 128 | code, 126, size)
        else:
            head = struct.pack(">BBQ", 128 | code, 127, size)
        with self._sending:
            if self._ended:
                raise ConnectionError("the socket is closed")
            self._connection.sendall(head + content)

    def close(self, code: int, reason: str = "") -> None:
        """Say goodbye, once; ``receive`` then comes to its end."""
        # if a send hangs it keeps the lock, and there is no closing frame
        if self._sending.acquire(timeout=1):
            try:
                if not self._ended:
                    self._ended = True
                    content = struct.pack(">H", code) + reason.encode()[:120]
                    self._connection.settimeout(0.2)
                    self._connection.sendall(
                        struct.pack(">BB", 128 | _CLOSE, len(content)) + content
                    )
            except OSError:
                pass
            finally:
                self._sending.release()


class Server:
    """Serves pages until it is closed.

    Parameters
    ----------
    files
        Returns the content of a path below the secret ("" for the page), None for unknown ones.
    talk
        Talks with a page through its WebSocket, whose path is "socket". Called in a thread of its
        own; the socket is closed when it returns.
    largest
        Most bytes of a message that pages may send.
    """

    def __init__(
        self,
        files: Callable[[str], Content | None],
        talk: Callable[[Socket], None],
        largest: int,
    ) -> None:
        self._files, self._talk, self._largest = files, talk, largest
        self._secret = secrets.token_hex(16)
        self._lock = threading.Lock()
        self._open: dict[socket.socket, Socket | None] = {}
        self._strangers: dict[socket.socket, None] = {}  # have not shown the secret, oldest first
        self._threads: set[threading.Thread] = set()
        self._closed = False
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=MOST_CONNECTIONS)
        self.port: int = self._listener.getsockname()[1]
        self._hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        self._thread = threading.Thread(
            target=self._accept, name="condyle viewer: server", daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """Address of the page."""
        return f"http://127.0.0.1:{self.port}/{self._secret}/"

    def close(self) -> None:
        """End all connections, and wait for the threads that serve them; may be called twice."""
        with self._lock:
            closed, self._closed = self._closed, True
            sockets = list(self._open.items())
        if not closed:
            # wakes the thread that waits for connections
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=0.2).close()
            self._listener.close()
        for connection, talking in sockets:
            if talking is not None:
                talking.close(1001, "the program has closed the viewer")
            # a page answers the closing frame; what it sends before must be read, or the connection
            # is reset
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR if talking is None else socket.SHUT_WR)
        deadline = time.monotonic() + 2
        for thread in [self._thread, *list(self._threads)]:
            if thread is not threading.current_thread():
                thread.join(max(0.0, deadline - time.monotonic()))
        with self._lock:
            silent = list(self._open)
        for connection in silent:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._closed:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                # no more file descriptors, or the server is closed
                if not self._closed:
                    time.sleep(0.05)
                continue
            with self._lock:
                if len(self._open) >= MOST_CONNECTIONS:
                    self._drop_stranger()
                if self._closed or len(self._open) >= MOST_CONNECTIONS:
                    connection.close()
                    continue
                self._open[connection] = None
                self._strangers[connection] = None
            thread = threading.Thread(
                target=self._serve, args=(connection,), name="condyle viewer: page", daemon=True
            )
            self._threads.add(thread)
            try:
                thread.start()
            except RuntimeError:
                # the system has no more threads
                self._threads.discard(thread)
                self._end(connection)

    def _drop_stranger(self) -> None:
        """Make room: whoever has not shown the secret gives way to others."""
        for connection in self._strangers:
            # wakes its thread, which ends it
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            del self._strangers[connection], self._open[connection]
            return

    def _serve(self, connection: socket.socket) -> None:
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._converse(connection)
        except OSError:
            pass
        finally:
            self._end(connection)
            self._threads.discard(threading.current_thread())

    def _end(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.pop(connection, None)
            self._strangers.pop(connection, None)
        # what the other side still sends is read, so that it gets the whole answer
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(0.05)
            for _ in range(16):
                if not connection.recv(65536):
                    break
        connection.close()

    def _converse(self, connection: socket.socket) -> None:
        request = None
        try:
            head, rest = _read_head(connection)
            request = _Request(head)
            path = self._check(request)
            with self._lock:
                self._strangers.pop(connection, None)
            if path == "socket":
                self._shake_hands(connection, request, rest)
                return
            content = self._files(path)
            if content is None:
                raise _Refused(404)
            _answer(connection, 200, content, request.method == "HEAD")
        except _Refused as refused:
            text = f"{HTTPStatus(refused.status).phrase}\n".encode()
            head_only = request is not None and request.method == "HEAD"
            _answer(connection, refused.status, ("text/plain", text), head_only)

    def _check(self, request: _Request) -> str:
        """Return the path below the secret, or refuse the request."""
        origin = request.fields.get("origin")
        if request.fields.get("host") not in self._hosts or (
            origin is not None and origin not in {f"http://{host}" for host in self._hosts}
        ):
            raise _Refused(403)
        parts = request.path.split("/", 2)
        if len(parts) < 3 or not hmac.compare_digest(
            parts[1].encode("latin-1"), self._secret.encode()
        ):
            raise _Refused(404)
        return parts[2]

    def _shake_hands(self, connection: socket.socket, request: _Request, rest: bytes) -> None:
        fields = request.fields
        upgrades = [word.strip().lower() for word in fields.get("connection", "").split(",")]
        if request.method != "GET" or "origin" not in fields:
            raise _Refused(403)
        if fields.get("upgrade", "").lower() != "websocket" or "upgrade" not in upgrades:
            raise _Refused(426)
        if fields.get("sec-websocket-version") != "13":
            raise _Refused(426)
        key = fields.get("sec-websocket-key", "").encode("latin-1")
        try:
            if len(base64.b64decode(key, validate=True)) != 16:
                raise _Refused(400)
        except binascii.Error:
            raise _Refused(400) from None
        accept = base64.b64encode(hashlib.sha1(key + _MAGIC, usedforsecurity=False).digest())
        connection.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )
        connection.settimeout(PATIENCE)
        talking = Socket(connection, rest, self._largest)
        with self._lock:
            # closed meanwhile, or given up for others
            if self._closed or connection not in self._open:
                return
            self._open[connection] = talking
        try:
            self._talk(talking)
            talking.close(1000)
        except ProtocolError as error:
            talking.close(error.code, str(error))


def _read_head(connection: socket.socket) -> tuple[bytes, bytes]:
    """Return the head of a request, and what came after it."""
    deadline = time.monotonic() + REQUEST_TIME
    got = bytearray()
    while True:
        end = got.find(b"\r\n\r\n")
        if end >= 0:
            return bytes(got[:end]), bytes(got[end + 4 :])
        if len(got) > LARGEST_HEAD:
            raise _Refused(431)
        connection.settimeout(max(0.001, deadline - time.monotonic()))
        piece = connection.recv(4096)
        if not piece:
            raise ConnectionError("the other side is gone")
        got += piece


def _answer(connection: socket.socket, status: int, content: Content, head_only: bool) -> None:
    kind, body = content
    more = {405: "Allow: GET, HEAD\r\n", 426: "Upgrade: websocket\r\n"}.get(status, "")
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n{more}"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        "Referrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n"
        "\r\n"
    )
    connection.settimeout(PATIENCE)
    connection.sendall(head.encode() + (b"" if head_only else body))
