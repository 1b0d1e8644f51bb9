#!/usr/bin/env python3
"""A module may use its own and lower floors only (docs/architecture.md): the headers that its files
include, and the symbols that its objects take from others. The same holds for files inside a module
(floors.py). Programs use the public face alone, memory is taken in one way, and no folder of code is too full.

usage: check.py SOURCE_DIR OBJECT_DIR, the folder in which the compiler has put src/**/*.c.o
"""
import os
import pathlib
import re
import subprocess
import sys

from floors import wrong_check, wrong_floors, wrong_sizes
from names import wrong_names, wrong_names_check

FLOORS = [
    {"base"},
    {"model", "meshfile", "imagefile"},
    {"spec", "smooth", "collision", "computed", "scene"},
    {"constraint"},
    {"sensor", "print"},
    {"step", "plugin"},
    {"compile", "derivative", "lanes"},
    {"mjcf"},
    {"lint", "batch", "replay", "view", "robot", "core"},
    {"render"},
]
FLOOR = {module: floor for floor, modules in enumerate(FLOORS) for module in modules}

INCLUDE = re.compile(r'^ *# *include *["<]([^">]+)[">]', re.M)


def module_of(path):
    return path.split("/")[0]


def may_use(user, used):
    """May a module use another? Unknown modules may nothing, nor may anybody use them."""
    return user == used or FLOOR.get(used, 99) < FLOOR.get(user, -1)


def wrong_includes(source):
    """Lines about includes of own headers from the same or a higher floor, and of mujoco.h."""
    root = source / "src"
    for file in sorted(root.rglob("*.[ch]")):
        path = file.relative_to(root).as_posix()
        if module_of(path) not in FLOOR:
            yield f"src/{path}: its module belongs to no floor"
        for header in INCLUDE.findall(file.read_text(encoding="utf-8")):
            # the functions of the interface are declared by module: mujoco/api/smooth.h
            used = header.removeprefix("mujoco/api/").removesuffix(".h")
            used = {"ui": "render", "derive": "compile"}.get(used, used)
            is_own = (root / header).exists() or used != header.removesuffix(".h")
            if header == "mujoco/mujoco.h" or (is_own and not may_use(module_of(path), module_of(used))):
                yield f"src/{path} includes {header}"
    for file in sorted((source / "cli").rglob("*.[ch]")):
        for header in INCLUDE.findall(file.read_text(encoding="utf-8")):
            if (root / header).exists() and not header.startswith("base/system/"):
                yield f"{file.relative_to(source)} includes {header}"


# lists that outlive every call, and what Qhull and the C library made
OWN_MEMORY = {"compile/asset_cache.c", "compile/mesh/hull.c"}
ALLOCATION = re.compile(r"^(?! *//).*?(?<![\w.>])(?:malloc|calloc|realloc|aligned_alloc|strdup|free)\(", re.M)


def wrong_memory(source):
    """Lines about memory that a call which fails would lose: it must come from heap_take."""
    for module in ("spec", "mjcf", "compile", "lint"):
        for file in sorted((source / "src" / module).rglob("*.c")):
            path = file.relative_to(source / "src").as_posix()
            for line in ALLOCATION.findall(file.read_text(encoding="utf-8")):
                if path not in OWN_MEMORY:
                    yield f"src/{path}: memory comes from heap_take (base/memory/memory.h): {line.strip()}"


def symbols(objects):
    """The symbols that each source file (as module/.../file.c) defines, and those it needs."""
    listing = subprocess.run(["nm", "-A", *objects.values()], capture_output=True, text=True, check=True)
    path_of = {object: path for path, object in objects.items()}
    defined, needed = {}, []
    for line in listing.stdout.splitlines():
        object, entry = line.rsplit(":", 1)
        fields = entry.split()
        kind, name = fields[-2], fields[-1]
        if kind == "U":
            needed.append((path_of[object], name))
        elif kind.isupper() or kind == "i":
            defined[name] = path_of[object]
    return defined, needed


def find_objects(source, object_dir):
    """The object of each source file."""
    objects = {}
    for object in sorted(pathlib.Path(object_dir).rglob("*.c.o")):
        path = object.relative_to(object_dir).as_posix()[:-2]
        if (source / "src" / path).exists():
            objects[path] = str(object)
    return objects


def wrong_symbols(defined, needed):
    """Lines about symbols taken from the same or a higher floor."""
    for path, name in needed:
        owner = defined.get(name, path)
        if not may_use(module_of(path), module_of(owner)):
            yield f"src/{path} uses {name} of src/{owner}"


def file_uses(source, defined, needed):
    """What each file uses of its module, by module, and how; names are without module and suffix."""
    root = source / "src"
    uses = {module: {} for module in FLOOR if (root / module).exists()}
    pairs = [(path, defined.get(name, path), f"uses {name} of") for path, name in needed]
    for file in sorted(root.rglob("*.[ch]")):
        path = file.relative_to(root).as_posix()
        uses[module_of(path)][path[len(module_of(path)) + 1 : -2]] = {}
        for header in INCLUDE.findall(file.read_text(encoding="utf-8")):
            if (root / header).exists():
                pairs.append((path, header, "includes"))
    for user, used, how in pairs:
        module = module_of(user)
        name, other = user[len(module) + 1 : -2], used[len(module) + 1 : -2]
        if module == module_of(used) and name != other:
            uses[module][name].setdefault(other, f"{how} {used[len(module) + 1 :]}")
    return uses


def wrong_files(source, defined, needed):
    """Lines about the order of files inside modules."""
    yield from wrong_check()
    for module, uses in file_uses(source, defined, needed).items():
        readme = (source / "src" / module / "README.md").read_text(encoding="utf-8")
        for problem in wrong_floors(readme, uses):
            yield f"src/{module}: {problem}"


# all folders with code of ours but src/, whose sizes are looked at with its floors
FOLDERS = ("bench", "cli", "cmake", "examples", "include", "python", "scripts", "tests", "web")
CODE = {".c", ".cc", ".cmake", ".css", ".h", ".html", ".mjs", ".py", ".sh", ".ts"}
# what tools write there
WRITTEN = {"__pycache__", "node_modules", "build", "dist"}


def wrong_folders(source):
    """Lines about folders outside src/ with too many files of code; models and pictures are none."""
    files = set()
    for folder in FOLDERS:
        for place, inner, names in os.walk(source / folder):
            inner[:] = [name for name in inner if name not in WRITTEN]
            paths = [pathlib.Path(place, name).relative_to(source) for name in names]
            files |= {path.with_suffix("").as_posix() for path in paths if path.suffix in CODE}
    if len(files) < 100:
        yield f"only {len(files)} files of code in {' '.join(FOLDERS)}"
    yield from wrong_sizes(files)


def main():
    source, object_dir = pathlib.Path(sys.argv[1]), sys.argv[2]
    failed = 0
    objects = find_objects(source, object_dir)
    if len(objects) < 100:
        print(f"only {len(objects)} objects in {object_dir}")
        return 1
    table = symbols(objects)
    checks = (wrong_includes(source), wrong_memory(source), wrong_symbols(*table), wrong_files(source, *table),
              wrong_names(source), wrong_names_check(), wrong_folders(source))
    for check in checks:
        problems = list(check)
        print("\n".join(problems), end="\n" if problems else "")
        failed += bool(problems)
    print(f"{len(checks) - failed} passed, {failed} failed")
    return failed


sys.exit(main())
