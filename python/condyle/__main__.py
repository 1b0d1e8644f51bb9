"""``python -m condyle``: the command line program of condyle.

The program comes with the package, in ``bin``. Two commands are done here: ``run``, which runs
Python programs, and ``demo``, which lets the humanoid of the package fall.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_PROGRAM = "condyle.exe" if os.name == "nt" else "condyle"


def main(arguments: list[str] | None = None) -> int:
    """Carry out a command line; does not return if the program takes over this process."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["run"]:
        from condyle.as_mujoco import run

        return run(arguments[1:], "python -m condyle run")
    if arguments[:1] == ["demo"]:
        from condyle._viewer.demo import main as demo

        return demo(arguments[1:])
    return run_program(arguments)


def run_program(arguments: list[str]) -> int:
    """Run the program ``condyle``, which takes over this process where the system can do that."""
    program = Path(__file__).absolute().parent / "bin" / _PROGRAM
    if not program.is_file():
        print(
            f"condyle: this installation has no command line program ({program} is missing)",
            file=sys.stderr,
        )
        return 1
    command = [str(program), *arguments]
    if os.name == "nt":
        return subprocess.call(command)
    sys.stdout.flush()
    os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
