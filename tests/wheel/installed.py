#!/usr/bin/env python3
"""An installed wheel, with nothing else there: import, steps, program, viewer, demo.

Prints its line for the table of wheels, or what failed. With the interpreter of the environment, in
a folder without sources: installed.py [--no-page]
"""

import os
import re
import statistics
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
from importlib.metadata import files
from pathlib import Path

IMPORTS = 7  # of which the median is told


def check(holds: bool, message: str) -> None:
    """End with a message unless something holds."""
    if not holds:
        sys.exit(f"FAILED {sys.version.split()[0]}: {message}")


def run(*command: str, **options: object) -> str:
    """Return what a program writes; it must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload]
    check(done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return str(done.stdout)


def import_time(module: str) -> float:
    """Return the processor's time to import a module, in a new process, ms: the median."""
    line = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    return 1e3 * statistics.median(float(run(sys.executable, "-c", line)) for _ in range(IMPORTS))


def steps() -> None:
    """A second of the humanoid of the package: it is lower afterwards, and in one piece."""
    import condyle

    path = Path(condyle.__file__).parent / "testdata" / "model.xml"
    model = condyle.MjModel.from_xml_path(str(path))
    data = condyle.MjData(model)
    first = data.geom("head").xpos[2]
    condyle.mj_step(model, data, nstep=200)
    head = data.geom("head").xpos[2]
    check(0 < head < 1.6, f"after {data.time:.2f} s the head is at {head} m (at first {first})")


def libraries() -> set[str]:
    """Return what the loader takes from outside of the wheel, but for what every Linux has."""
    import condyle

    folder = Path(condyle.__file__).resolve().parent
    binaries = [*folder.rglob("*.so"), folder / "bin" / "condyle"]
    everywhere = r"(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z|expat))\.so(\.|$)|linux-vdso"
    outside = set()
    for binary in binaries:
        for line in run("ldd", str(binary)).splitlines():
            name, _, place = line.strip().partition(" => ")
            if not place.startswith(str(folder.parent)) and not re.match(
                everywhere, Path(name.split()[0]).name
            ):
                outside.add(line.strip())
    return outside


def page(program: str) -> int:
    """Let `condyle view` serve the page; returns its size."""
    import condyle

    model = str(Path(condyle.__file__).parent / "testdata" / "model.xml")
    server = subprocess.Popen(
        [program, "view", model, "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout
        address = re.search(r"http://127\.0\.0\.1:\S+", server.stdout.readline())
        check(address is not None, "condyle view prints no address")
        assert address
        with urllib.request.urlopen(address.group(), timeout=30) as answer:
            content = answer.read()
        check(b"<html" in content[:1000].lower(), f"the page begins with {content[:60]!r}")
        return len(content)
    finally:
        server.terminate()
        server.wait(30)


def main() -> None:
    has_page = sys.argv[1:] != ["--no-page"]
    program = str(Path(sysconfig.get_path("scripts")) / "condyle")
    before = import_time("numpy")
    whole = import_time("condyle")
    steps()
    check(not libraries(), f"libraries from outside of the wheel: {libraries()}")
    check(run(program, "--version").startswith("condyle "), "condyle --version")
    check("the head is" in run(program, "demo", "--terminal"), "condyle demo")
    check("the head is" in run(sys.executable, "-m", "condyle", "demo"), "python -m condyle demo")
    size = page(program) if has_page else 0
    installed = sum(
        os.path.getsize(f.locate()) for f in files("condyle") or [] if f.locate().is_file()
    )
    print(
        f"{sys.version.split()[0]}  import {whole:.0f} ms, of which NumPy {before:.0f} ms;"
        f" installed {installed / 1e6:.1f} MB; page {size / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    main()
