#!/usr/bin/env python3
"""Writes the core as one file, condyle.c, with one header, condyle.h.

    amalgamate.py [--plain] [FOLDER]     FOLDER: build/one_file by default
        --plain: without vectors and threads, in C17 that any compiler takes (plain_c.py)

The sources are those of libcondyle_core (src/core/folders.txt); comments are kept. Headers come
before the first file that includes them. What is local to a file and has the name of something
elsewhere gets the name of its file in front: `descend` of collision/ray/mesh.c becomes
`collision_ray_mesh_descend`. Macros of a file end with it.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC, INCLUDE = ROOT / "src", ROOT / "include"

# comments and literals, a word with what stands before it: a member or not, or that of an offsetof
PIECE = re.compile(
    r"(?<=\boffsetof\()\w+, *[\w.]+|"
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|(?:(?:->|\.)\s*)?\b[A-Za-z_]\w*",
    re.S,
)
QUIET = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
INCLUDED = re.compile(r'^ *# *include *[<"]([^>"]+)[>"].*\n', re.M)
MACRO = re.compile(r"^ *# *define +(\w+)", re.M)

# what headers of systems define or ask for, which all come into the one file: on macOS sockets are
# declared wherever conditions of threads are, and KERNEL hides functions of folders
FOREIGN = {"accept", "KERNEL"}
# what windows.h defines, for files that don't include it
WINDOWS = {"BYTE", "FIXED", "INFINITE", "INPUT", "ReadFile", "SHORT", "SIZE", "TEXT", "WORD"}


def foreign(text: str) -> set[str]:
    return FOREIGN if "<windows.h>" in text else FOREIGN | WINDOWS


TOP = """// condyle.c: the core of Condyle {version}, a physics engine for articulated bodies in contact, in
// one file: binary models, stepping, derivatives, batches. It needs condyle.h beside it, C17 with the
// vectors of GCC and Clang, libm and POSIX threads:
//
//   cc -O2 -c condyle.c
//
// Made by scripts/amalgamate.py of the sources, which are easier to read. Licence: Apache-2.0.

#if !defined(__GNUC__)
#error "condyle.c needs a compiler with the vector types of GCC and Clang (vector_size)"
#endif

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef _WIN32
#define _POSIX_C_SOURCE 200809L
#define _CRT_RAND_S
#define __USE_MINGW_ANSI_STDIO 1
#endif

// no product is fused into a sum: the same bits with every compiler, on every machine
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off", "no-math-errno", "no-trapping-math")
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#define MUJOCO_DLL_EXPORTS
#define CONDYLE_VERSION "{version}"

#include "condyle.h"
"""


def core_sources() -> list[str]:
    """The .c files of the core, relative to src."""
    found: list[str] = []
    for line in (SRC / "core/folders.txt").read_text(encoding="utf-8").split():
        if line.startswith("-"):
            found.remove(line[1:] + ".c")
        else:
            found += sorted(file.relative_to(SRC).as_posix() for file in (SRC / line).rglob("*.c"))
    for file in sorted((SRC / "core").rglob("*.c")):
        name = file.relative_to(SRC / "core").as_posix()
        place = name.removesuffix(".c") + "/"
        found = [f for f in found if f != name and not f.startswith(place)] + ["core/" + name]
    return found


def read(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8")


def quiet(text: str) -> str:
    """The text without comments and literals, with as many lines."""
    return QUIET.sub(lambda m: "\n" * m[0].count("\n") or " ", text)


# definitions begin at the margin, as clang-format puts them
FUNCTION = re.compile(
    r"^(?!typedef|return|else)[A-Za-z_][^;{}()=#]*?(?:__attribute__\(\([^()]*(?:\([^()]*\))?[^()]*\)\)[^;{}()=#]*?)?\b(\w+)\(",
    re.M,
)
VARIABLE = re.compile(
    r"^(?:static|const|extern|_Thread_local)\b[^;{}()#=]*(?:=[^;{]*)?(?=[;{])", re.M
)
TYPE = re.compile(
    r"^typedef (?![^;]*\{)[^;{]*?\(?\*?\b(\w+)\)?"
    r"(?: SIMD_TYPE\([^;]*\)| __attribute__[^;]*|\([^;]*\))?;|^\} (\w+)\b[^;]*;",
    re.M,
)
TAG = re.compile(r"^(?:typedef )?(?:struct|union|enum) (\w+)", re.M)
CONSTANTS = re.compile(r"^(?:typedef )?enum\b[^{;]*\{(.*?)^\}", re.M | re.S)


def defined(text: str) -> set[str]:
    """Names that a file defines or declares at its top: functions, variables, types, constants."""
    text = re.sub(r"^ *#(?:[^\n]*\\\n)*[^\n]*", "", quiet(text), flags=re.M)
    names = set(FUNCTION.findall(text)) | set(TAG.findall(text))
    names |= {name for pair in TYPE.findall(text) for name in pair if name}
    for part in VARIABLE.findall(text):
        for item in re.sub(r"\[[^\]]*\]|=[^,]*", "", part).split(","):
            names |= set(re.findall(r"\w+", item)[-1:])
    for body in CONSTANTS.findall(text):
        names |= set(re.findall(r"(?:^|,)\s*(\w+)", body))
    return names - {"static", "struct", "union", "enum"}


class Core:
    """The sources, what they include, and the names that are to be told apart."""

    def __init__(self) -> None:
        self.sources = core_sources()
        self.headers: list[str] = []  # internal ones, each after those that it includes
        self.of: dict[str, set[str]] = {}  # the internal headers that a file reaches
        for file in self.sources:
            self.reach(file)
        self.public = public_headers([*self.sources, *self.headers])
        owners: dict[str, int] = {}
        shared = [defined(read(SRC / file)) for file in self.headers] + [
            defined(read(INCLUDE / file)) for file in self.public
        ]
        self.macros = {name for file in self.headers for name in MACRO.findall(read(SRC / file))}
        self.macros |= {
            name for file in self.public for name in MACRO.findall(read(INCLUDE / file))
        }
        for name in set().union(*shared, self.macros):
            owners[name] = 1
        self.local: dict[str, set[str]] = {}
        declared = set().union(*(defined(read(INCLUDE / file)) for file in self.public))
        for file in self.sources:
            known = declared.union(*(defined(read(SRC / header)) for header in self.of[file]))
            self.local[file] = defined(read(SRC / file)) - known
            for name in self.local[file]:
                owners[name] = owners.get(name, 0) + 1
        self.twice = {name for name, count in owners.items() if count > 1}

    def reach(self, file: str) -> set[str]:
        """The internal headers that a file reaches, which are put in order on the way."""
        if file not in self.of:
            self.of[file] = set()
            for header in INCLUDED.findall(read(SRC / file)):
                if (SRC / header).exists() and not is_template(header):
                    self.of[file] |= {header} | self.reach(header)
            if file.endswith(".h"):
                self.headers.append(file)
        return self.of[file]


def is_template(header: str) -> bool:
    """Is it a header that each file includes anew, with other macros?"""
    return "#pragma once" not in read(SRC / header)


def public_headers(files: list[str]) -> list[str]:
    """The public headers that these files include, each after those that it includes itself."""
    found: list[str] = []

    def add(file: str) -> None:
        for header in INCLUDED.findall(read(INCLUDE / file)):
            if (INCLUDE / header).exists() and header not in found:
                add(header)
        if file not in found:
            found.append(file)

    for header in sorted(
        {header for file in files for header in INCLUDED.findall(read(SRC / file))}
    ):
        if (INCLUDE / header).exists():
            add(header)
    return found


def renamed(text: str, names: set[str], prefix: str, file: str) -> str:
    """The text with a prefix before these names, which must be no members of the file's structs."""

    def one(piece: re.Match[str]) -> str:
        word = piece[0]
        return prefix + word if word.split(",")[0] in names else word

    for checked in re.findall(r"\bcheck_(?:given|arrays)\([^;]*\);", text):
        if names & set(re.findall(r"\w+", checked)):
            raise SystemExit(
                f"{file}: an argument that a check names is called like a function: {checked}"
            )
    return PIECE.sub(one, text)


def without_includes(text: str, seen: set[str]) -> str:
    """The text without includes of our own headers, and of others that came before."""

    def one(found: re.Match[str]) -> str:
        name = found[1]
        is_own = (SRC / name).exists() or (INCLUDE / name).exists()
        if (SRC / name).exists() and is_template(name):
            return read(SRC / name)
        is_old = name in seen
        before = re.sub(r"^#ifndef \w+_H_$", "", text[: found.start()], flags=re.M)
        is_everywhere = len(re.findall(r"^ *# *if", before, re.M)) == len(
            re.findall(r"^ *# *endif", before, re.M)
        )
        if is_everywhere and not is_own:
            seen.add(name)
        if is_own or is_old:
            return ""
        # words for addresses of 16 bits
        return found[0] + ("#undef near\n#undef far\n" if name == "windows.h" else "")

    text = re.sub(
        r"^#pragma once\n\n?|^#define _[A-Z_]*SOURCE\b.*\n\n?|^#pragma STDC FP_CONTRACT OFF.*\n\n?",
        "",
        text,
        flags=re.M,
    )
    return re.sub(r"\n{3,}", "\n\n", INCLUDED.sub(one, text))


def write_source(core: Core, version: str) -> str:
    parts, seen = [TOP.replace("{version}", version)], set()
    done: set[str] = set()
    for file in core.sources:
        for header in core.headers:
            if header in core.of[file] and header not in done:
                done.add(header)
                text = without_includes(read(SRC / header), seen)
                text = renamed(text, foreign(text), "own_", header)
                parts.append(f"\n// ---- src/{header}\n\n{text}")
        text = without_includes(read(SRC / file), seen)
        text = renamed(text, foreign(text), "own_", file)
        names = core.local[file] & core.twice
        prefix = file.removesuffix(".c").replace("/", "_") + "_"
        parts.append(f"\n// ---- src/{file}\n\n{renamed(text, names, prefix, file)}")
        own = [name for name in dict.fromkeys(MACRO.findall(text)) if name not in core.macros]
        parts.append(
            "\n" * bool(own)
            + "".join(f"#undef {prefix if name in names else ''}{name}\n" for name in own)
        )
    return "".join(parts)


def write_header(core: Core, version: str) -> str:
    seen: set[str] = set()
    parts = [
        f"// condyle.h: the interface of condyle.c, Condyle {version}. Made by scripts/amalgamate.py\n"
        "// of the headers of the whole library; its functions are those that docs/core.md lists.\n"
        "\n#ifndef CONDYLE_ONE_FILE_H_\n#define CONDYLE_ONE_FILE_H_\n"
        "\n// the one file is part of the program, no library beside it\n"
        "#if defined(_WIN32) && !defined(MJ_STATIC)\n#define MJ_STATIC\n#endif\n"
    ]
    for file in core.public:
        parts.append(f"\n// ---- include/{file}\n\n{without_includes(read(INCLUDE / file), seen)}")
    return "".join(parts) + "\n#endif  // CONDYLE_ONE_FILE_H_\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Writes the core as one file, condyle.c with condyle.h."
    )
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/one_file")
    parser.add_argument("--plain", action="store_true", help="without vectors and threads")
    arguments = parser.parse_args()
    folder = arguments.folder
    version = re.search(r"^project\(condyle VERSION ([\d.]+)", read(ROOT / "CMakeLists.txt"), re.M)
    core = Core()
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("condyle.c", write_source(core, version[1])),
        ("condyle.h", write_header(core, version[1])),
    ):
        (folder / name).write_text(text, encoding="utf-8")
        print(f"{folder / name}: {text.count(chr(10))} lines, {len(text) / 1e6:.1f} MB")
    print(f"{len(core.twice)} names told apart")
    if arguments.plain:
        from plain_c import plain_source

        (folder / "condyle.c").write_text(plain_source(folder / "condyle.c"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
