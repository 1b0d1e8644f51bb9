#!/usr/bin/env python3
"""Each file of the engine is compiled with the flags that its marks ask for, and with no other of its own
(cmake/marks.cmake).

usage: check.py SOURCE_DIR BUILD_DIR, a build with compile_commands.json
"""
import json
import pathlib
import re
import shlex
import sys

MARK = re.compile(r"^// compile with (-[a-z0-9=-]+)( \(release\))?: ", re.M)
UNFUSED = re.compile(r"^#pragma STDC FP_CONTRACT OFF", re.M)
RULE = "-fno-tree-slp-vectorize"


def cache(build, name):
    """A variable of the build."""
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    found = re.search(rf"^{name}:\w+=(.*)$", text, re.M)
    return found.group(1) if found else ""


def wanted(text, is_release):
    """Flags that the marks in a file ask for."""
    flags = {flag for flag, release in MARK.findall(text) if is_release or not release}
    if UNFUSED.search(text):
        flags |= {"-ffp-contract=off", "-Wno-unknown-pragmas"}
    return flags


def folders(source, name):
    """Folders whose files a list of CMakeLists.txt holds."""
    text = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    patterns = re.search(rf"GLOB_RECURSE {name} ([^)]*)\)", text).group(1)
    return [source / pattern.removesuffix("/*.c") for pattern in patterns.split() if pattern != "CONFIGURE_DEPENDS"]


def by_vectors(source):
    """Flags that keep small structs from string instructions."""
    text = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    strategy = re.search(r'set\(by_vectors "([^"]*)"\)', text).group(1)
    return {f"-mmemset-strategy={strategy}", f"-mmemcpy-strategy={strategy}"}


def main():
    source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    engine = {}
    for entry in commands:
        file = pathlib.Path(entry["file"])
        # the variants of lanes are made in the build (cmake/lanes.cmake)
        # the core is compiled of the same files, with flags of its own
        is_engine = (source / "src") in file.parents and "condyle_engine.dir" in entry["command"]
        if is_engine or (build.resolve() / "lanes") in file.parents:
            engine[file] = shlex.split(entry["command"])
    common = set.intersection(*(set(words) for words in engine.values()))
    is_release = cache(build, "CMAKE_BUILD_TYPE") == "Release" and not any("clang" in w for w in next(iter(engine.values())))
    # left out of link-time optimisation; and what steps run
    plain = [*folders(source, "linked_plainly"), build.resolve() / "lanes"]
    steps, vectors = folders(source, "step_sources"), by_vectors(source)
    has_vectors = any(vectors <= set(words) for words in engine.values())
    problems = [] if RULE in common else [f"the engine is not compiled with {RULE}"]
    marked = 0
    for file, words in sorted(engine.items()):
        wants = wanted(file.read_text(encoding="utf-8"), is_release)
        if "-flto=auto" in common and any(folder in file.parents for folder in plain):
            wants.add("-fno-lto")
        if has_vectors and any(folder in file.parents for folder in steps):
            wants |= vectors
        # what only this file has: no paths, no outputs
        own = {w for w in words if w.startswith(("-f", "-W", "-m", "-O")) and w not in common}
        marked += bool(wants)
        if own != wants:
            problems.append(f"{file}: marks ask for {sorted(wants)}, built with {sorted(own)}")
    if marked < 30:
        problems.append(f"only {marked} of {len(engine)} files have marks")
    print("\n".join(problems), end="\n" if problems else "")
    print(f"{int(not problems)} passed, {int(bool(problems))} failed")
    return bool(problems)


sys.exit(main())
