#!/usr/bin/env python3
"""Guards the speed of a step: the instructions of mj_step on five models, counted by callgrind.

Counts repeat to a millionth, however busy the machine is, and agree between machines: under valgrind the
engine and the C library take their AVX2 versions on every processor that has AVX2. They do depend on the
compiler, on link-time optimisation and on the C library, so each line of instructions.txt names its own. Another
version of a compiler or library is held to a coarse bound, which still finds work that is done twice; for another
compiler the counts are printed and the test is skipped (exit status 77).

usage: instructions.py BUILD_DIR [--record]      --record writes the counts instead of comparing them
"""

import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("instructions.txt")
# a step that takes more than this many times the recorded instructions fails
ALLOWED = 1.15
# the same where they were recorded with another version of the compiler or the C library
ALLOWED_COARSE = 1.5
# a model, its steps (long enough to be in contact), and the scale of its random controls
MODELS = [
    ("models/humanoid.xml", 150, 0.5),
    ("models/hand.xml", 60, 0.5),
    ("models/rubble.xml", 250, 0),
    ("models/limits.xml", 100, 0.5),
    ("tests/models/flex_contact_cloth.xml", 60, 0),
]


def skip(reason: str) -> None:
    """End as a skipped test."""
    print(f"[  REASON  ] {reason}\n[  SKIPPED ] 1 test")
    sys.exit(77)


def setting(text: str, pattern: str) -> str:
    """Return what a pattern finds in a file of CMake's."""
    found = re.search(pattern, text)
    return found.group(1) if found else "?"


def build_key(build: Path) -> str:
    """Return the compiler, link-time optimisation and C library, on which counts depend."""
    compiler = next(build.glob("CMakeFiles/*/CMakeCCompiler.cmake")).read_text()
    name = setting(compiler, r'CMAKE_C_COMPILER_ID "(\w+)"')
    major = setting(compiler, r'CMAKE_C_COMPILER_VERSION "(\d+)')
    linked = setting((build / "CMakeCache.txt").read_text(), r"CONDYLE_LTO:BOOL=(\w+)")
    lto = "lto" if linked.upper() in ("ON", "1", "TRUE") else "plain"
    return f"{name}-{major} {lto} {'-'.join(platform.libc_ver())}"


def count(build: Path, model: str, steps: int, noise: float) -> int:
    """Return the instructions of one step, callees included, on average over a run."""
    with tempfile.TemporaryDirectory() as folder:
        control = f"noise:{noise}" if noise else "zero"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", "--toggle-collect=mj_step"]
        command += [str(build / "bin/condyle"), "simulate", str(SOURCE / model), "--steps", str(steps)]
        command += ["--ctrl", control, "--seed", "1"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or not found or int(found.group(1)) == 0:
        sys.exit(f"{model}: callgrind counted nothing\n{run.stdout}{run.stderr}")
    return int(found.group(1)) // steps


def read_record() -> tuple[list[str], dict[str, int]]:
    """Return the comment at the head of the record, and its counts by key and model."""
    head, counts = [], {}
    for line in RECORD.read_text().splitlines():
        if line.startswith("#"):
            head.append(line)
        elif line.strip():
            key, number = line.rsplit(" ", 1)
            counts[key] = int(number)
    return head, counts


def kin(key: str, recorded: dict[str, int]) -> str | None:
    """Return the key that is recorded, or else one that differs in versions alone; None if there is none."""

    def family(of: str) -> list[str]:
        compiler, linked, library = of.split()
        return [compiler.split("-")[0], linked, library.split("-")[0]]

    known = sorted({" ".join(name.split()[:3]) for name in recorded})
    return key if key in known else next((k for k in known if family(k) == family(key)), None)


def compare(key: str, counts: dict[str, int], recorded: dict[str, int]) -> None:
    """Print the counts beside those recorded, and end as the test does."""
    other = kin(key, recorded)
    allowed = ALLOWED if other == key else ALLOWED_COARSE
    failed = 0
    for model, n in counts.items():
        before = recorded.get(f"{other} {model}")
        if before is None:
            print(f"{model}: {n} instructions a step, none recorded")
            continue
        slow = n > allowed * before
        failed += slow
        print(f"{'FAILED ' if slow else ''}{model}: {n} instructions a step, {n / before:.3f} of the {before} recorded")
    if other is None:
        skip(f"no instructions are recorded for {key}: make instructions records them")
    if other != key:
        print(f"{key} is not recorded; {other} is, so up to {allowed} times as many are taken for equal")
    if failed:
        print(f"a step has become slower; if it has to be, make instructions renews {RECORD.name}")
    print(f"{len(counts) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


def main() -> None:
    """Count, then record or compare."""
    build = Path(sys.argv[1]).resolve()
    if not shutil.which("valgrind"):
        skip("no valgrind")
    if "avx2" not in Path("/proc/cpuinfo").read_text().split():
        skip("the processor has no AVX2")
    key = build_key(build)
    counts = {model: count(build, model, steps, noise) for model, steps, noise in MODELS}
    head, recorded = read_record()
    if "--record" in sys.argv:
        recorded = {name: n for name, n in recorded.items() if not name.startswith(key + " ")}
        recorded |= {f"{key} {model}": n for model, n in counts.items()}
        RECORD.write_text("\n".join(head + [f"{name} {n}" for name, n in sorted(recorded.items())]) + "\n")
    compare(key, counts, recorded)


if __name__ == "__main__":
    main()
