"""Writing files so that one which can't be written to its end destroys nothing."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from typing import IO

__all__ = ["write_file", "writing"]

_TRIES = 1000  # names of new files, which leftovers may have taken


@contextmanager
def writing(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for writing, which takes the place of the old one when the block ends.

    The bytes go to a new file in the same folder with the rights of the old one. If the block
    raises, the old file stays as it was. Pipes and devices, and whatever lies in /dev or /proc, are
    written directly, and so are files in a folder in which no file can be made.

    Raises
    ------
    OSError
        It can't be written; with the name of the file and the reason.
    """
    name = os.fspath(path)
    beside = None
    try:
        target = _replaceable(name)
        file, beside = (None, None) if target is None else _open_beside(target)
        if file is None:
            file = open(name, "wb")  # noqa: SIM115
        try:
            yield file
        except BaseException:
            with suppress(OSError):  # the first failure is told
                file.close()
            raise
        file.close()
        if beside is not None and target is not None:
            os.replace(beside, target)
            beside = None
    except OSError as error:
        # failures of writing have no name, and those of replacing that of the new file
        if error.errno is not None and error.filename in (None, beside):
            raise OSError(error.errno, os.strerror(error.errno), name) from None
        raise
    finally:
        if beside is not None:
            with suppress(OSError):
                os.unlink(beside)


def write_file(path: str | PathLike[str], content: bytes) -> None:
    """Write a whole file; see ``writing``."""
    with writing(path) as file:
        file.write(content)


def _replaceable(name: str) -> str | None:
    """Return the file itself, behind symbolic links; None if it is to be written directly."""
    try:
        mode = os.stat(name).st_mode
    except OSError:
        # a link to what is not there makes it there
        return None if _is_special(name) or os.path.islink(name) else name
    if not stat.S_ISREG(mode) or _is_special(name):
        return None
    if not os.access(name, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    return os.path.realpath(name)


def _is_special(name: str) -> bool:
    return name.startswith(("/dev/", "/proc/"))


def _open_beside(target: str) -> tuple[IO[bytes] | None, str | None]:
    """Make a new file beside the target; returns it and its name, or None if there can be none."""
    for number in range(_TRIES):
        beside = f"{target}.{os.getpid()}-{number}.tmp"
        try:
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            continue
        except OSError:
            return None, None
        try:
            if os.path.exists(target):
                os.chmod(beside, stat.S_IMODE(os.stat(target).st_mode))
        except OSError:
            os.close(descriptor)
            os.unlink(beside)
            return None, None
        return os.fdopen(descriptor, "wb"), beside
    return None, None
