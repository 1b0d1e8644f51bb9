"""The page of the viewer (web/): where it is, and what it begins with."""

from __future__ import annotations

import base64
import gzip
import json
import os
from pathlib import Path
from typing import Any

import condyle

_VARIABLE = "CONDYLE_PAGE"
# the installed package has it where the program `condyle` looks; a source tree where `make web`
# writes it, or where an archive of sources brings it
_PLACES = (
    ("share", "condyle", "viewer.html"),
    ("..", "..", "build", "web", "viewer.html"),
    ("..", "..", "web", "viewer.html"),
)
_START = '<script type="application/json" id="embedded-start">null</script>'
_REACH = "connect-src 'self'"

_MISSING = (
    "this installation of Condyle has no page of the viewer: it was built without one. `make web`"
    " in the sources builds it (emscripten, clang and npm are needed); install the package again"
    f" afterwards, or name the file in the environment variable {_VARIABLE}"
)


def find() -> Path:
    """Return where the page is; raises FatalError that says how to get it."""
    named = os.environ.get(_VARIABLE)
    if named:
        if not os.path.isfile(named):
            raise condyle.FatalError(f"{_VARIABLE} names a file that is not there: {named}")
        return Path(named)
    folder = Path(__file__).resolve().parents[1]
    for place in _PLACES:
        path = folder.joinpath(*place)
        if path.is_file():
            return path
    raise condyle.FatalError(_MISSING)


def with_start(start: dict[str, Any]) -> str:
    """Return the page that begins so; raises FatalError if there is none."""
    path = find()
    text = path.read_text(encoding="utf-8")
    if text.count(_START) != 1 or text.count(_REACH) != 1:
        raise condyle.FatalError(f"{path} is no page of this release of the viewer: see `make web`")
    return text.replace(_START, _START.replace("null", json.dumps(start).replace("<", "\\u003c")))


def reaching(text: str, port: int) -> str:
    """Return a page that may talk to a server of this machine."""
    # some browsers don't count WebSockets among the page's own addresses
    hosts = " ".join(f"ws://{host}:{port}" for host in ("127.0.0.1", "localhost"))
    return text.replace(_REACH, f"{_REACH} {hosts}")


def packed(content: bytes) -> str:
    """Return bytes as the page unpacks them: gzip, base64."""
    return base64.b64encode(gzip.compress(content, 6, mtime=0)).decode()
