#!/usr/bin/env python3
"""Compares the public headers with the interfaces of two releases of MuJoCo.

    interface.py ROOT COMPILER

``interface_337.txt`` and ``interface_400.txt`` say what the headers of 3.3.7 and 4.0.0 declare, one
name a line: a function with its signature, a constant with its value, a member of a struct with its
type. A program that asks for that release (mjVERSION_API) must find each of them as it is there,
but for those that ``interface_400_differs.txt`` names, each under the reason of its section. A name
there that doesn't differ any more is a mistake, too. The compiler decides: each line becomes a
static assertion.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

_HERE = Path(__file__).parent


def assertion(row: str) -> str:
    """One line of C that compiles if the headers have what a row says."""
    kind, name, what = row.split(" ", 2)
    if kind == "value":
        condition = f"{name} == {what}"
    elif kind == "member":
        struct, member = name.split(".", 1)
        place = f"__typeof__((({struct}*)0)->{member})"
        condition = f"__builtin_types_compatible_p({place}, {what})"
    else:
        condition = f"__builtin_types_compatible_p(__typeof__({name}), {what})"
    return f'_Static_assert({condition}, "{name}");'


def differing(rows: list[str], api: int, include: Path, compiler: str) -> set[str]:
    """The rows that the headers contradict."""
    lines = ["#include <mujoco/mujoco.h>", *map(assertion, rows)]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    no_limit = "-ferror-limit=0" if "clang" in version.stdout else "-fmax-errors=0"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "rows.c"
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [compiler, "-std=gnu17", "-fsyntax-only", f"-DmjVERSION_API={api}"]
        result = subprocess.run(
            [*command, no_limit, f"-I{include}", str(source)],
            capture_output=True,
            text=True,
            check=False,
        )
    places = re.findall(rf"^{re.escape(str(source))}:(\d+):\d+: error", result.stderr, re.MULTILINE)
    if result.returncode and not places:
        sys.exit(f"{compiler} fails otherwise:\n{result.stderr}")
    numbers = {int(place) - 2 for place in places}
    if min(numbers, default=0) < 0:
        sys.exit(f"the headers don't compile:\n{result.stderr}")
    return {rows[number] for number in numbers}


def read(name: str) -> list[str]:
    """Lines of a file in this folder, without comments and empty ones."""
    text = (_HERE / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def main(root: Path, compiler: str) -> int:
    problems = []
    for api in (337, 400):
        rows = read(f"interface_{api}.txt")
        known = set(read("interface_400_differs.txt")) if api == 400 else set()
        differ = differing(rows, api, root / "include", compiler)
        names = {" ".join(row.split(" ")[:2]): row for row in rows}
        for name in sorted(known - set(names)):
            problems.append(f"interface_{api}_differs.txt: no '{name}' in interface_{api}.txt")
        for name, row in names.items():
            if row in differ and name not in known:
                problems.append(f"mjVERSION_API {api}: the headers contradict '{row}'")
            if row not in differ and name in known:
                problems.append(f"interface_{api}_differs.txt: '{name}' doesn't differ")
    print("\n".join(problems) or "the headers have both interfaces")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
