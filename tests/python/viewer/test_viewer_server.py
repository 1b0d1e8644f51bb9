"""The server of the viewer against what is no page."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from viewer_page import Closed, Page, exchange, handshake, parts, status, until

from condyle import viewer

# what is no page


def test_the_page_is_served_to_those_who_know_its_address(handle: viewer.Handle) -> None:
    port, secret = parts(handle.url)

    def get(path: str, method: str = "GET", **fields: str) -> bytes:
        head = {"Host": f"127.0.0.1:{port}", **fields}
        lines = [f"{name}: {value}" for name, value in head.items() if value]
        return exchange(port, "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode())

    page = get(f"/{secret}/")
    assert status(page) == 200
    assert b'{"socket": "socket"}</script>' in page
    assert f"connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port};".encode() in page
    for field in (b"no-store", b"nosniff", b"X-Frame-Options: DENY", b"no-referrer"):
        assert field in page
    assert status(get(f"/{secret}/?x=1", Host=f"localhost:{port}")) == 200
    assert get(f"/{secret}/", "HEAD").endswith(b"\r\n\r\n")
    wrong = secret[:-1] + ("0" if secret[-1] != "0" else "1")
    for path in ("/", "/socket", f"/{wrong}/", f"/{wrong}/socket", f"/{secret}", f"/{secret}x/"):
        assert status(get(path)) == 404
    for path in ("viewer.html", "../etc/passwd", "//etc/passwd", "%2e%2e/x", "socket/"):
        assert status(get(f"/{secret}/{path}")) == 404
    for host in ("", "evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1"):
        assert status(get(f"/{secret}/", Host=host)) == 403
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", "http://127.0.0.1"):
        assert status(get(f"/{secret}/", Origin=origin)) == 403
    for method in ("POST", "PUT", "OPTIONS", "get", "G"):
        assert status(get(f"/{secret}/", method)) == 405
    assert status(get(f"/{secret}/", Content_Length="5")) == 200
    line = f"GET /{secret}/ HTTP/1.1\r\n".encode()
    host_line = f"Host: 127.0.0.1:{port}\r\n".encode()
    for request, expected in (
        (line + host_line + host_line + b"\r\n", 400),
        (line + host_line + b"Content-Length: 5\r\n\r\nhello", 413),
        (line + host_line + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (line + host_line + b"nonsense\r\n\r\n", 400),
        (line + host_line + b"X: \0\r\n\r\n", 400),
        (line + host_line + b"X: 1\nY: 2\r\n\r\n", 400),
        (line.replace(b"1.1", b"2.0") + host_line + b"\r\n", 505),
        (line.replace(b"HTTP", b"SPDY") + host_line + b"\r\n", 400),
        (line.replace(b"GET /", b"GET http://x/") + host_line + b"\r\n", 400),
        (b"GET /" + b"a" * 2000 + b" HTTP/1.1\r\n" + host_line + b"\r\n", 414),
        (line + host_line + b"X: " + b"a" * 100000, 431),
        (bytes(range(1, 256)) + b"\r\n\r\n", 400),
    ):
        assert status(exchange(port, request)) == expected
    assert status(get(f"/{secret}/")) == 200


def test_only_the_page_may_open_the_socket(handle: viewer.Handle) -> None:
    port, secret = parts(handle.url)
    for fields, expected in (
        ({}, 101),
        ({"Origin": f"http://localhost:{port}"}, 101),
        ({"Origin": ""}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Upgrade": ""}, 426),
        ({"Connection": "close"}, 426),
        ({"Sec_WebSocket_Version": "8"}, 426),
        ({"Sec_WebSocket_Key": ""}, 400),
        ({"Sec_WebSocket_Key": "AAAA"}, 400),
        ({"Sec_WebSocket_Key": "no base64 at all!"}, 400),
    ):
        answer = exchange(port, handshake(port, secret, **fields) + b"\x88\x80mask")
        assert status(answer) == expected, fields
    # the example of RFC 6455, section 1.3
    answer = exchange(
        port,
        handshake(port, secret, Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==") + b"\x88\x80mask",
    )
    assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in answer


DIGITS = b"9" * 400


@pytest.mark.parametrize(
    ("first", "content", "code"),
    [
        (0x81, b"{", 1007),
        (0x81, b"[]", 1007),
        (0x81, b"\xff\xff", 1007),
        (0x81, b"{}", 1007),
        (0x81, b"[" * 100000, 1007),
        (0x81, b'{"kind":"other"}', 1007),
        (0x81, b'{"kind":"tick"}', 1007),
        (0x81, b'{"kind":"tick","calls":[["nothing"]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[[]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[["step",1]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[["reset","a"]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[["reset",1.5]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[["reset",true]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[["reset",99999999999]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[["lookAt",NaN,0,0]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[["lookAt",1e999,0,0]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[["__init__"]],"width":1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[],"width":-1,"height":1}', 1007),
        (0x81, b'{"kind":"tick","calls":[],"width":1,"height":1e9}', 1007),
        (0x81, b'{"kind":"ask","id":1,"what":"names"}', 1007),
        (0x81, b'{"kind":"ask","id":1,"what":"pick","values":[0,1e999,0,0]}', 1007),
        (0x81, b'{"kind":"ask","id":1,"what":"eval","values":["1"]}', 1007),
        (0x81, b'{"kind":"key","code":7}', 1007),
        (0x81, b'{"kind":"tick","calls":[["reset",%s]],"width":1,"height":1}' % DIGITS, 1007),
        (0x81, b'{"kind":"tick","calls":[["lookAt",%s,0,0]],"width":1,"height":1}' % DIGITS, 1007),
        (0x81, b'{"kind":"tick","calls":[],"width":%s,"height":1}' % DIGITS, 1007),
        (0x81, b'{"kind":"ask","id":1,"what":"pick","values":[0,%s,0,0]}' % DIGITS, 1007),
        (0x81, b'{"kind":"ask","id":%s,"what":"names","values":[]}' % (b"9" * 5000), 1007),
        (0x82, b"\xff\xff\xff\xff{}", 1007),
        (0x82, b"", 1007),
        (0xC1, b"{}", 1002),
        (0x83, b"{}", 1002),
        (0x80, b"{}", 1002),
        (0x09, b"", 1002),
        (0x89, b"a" * 200, 1002),
        (0x81, b"a" * ((1 << 20) + 1), 1009),
    ],
)
def test_messages_that_are_none_end_their_page_alone(
    handle: viewer.Handle, first: int, content: bytes, code: int
) -> None:
    with Page(handle.url) as good, Page(handle.url) as page:
        try:
            page.send_frame(first, content)
        except OSError:
            pass
        with pytest.raises(Closed) as closed:
            page.receive()
        assert closed.value.code == code
        assert good.tick()["pictures"]


def test_frames_of_the_socket(handle: viewer.Handle) -> None:
    with Page(handle.url) as page:
        page.send_frame(0x89, b"still there?")
        assert page.frame() == (10, b"still there?")
        # a message in parts, with a ping between them
        tick = b'{"kind":"tick","calls":[],"width":4,"height":3}'
        page.send_frame(0x01, tick[:9])
        page.send_frame(0x89, b"")
        page.send_frame(0x80, tick[9:])
        assert page.frame() == (10, b"")
        assert page.receive()["kind"] == "model"
        assert page.receive()["kind"] == "frame"
        page.send_frame(0x81, b"[")
        with pytest.raises(Closed):
            page.receive()
    with Page(handle.url) as page:
        # without a mask
        page.socket.sendall(b"\x81\x02{}")
        with pytest.raises(Closed, match="1002"):
            page.receive()
    with Page(handle.url) as page:
        page.send_frame(0x88, b"\x03\xe9")
        with pytest.raises(Closed, match="1000"):
            page.receive()


def test_a_message_takes_no_more_room_than_its_bytes() -> None:
    """Parts of a message may be empty, or of one byte each."""
    import socket
    import tracemalloc

    from condyle._viewer.loopback import Socket

    here, there = socket.socketpair()
    count = 200000
    frames = b"\x01\x81\0\0\0\0{" + b"\0\x80\0\0\0\0" * count + b"\x80\x81\0\0\0\0}"
    sender = threading.Thread(target=there.sendall, args=(frames,))
    sender.start()
    tracemalloc.start()
    try:
        assert Socket(here, b"", 1 << 20).receive() == "{}"
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20
    sender.join()
    here.close()
    there.close()


def test_an_answer_has_each_array_once(handle: viewer.Handle) -> None:
    with Page(handle.url) as page:
        once = page.ask("arrays", ["tex_data", "geom_pos"], ["ngeom"])
        page.send(
            {
                "kind": "ask",
                "id": 9,
                "what": "arrays",
                "values": [["tex_data", "geom_pos"] * 600, ["ngeom"] * 600],
            }
        )
        code, content = page.frame()
        assert code == 2
        assert len(content) < 4 * (once["arrays"]["tex_data"].nbytes + 4096)


def test_bytes_of_a_message_are_used_once() -> None:
    import json

    from condyle._viewer.wire import Message

    reference = {"$": ["b", 0, 8]}
    text = json.dumps({"values": [reference, reference]}).encode()
    message = Message(len(text).to_bytes(4, "little") + text + b"12345678" + b"1234")
    assert message.bytes_of(reference) == b"12345678"
    with pytest.raises(ValueError, match="an array of a message"):
        message.bytes_of(reference)
    text = b'{"a":[' + b"[]," * (2 << 20) + b"1]}"
    with pytest.raises(ValueError, match="too long"):
        Message(len(text).to_bytes(4, "little") + text)


def test_what_pages_want_is_kept_once_until_sync(handle: viewer.Handle, pair: Any) -> None:
    m, d = pair
    with Page(handle.url) as page:
        page.tick(*(["setPhysics", 0, 1 << (i % 3), 1] for i in range(1000)), ["setControl", 0, 2])
        page.tick(*(["setControl", 0, i / 2000] for i in range(1000)), ["reset", -1])
        page.tick(*(["reset", 0] for _ in range(1000)), ["setPosition", 0, 0.25])
        assert len(handle._view._wanted) <= 6
        handle.sync()
    assert m.opt.disableflags == 7
    assert (d.qpos[0], d.qpos[3], d.ctrl[0]) == (0.25, 2, 0)


def test_any_message_is_answered_or_refused(handle: viewer.Handle) -> None:
    """Messages of random parts: the page's thread ends with a reason, or goes on."""
    import random

    rng = random.Random(7)
    words = "kind tick ask key id what values calls width height code arrays load pick".split()
    words += "inspect names ngeom reset step setControl drag show $ b u1 geom_pos".split()

    def value(depth: int = 0) -> Any:
        choice = rng.randrange(9 if depth < 4 else 6)
        if choice == 0:
            return rng.choice([0, 1, -1, 2**31, -(2**31), 2**53, 10**16, 10**30, 10**400])
        if choice == 1:
            return rng.choice([0.5, -1e308, 1e-320, 3.0])
        if choice == 2:
            return rng.choice([None, True, False])
        if choice in (3, 4, 5):
            return rng.choice(words)
        if choice == 6:
            return {rng.choice(words): value(depth + 1) for _ in range(rng.randrange(4))}
        return [value(depth + 1) for _ in range(rng.randrange(5))]

    def message() -> Any:
        kind = rng.choice(["tick", "ask", "key", "x"])
        base: dict[str, Any] = {"kind": kind, "id": 1, "code": "KeyA", "width": 4, "height": 3}
        base["what"] = rng.choice(["arrays", "load", "pick", "inspect", "names", "x"])
        base["values"] = [value() for _ in range(rng.randrange(5))]
        base["calls"] = [
            [rng.choice(["reset", "drag", "show", "setGroup", "select"])]
            + [value(4) for _ in range(rng.randrange(5))]
            for _ in range(rng.randrange(3))
        ]
        if rng.random() < 0.3:
            base[rng.choice(list(base))] = value()
        return base

    failures: list[Any] = []
    hook, threading.excepthook = threading.excepthook, failures.append
    try:
        refused = answered = 0
        for _ in range(300):
            with Page(handle.url) as page:
                page.send(message())
                page.send({"kind": "ask", "id": 77, "what": "names", "values": []})
                try:
                    while page.receive().get("id") != 77:
                        pass
                    answered += 1
                except Closed as closed:
                    assert closed.code == 1007
                    refused += 1
    finally:
        threading.excepthook = hook
    assert not failures, failures[0].exc_value
    assert refused > 30
    assert answered > 30


def test_silent_connections_give_way_to_pages(handle: viewer.Handle) -> None:
    """They have not shown the secret: whoever has is let in at once."""
    import socket

    port, secret = parts(handle.url)
    request = f"GET /{secret}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    crowd = []
    with Page(handle.url) as page:
        for i in range(60):
            crowd.append(socket.create_connection(("127.0.0.1", port)))
            if i % 2:
                crowd[-1].sendall(b"GET / HT")
        start = time.monotonic()
        assert status(exchange(port, request)) == 200
        assert time.monotonic() - start < 2
        assert page.tick()["pictures"]
    for connection in crowd:
        connection.close()


def test_a_crowd_of_silent_connections(
    handle: viewer.Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They take no place for ever."""
    import socket

    from condyle._viewer import loopback

    monkeypatch.setattr(loopback, "REQUEST_TIME", 1.0)
    port, _ = parts(handle.url)
    with Page(handle.url) as page:
        crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
        crowd[0].sendall(b"GET / HT")
        assert page.tick()["pictures"]
        until(
            lambda: status(
                exchange(port, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            ),
            30,
        )
        for connection in crowd:
            connection.close()
