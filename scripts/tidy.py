"""Runs clang-tidy on files, in parallel, but not on one in which it found nothing before.

A file is clean as long as its text after preprocessing (comments included: NOLINT), the checks and
the tool stay the same. What stands in public and in system headers doesn't count: a new field there
would have every file looked at again. Stamps of clean files are kept beside the compiler's cache.

    tidy.py BUILD FILE...

BUILD has compile_commands.json. Prints findings; fails if there are any.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys


def stamp_of(command: list[str], folder: str, constant: bytes) -> str:
    output = command.index("-o")
    text = subprocess.run(
        [*command[:output], *command[output + 2 :], "-E", "-C"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    key = hashlib.sha256(constant + bytes(text.returncode))
    counts = True
    for line in text.stdout.splitlines():
        if line.startswith(b"# "):  # from here on lines are of the file that is named
            counts = b"/include/" not in line
        elif counts and line.strip():
            key.update(line + b"\n")
    return key.hexdigest()


def main() -> int:
    build, *files = sys.argv[1:]
    cache = os.environ.get("CCACHE_DIR") or pathlib.Path.home() / ".cache" / "ccache"
    stamps = pathlib.Path(cache, "tidy")
    stamps.mkdir(parents=True, exist_ok=True)
    tool = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    constant = tool + pathlib.Path(".clang-tidy").read_bytes()
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
    commands = {entry["file"]: entry for entry in entries}

    def check(file: str) -> str:
        entry = commands.get(os.path.abspath(file))
        stamp = None
        if entry:
            key = stamp_of(shlex.split(entry["command"]), entry["directory"], constant)
            stamp = stamps / key
            if stamp.exists():
                stamp.touch()
                return ""
        tidy = subprocess.run(
            ["clang-tidy", "-p", build, "--quiet", file],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        if tidy.returncode == 0 and not tidy.stdout.strip():
            if stamp:
                stamp.touch()
            return ""
        return tidy.stdout or f"{file}: clang-tidy failed\n"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = "".join(pool.map(check, files))
    sys.stdout.write(findings)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
