#!/usr/bin/env python3
"""condyle view against what is no browser: bad requests get errors, and the server goes on.

usage: server_test.py CONDYLE SOURCE_DIR
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

condyle, source = sys.argv[1], Path(sys.argv[2])
passed = failed = 0
PAGE = b"<!doctype html><title>page</title>"


class Server:
    """A running `condyle view`."""

    def __init__(self, model: Path, page: Path, browser: dict[str, str] | None = None) -> None:
        command = [condyle, "view", str(model), "--page", str(page)]
        if browser is None:
            command.append("--no-browser")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=browser
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        assert found, self.address
        self.port, self.secret = int(found[1]), found[2]

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def send(self, request: bytes) -> bytes:
        """Everything that the server answers to these bytes."""
        with self.connect() as connection:
            try:
                connection.sendall(request)
            except OSError:
                pass
            answer = b""
            while True:
                try:
                    piece = connection.recv(65536)
                except OSError:
                    break
                if not piece:
                    break
                answer += piece
        return answer

    def get(self, path: str, *, method: str = "GET", host: str = "", more: str = "") -> bytes:
        host = host or f"127.0.0.1:{self.port}"
        return self.send(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode())

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=20)


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def content(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


def check(name: str, got: object, expected: object) -> None:
    global passed, failed
    if got == expected:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {got!r} instead of {expected!r}")


def check_good(server: Server, model: Path) -> None:
    root = f"/{server.secret}"
    page = server.get(f"{root}/")
    check("the page", (status(page), content(page)), (200, PAGE))
    for header in (b"no-store", b"nosniff", b"X-Frame-Options: DENY", b"no-referrer"):
        check(f"header {header!r}", header in page, True)
    check("a query is left out", status(server.get(f"{root}/?model=x")), 200)
    check("by the other name", status(server.get(f"{root}/", host=f"localhost:{server.port}")), 200)
    own = f"Origin: http://127.0.0.1:{server.port}\r\n"
    check("from the page itself", status(server.get(f"{root}/model.json", more=own)), 200)
    files = json.loads(content(server.get(f"{root}/model.json")))
    check("main file", files["main"], str(model))
    check("three files", len(files["files"]), 3)
    sizes = [Path(name).stat().st_size for name in files["files"]]
    check("sizes of files", files["sizes"], sizes)
    for i, name in enumerate(files["files"]):
        answer = server.get(f"{root}/files/{i}")
        check(f"file {i}", (status(answer), content(answer)), (200, Path(name).read_bytes()))
    head = server.get(f"{root}/", method="HEAD")
    check("head only", (status(head), content(head)), (200, b""))


def check_hostile(server: Server) -> None:
    root, host = f"/{server.secret}", f"Host: 127.0.0.1:{server.port}\r\n"
    wrong = root[:-1] + ("0" if root[-1] != "0" else "1")
    for path in (
        "/",
        "/model.json",
        f"{wrong}/",
        root,
        f"{root[:-1]}/",
        f"{root}x/",
        "/" + "0" * 32 + "/",
    ):
        check(f"without the secret: {path}", status(server.get(path)), 404)
    for path in (
        "files/3",
        "files/-1",
        "files/",
        "files/0x0",
        "files/99999999999999999999",
        "files/0/",
        "files/../../etc/passwd",
        "../../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "viewer.html",
    ):
        check(f"no such file: {path}", status(server.get(f"{root}/{path}")), 404)
    for name in (
        "evil.example",
        f"evil.example:{server.port}",
        "127.0.0.1",
        f"127.0.0.1:{server.port}.evil.example",
        f"[::1]:{server.port}",
        "127.0.0.1:1",
    ):
        check(f"another name: {name}", status(server.get(f"{root}/", host=name)), 403)
    for origin in (
        "http://evil.example",
        "null",
        f"https://127.0.0.1:{server.port}",
        "http://127.0.0.1:1",
    ):
        check(
            f"another page: {origin}",
            status(server.get(f"{root}/", more=f"Origin: {origin}\r\n")),
            403,
        )
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "GETS", "G"):
        check(f"method {method}", status(server.get(f"{root}/", method=method)), 405)
    line = f"GET {root}/ HTTP/1.1\r\n"
    broken: list[tuple[str, bytes, int]] = [
        ("no host", f"{line}\r\n".encode(), 403),
        ("two hosts", f"{line}{host}{host}\r\n".encode(), 400),
        ("no version", f"GET {root}/\r\n{host}\r\n".encode(), 400),
        ("another version", f"GET {root}/ HTTP/2.0\r\n{host}\r\n".encode(), 505),
        ("another protocol", f"GET {root}/ SPDY/1.1\r\n{host}\r\n".encode(), 400),
        ("a whole address", f"GET http://127.0.0.1{root}/ HTTP/1.1\r\n{host}\r\n".encode(), 400),
        ("no path", f"GET  HTTP/1.1\r\n{host}\r\n".encode(), 400),
        ("a zero in the path", f"GET {root}/\0 HTTP/1.1\r\n{host}\r\n".encode(), 400),
        ("a zero in a field", f"{line}{host}X: \0\r\n\r\n".encode(), 400),
        ("a field without colon", f"{line}{host}nonsense\r\n\r\n".encode(), 400),
        ("a continued field", f"{line}{host} more\r\n\r\n".encode(), 400),
        ("a space before the colon", f"{line}{host}X : 1\r\n\r\n".encode(), 400),
        ("a bare line feed", f"{line}{host}X: 1\nY: 2\r\n\r\n".encode(), 400),
        ("a body", f"{line}{host}Content-Length: 5\r\n\r\nhello".encode(), 413),
        (
            "a body in chunks",
            f"{line}{host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n".encode(),
            400,
        ),
        ("an empty line first", f"\r\n\r\n{line}{host}\r\n".encode(), 400),
        ("noise", bytes(range(1, 256)) + b"\r\n\r\n", 400),
        ("a long path", f"GET {root}/{'a' * 2000} HTTP/1.1\r\n{host}\r\n".encode(), 414),
        ("huge fields", f"{line}{host}X: {'a' * 100000}\r\n\r\n".encode(), 431),
        ("many fields", f"{line}{host}{'X: 1' * 3000}".encode(), 431),
    ]
    for name, request, expected in broken:
        check(name, status(server.send(request)), expected)


def check_crowd(server: Server) -> None:
    """Silent connections have not shown the secret: they give way at once, and end soon."""
    crowd = [server.connect() for _ in range(60)]
    crowd[0].sendall(b"GET / HT")
    start = time.monotonic()
    answer = server.get(f"/{server.secret}/")
    check("among a crowd of silent connections", status(answer), 200)
    check("at once", time.monotonic() - start < 2, True)
    silent = server.connect()
    check("a silent connection ends", silent.recv(1), b"")
    check("soon", time.monotonic() - start < 8, True)
    for connection in crowd:
        connection.close()
    # one that asks and goes away
    for _ in range(50):
        with server.connect() as connection:
            connection.sendall(f"GET /{server.secret}/files/0 HTTP/1.1\r\n\r\n".encode())
    check("after visitors that left", status(server.get(f"/{server.secret}/")), 200)



def check_odd_files(folder: Path, page: Path) -> None:
    """What a model names may be no file, or have no end: the server goes on, and Ctrl-C ends it."""
    os.mkfifo(folder / "fifo.obj")
    with (folder / "huge.obj").open("wb") as file:
        file.truncate(1 << 40)
    names = ["fifo.obj", "/dev/zero", "huge.obj", "."]
    meshes = "".join(f'<mesh name="m{i}" file="{name}"/>' for i, name in enumerate(names))
    model = folder / "odd.xml"
    model.write_text(f"<mujoco><asset>{meshes}</asset></mujoco>")
    server = Server(model, page)
    listed = json.loads(content(server.get(f"/{server.secret}/model.json")))["files"]
    check("odd files are listed", len(listed), 5)
    for i, name in enumerate(listed[1:], 1):
        check(f"odd file {name}", status(server.get(f"/{server.secret}/files/{i}")), 404)
    check("ends after odd files", server.stop(), 0)
    command = [condyle, "view", str(folder / "fifo.obj"), "--no-browser", "--page", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    check("a pipe", (done.returncode, "regular file" in done.stderr), (2, True))


def check_robot(folder: Path, page: Path) -> None:
    """A robot is served as MJCF, with its own text and what was changed, at the bodies concerned."""
    robot = folder / "arm.urdf"
    inertial = (
        '<inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    robot.write_text(
        f'<robot name="r"><link name="base">{inertial}</link>\n'
        f'<link name="arm&quot;">{inertial}<visual><geometry><sphere radius="0"/></geometry></visual>'
        '</link>\n<link name="tip"/>'
        '<joint name="a" type="continuous"><parent link="base"/><child link="arm&quot;"/></joint>'
        '<joint name="b" type="continuous"><parent link="arm&quot;"/><child link="tip"/></joint>'
        "</robot>"
    )
    server = Server(robot, page)
    listed = json.loads(content(server.get(f"/{server.secret}/model.json")))
    check("a robot is MJCF", listed["main"].endswith("/robot.xml"), True)
    check("the text of a robot", listed["files"][-1], str(robot))
    number = len(listed["files"]) - 1
    text = content(server.get(f"/{server.secret}/files/{number}"))
    check("the text of a robot is served", text, robot.read_bytes())
    notes = [(it["owner"], it["file"], it["line"], it["error"]) for it in listed["notes"]]
    own = str(robot)
    check(
        "the bodies of changes",
        notes,
        [('arm"', own, 2, False), ("tip", own, 3, False), ("tip", own, 3, False)],
    )
    check("what was changed", listed["notes"][0]["message"], "has the size 0 and is left out")
    folders = Path(listed["main"]).parent
    check("the MJCF is there", folders.is_dir(), True)
    check("ends after a robot", server.stop(), 0)
    check("the MJCF is gone at the end", folders.exists(), False)


def check_browser(folder: Path, model: Path, page: Path) -> None:
    """The words of a command are no secret: the browser gets a page that leads to the address."""
    tools, runtime, seen = folder / "tools", folder / "runtime", folder / "seen"
    tools.mkdir()
    runtime.mkdir()
    opener = tools / "xdg-open"
    opener.write_text(
        f'#!/bin/sh\n{{ echo "$*"; stat -c %a "$1" "$(dirname "$1")"; cat "$1"; }} > {seen}.part\n'
        f"mv {seen}.part {seen}\n"
    )
    opener.chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    for variable in ("XDG_RUNTIME_DIR", "TMPDIR"):
        environment = {**os.environ, "PATH": path, variable: str(runtime)}
        if variable == "TMPDIR":
            environment["XDG_RUNTIME_DIR"] = str(folder / "none")
        seen.unlink(missing_ok=True)
        server = Server(model, page, browser=environment)
        stop = time.monotonic() + 20
        while not seen.exists() and time.monotonic() < stop:
            time.sleep(0.05)
        words, file_mode, folder_mode, *text = seen.read_text().splitlines()
        check("the secret is no word of a command", server.secret in words, False)
        check("the note is this user's", (file_mode, folder_mode), ("600", "700"))
        check("the note is in a folder for it", words.startswith(f"{runtime}/condyle-"), True)
        check("the note leads there", f"url={server.address}" in "".join(text), True)
        if variable == "TMPDIR":
            check("the page", status(server.get(f"/{server.secret}/")), 200)
            check("the note is gone when the browser has come", os.listdir(runtime), [])
        check("ends with a note", server.stop(), 0)
        check("the note is gone at the end", os.listdir(runtime), [])


def check_arguments(folder: Path, page: Path) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run([condyle, "view", *words], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    model = str(folder / "robot.xml")
    check("no model", run()[0], 2)
    check("a missing model", run(str(folder / "none.xml"), "--page", str(page))[0], 2)
    check("a missing page", run(model, "--page", str(folder / "none.html"))[0], 2)
    for port in ("65536", "-1", "x", ""):
        check(f"port '{port}'", run(model, "--port", port)[0], 2)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        status_, message = run(model, "--page", str(page), "--port", port, "--no-browser")
        check("a port that is taken", (status_, "in use" in message), (1, True))


def check_address(server: Server) -> None:
    """Only this machine can ask: the socket is bound to the loopback address."""
    bound = Path("/proc/net/tcp")
    if bound.exists():
        lines = [line.split() for line in bound.read_text().splitlines()[1:]]
        own = [
            words[1]
            for words in lines
            if words[1].endswith(f":{server.port:04X}") and words[3] == "0A"
        ]
        check("bound to the loopback address", own, [f"0100007F:{server.port:04X}"])


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page, model = folder / "viewer.html", folder / "robot.xml"
        page.write_bytes(PAGE)
        (folder / "part.xml").write_text(
            '<mujocoinclude><geom type="mesh" mesh="m"/></mujocoinclude>'
        )
        (folder / "m.obj").write_text(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
        )
        model.write_text(
            '<mujoco><asset><mesh name="m" file="m.obj"/></asset>'
            '<worldbody><include file="part.xml"/></worldbody></mujoco>'
        )
        server = Server(model, page)
        steps: list[Callable[[], None]] = [
            lambda: check_good(server, model),
            lambda: check_hostile(server),
            lambda: check_address(server),
            lambda: check_crowd(server),
        ]
        for step in steps:
            step()
            check("still running", server.process.poll(), None)
        files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        check("no connection is left open", files < 12, True)
        other = Server(model, page)
        check("another secret each time", other.secret != server.secret, True)
        check("ends when asked to", (server.stop(), other.stop()), (0, 0))
        check_arguments(folder, page)
        check_odd_files(folder, page)
        check_robot(folder, page)
        check_browser(folder, model, page)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
