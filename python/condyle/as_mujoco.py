"""Runs programs that say ``import mujoco`` on condyle, without a change to them.

``python -m condyle.as_mujoco [--version VERSION] PROGRAM.py ARGUMENTS``
``python -m condyle.as_mujoco [--version VERSION] -m PACKAGE ARGUMENTS``

``python -m condyle run`` is the same.
"""

from __future__ import annotations

import io
import os
import runpy
import sys
import types

from condyle._support.install import install_as_mujoco

_USAGE = """\
usage: {program} [--version VERSION] PROGRAM.py ARGUMENTS
       {program} [--version VERSION] -m PACKAGE ARGUMENTS

Runs a Python program that imports mujoco on condyle.

  --version VERSION  what mujoco.__version__ says, e.g. 4.0
"""


def run(arguments: list[str], program: str = "python -m condyle.as_mujoco") -> int:
    """Install condyle as mujoco and run the program that the arguments name.

    Returns
    -------
    status
        Exit status: 0, or 2 if the arguments are wrong. Exceptions of the program, SystemExit
        among them, pass through.
    """
    arguments = list(arguments)
    version = None
    while arguments and arguments[0].startswith("--"):
        option, _, value = arguments.pop(0).partition("=")
        if option == "--help":
            print(_USAGE.format(program=program), end="")
            return 0
        if option != "--version" or not (value or arguments):
            return _refuse(program, f"unknown option {option}" if value else f"{option}: no value")
        version = value or arguments.pop(0)
    if not arguments or arguments[0] == "-h":
        print(_USAGE.format(program=program), end="", file=sys.stderr)
        return 2
    try:
        install_as_mujoco(version)
    except ValueError as error:
        return _refuse(program, str(error))
    if arguments[0] == "-m":
        if len(arguments) < 2:
            return _refuse(program, "-m: no package")
        _run_package(arguments[1], arguments[2:])
    elif not os.path.exists(arguments[0]):
        return _refuse(program, f"{arguments[0]}: no such file")
    else:
        _run_file(arguments[0], arguments[1:])
    return 0


def _refuse(program: str, reason: str) -> int:
    print(f"{program}: {reason}", file=sys.stderr)
    return 2


def _run_package(name: str, arguments: list[str]) -> None:
    sys.argv = [name, *arguments]
    sys.path[0] = os.getcwd()
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _run_file(path: str, arguments: list[str]) -> None:
    sys.argv = [path, *arguments]
    if not os.path.isfile(path) or path.endswith((".zip", ".pyz")):
        runpy.run_path(path, run_name="__main__")
        return
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    # the module outlives the program, because its threads and exit functions may still use it
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    with io.open_code(os.path.abspath(path)) as file:
        code = compile(file.read(), path, "exec")
    exec(code, module.__dict__)  # noqa: S102


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
