"""Tells the browser a secret address.

Every user of a machine can read the words of a running command, so the address is in none: the
browser is given a page in a folder of its own, readable by this user alone, which leads there.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

_PAGE = """<!doctype html>
<meta charset="utf-8">
<title>Condyle</title>
<meta http-equiv="refresh" content="0; url={url}">
<a href="{url}">Condyle</a>
"""


class Note:
    """A page that leads to an address.

    Raises
    ------
    OSError
        It can't be written.
    """

    def __init__(self, url: str) -> None:
        runtime = os.environ.get("XDG_RUNTIME_DIR")
        above = runtime if runtime and os.access(runtime, os.W_OK) else None
        # for this user alone
        self._folder = Path(tempfile.mkdtemp(prefix="condyle-", dir=above))
        self._path = self._folder / "view.html"
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(_PAGE.format(url=url))
        except OSError:
            self.remove()
            raise

    @property
    def url(self) -> str:
        """Address of the page, which is no secret."""
        return self._path.as_uri()

    def remove(self) -> None:
        """Remove page and folder; may be called twice."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
            self._folder.rmdir()
