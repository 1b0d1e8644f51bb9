"""The server of the viewer against what is no page."""

from __future__ import annotations

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


def test_a_crowd_of_silent_connections(
    handle: viewer.Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They take all places for a while, not for ever."""
    import socket

    from condyle import _loopback

    monkeypatch.setattr(_loopback, "PATIENCE", 1.0)
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
