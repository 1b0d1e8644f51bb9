"""Writes the one file (amalgamate.py) in plain C17, for compilers that lack what it is written in:
vectors, atomic operations, variables of a thread, functions that run before main, arrays of
variable length as parameters.

The file is preprocessed with the headers of the system left out, parsed, rewritten (plain_lower.py)
and printed. There are no threads: a program uses it on one. Needs pycparser 3.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
import tempfile

from plain_lower import Number, Plain
from pycparser import c_ast, c_generator, c_parser

# names of the system's headers that are types, without which C can't be parsed
SYSTEM_TYPES = """size_t ptrdiff_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t
intptr_t uintptr_t wchar_t plain_align va_list jmp_buf FILE DIR locale_t time_t clockid_t mode_t
pid_t ssize_t off_t sigset_t pthread_t pthread_mutex_t pthread_mutexattr_t pthread_cond_t
pthread_condattr_t posix_spawn_file_actions_t posix_spawnattr_t atomic_char atomic_flag atomic_int
atomic_size_t atomic_ullong""".split()

# what headers of the system define in ways that aren't expressions
SYSTEM_MACROS = {
    "assert.h": "#define static_assert _Static_assert\n",
    "stdalign.h": "#define alignof(T) _Alignof(T)\n#define alignas(n) _Alignas(n)\n",
    "stdarg.h": "#define va_arg(list, T) (*(T*)plain_va_arg(list))\n",
    "stdbool.h": "#define bool _Bool\n#define true 1\n#define false 0\n",
}

# how the preprocessor sees the file: as a compiler that has nothing
DEFINITIONS = [
    "__GNUC__=12",
    "__attribute__(x)=__attribute(x)",
    "__extension__=",
    '__VERSION__=""',
    "__BYTE_ORDER__=1",
    "__ORDER_BIG_ENDIAN__=2",
    "__builtin_convertvector(x,T)=((T)plain_convert(x))",
    "__builtin_prefetch(...)=((void)0)",
    "max_align_t=plain_align",
    "_Thread_local=",
    "_Atomic=",
]

TOP = """\
// condyle.c: the core of Condyle in one file of plain C17, for compilers without vectors, like tcc.
// It needs condyle.h beside it and libm. Programs may use it on one thread, and it has no batches.
//
// Made by scripts/amalgamate.py --plain. GCC and Clang take what that writes without --plain, which
// is faster and has comments and threads. Licence: Apache-2.0.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

// no product is fused into a sum; parentheses and braces that nobody needs are left out here
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma GCC diagnostic ignored "-Wconstant-logical-operand"
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#define MUJOCO_DLL_EXPORTS

#include "condyle.h"
{includes}
typedef union {
  long long whole;
  long double real;
  void* place;
} plain_align;

#ifdef __TINYC__
#define _Alignof(T) __alignof__(T)
#define _Alignas(n) __attribute__((aligned(n)))
#endif

typedef char atomic_char;
typedef int atomic_flag;
typedef int atomic_int;
typedef size_t atomic_size_t;
typedef unsigned long long atomic_ullong;

// vectors are read where numbers were written
#ifdef __GNUC__
#define PLAIN_MAY_ALIAS __attribute__((__may_alias__))
#else
#define PLAIN_MAY_ALIAS
#endif

// there are no other threads
#define pthread_create(...) 1

static void plain_begin(void);

"""

BEGIN = """\
static void plain_begin(void) {
  static int begun;
  if (!begun) {
    begun = 1;
{calls}  }
}
"""

# functions before whose first line plain_begin does what constructors do elsewhere
ENTRANCE = re.compile(r"mj_loadModel|mjp_")


def preprocess(file: pathlib.Path) -> tuple[str, list[str]]:
    """The file as the compiler sees it without the system's headers, and the lines for those."""
    text = file.read_text(encoding="utf-8")
    names = re.findall(r"^ *# *include *<(\S+)>", text, re.M)
    names += re.findall(r"^ *# *include *<(\S+)>", file.with_name("condyle.h").read_text(), re.M)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            header = pathlib.Path(folder, name)
            header.parent.mkdir(parents=True, exist_ok=True)
            header.write_text(SYSTEM_MACROS.get(name, ""))
        flags = ["-E", "-undef", "-nostdinc", f"-I{folder}", *(f"-D{d}" for d in DEFINITIONS)]
        run = subprocess.run(
            ["cc", *flags, str(file)], stdout=subprocess.PIPE, text=True, check=True
        )
        used = re.findall(rf'^# \d+ "{re.escape(folder)}/([^"]+)"', run.stdout, re.M)
    without = [name for name in dict.fromkeys(used) if name not in ("stdalign.h", "stdatomic.h")]
    return run.stdout, [f"#include <{name}>" for name in without]


def without_attributes(text: str) -> str:
    """The text without attributes and assembly, up to the parentheses that close them."""
    parts, begin = [], 0
    for found in re.finditer(r"\b(?:__attribute|__asm__ volatile)\s*\(", text):
        if found.start() >= begin:
            parts.append(text[begin : found.start()])
            begin, depth = found.end(), 1
            while depth:
                depth += {"(": 1, ")": -1}.get(text[begin], 0)
                begin += 1
    return "".join(parts) + text[begin:]


def expression(text: str) -> c_ast.Node:
    begin = "typedef int mjtNum; typedef int int64_t; typedef int uint64_t; int x = "
    return c_parser.CParser().parse(f"{begin}{text};").ext[-1].init


def plain_source(file: pathlib.Path) -> str:
    """The one file, condyle.c with condyle.h beside it, in plain C."""
    sys.setrecursionlimit(20000)  # sums of counts are deep
    text, includes = preprocess(file)
    text = re.sub(r"^#pragma.*$", "", text, flags=re.M)
    vectors = {}

    def note_vector(found: re.Match[str]) -> str:
        vectors[found[2]] = expression(found[3])
        return f"typedef {found[1]} {found[2]};"

    vector = r"__attribute\(\(vector_size\((.*?)\)(?:, aligned\([^;]*\))?(?:, may_alias)?\)\);"
    text = re.sub(rf"^typedef (\w+) (\w+) {vector}", note_vector, text, flags=re.M)
    early = re.findall(r"__attribute\(\(constructor\)\)\s+static void (\w+)", text)
    known = "".join(f"typedef int {name};\n" for name in SYSTEM_TYPES)
    tree = c_parser.CParser().parse(known + without_attributes(text), "known")

    plain, writer = Plain(vectors), c_generator.CGenerator(reduce_parentheses=True)
    parts, public = [], set()
    for n in tree.ext:
        where = str(n.coord)
        if where.startswith("known"):
            plain.types[n.name] = Number(n.name)
            continue
        plain.run(n)
        if "condyle.h" in where:
            public.add(n.name)
        elif isinstance(n, c_ast.FuncDef):
            if n.decl.name in public and ENTRANCE.match(n.decl.name):
                n.body.block_items.insert(0, c_ast.FuncCall(c_ast.ID("plain_begin"), None))
            parts.append(writer.visit(n))
        else:
            parts.append(writer.visit(n) + ";\n")

    calls = "".join(f"    {name}();\n" for name in early)
    end = BEGIN.replace("{calls}", calls)
    made = [plain.made[name] for name in sorted(plain.made)]
    return "\n".join([TOP.replace("{includes}", "\n".join(includes) + "\n"), *made, *parts, end])
