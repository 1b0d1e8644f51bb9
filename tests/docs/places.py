"""Holds "Where to add what" of docs/architecture.md against the code.

Each kind of thing to add, a row of the table or a heading below it, gives examples: words of the code that stand for
things of its kind. Every file of code that has an example must be named there, by the end of its path that is its
own, by its name alone after a file of the same folder, or by its folder ("lint/"); comments don't count. Files that
are named must exist, but may be without an example: there, the next thing of the kind has its own word.

check_places_itself finds each mistake in a small tree that is full of them.
"""
import re
import tempfile
from pathlib import Path

DOCUMENT = "docs/architecture.md"
SECTION = "Where to add what"
SEARCHED = ("src", "include", "cli", "web", "python")
NAMED = SEARCHED + ("tests", "docs", "cmake")
CODE = {".c", ".h", ".cc", ".in", ".py", ".ts", ".mjs", ".html", ".glsl", ".vert", ".geom", ".frag"}
LEAST = 30  # kinds that the document has at least


def files_of(root, folders):
    """Paths below the folders, as texts, without those of packages and builds."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not {"node_modules", "build", "__pycache__"} & set(path.parts[len(root.parts):]):
                yield path.relative_to(root).as_posix()


def words_of(name, text):
    """The words of a source that are not in comments."""
    comment = r"#[^\n]*" if name.endswith(".py") else r"//[^\n]*|/\*.*?\*/"
    text = re.sub(r'""".*?"""', " ", text, flags=re.S) if name.endswith(".py") else text
    code = re.sub(rf'("(?:\\.|[^"\\\n])*")|{comment}', lambda m: m[1] or " ", text, flags=re.S)
    return set(re.findall(r"\w+", code))


def kinds(text):
    """(line, examples, change) of each kind: rows of the table, and headings with a line "Example: ..."."""
    start = text.find(f"\n## {SECTION}\n") + 1
    if not start:
        return
    end = text.find("\n## ", start + 1)
    section, before = text[start:end if end > 0 else None], text.count("\n", 0, start)
    for m in re.finditer(r"^\| (?!to add \|)(.*?) \| (.*?) \| (.*) \|$", section, flags=re.M):
        yield before + section.count("\n", 0, m.start()) + 1, m[2], m[3]
    for m in re.finditer(r"^### .*\n\nExamples?: (.*)\n((?:(?!###).*\n?)*)", section, flags=re.M):
        yield before + section.count("\n", 0, m.start()) + 1, m[1], m[2]


def resolve(name, files, folder):
    """The files that a name means, where `folder` is that of the file named before it. More than one: it is not clear."""
    for start in (f"{folder}/" if "/" not in name else "", "", "src/", "include/"):
        found = [f for f in files if f == start + name or (name.endswith("/") and f.startswith(start + name))]
        if found:
            return found
    if name.endswith("/"):
        starts = {f[:f.index("/" + name)] for f in files if "/" + name in f}
        return [f for f in files if f.startswith(f"{starts.copy().pop()}/{name}")] if len(starts) == 1 else []
    return [f for f in files if f.endswith("/" + name)]


def check_places(root, least=LEAST):
    path = root / DOCUMENT
    sources = list(files_of(root, SEARCHED))
    words = {f: words_of(f, (root / f).read_text(errors="replace")) for f in sources if Path(f).suffix in CODE}
    files = list(files_of(root, NAMED))
    count = 0
    for line, examples, change in kinds(path.read_text()) if path.exists() else ():
        count += 1
        where, named, folder = f"{DOCUMENT}:{line}", set(), ""
        for name in re.findall(r"`([\w./-]+(?:\.\w+|/))`", change):
            found = resolve(name, files, folder)
            if not found or (len(found) > 1 and not name.endswith("/")):
                yield f"{where}: {name} is {', '.join(found) or 'no file or folder, or several'}"
                continue
            named.update(found)
            folder = found[0].rpartition("/")[0]
        known = re.findall(r"`(\w+)`", examples)
        if not known:
            yield f"{where}: no example"
        for example in known:
            found = [f for f in words if example in words[f]]
            if not found:
                yield f"{where}: nothing has {example}"
            yield from (f"{where}: {f} has {example} and isn't named" for f in found if f not in named)
    if count < least:
        yield f'{DOCUMENT}: "{SECTION}" has only {count} kinds'


WRONG = {
    DOCUMENT: f"# A\n\n## {SECTION}\n\n| to add | example | change |\n|---|---|---|\n"
              "| right | `RIGHT` | `m/a.c`, then `b.c`, all of `n/` |\n"
              "| forgets | `RIGHT` | `m/a.c`, `n/` |\n"
              "| none | a word | `m/a.c` |\n"
              "| unknown | `GONE` | `m/a.c` |\n"
              "\n### Many\n\nExample: `RIGHT`\n\n- read: `b.c`\n- written: `d.c`\n- drawn: `m/a.c`, `n/`\n\n### Last\n\n"
              "Examples: `RIGHT`, `MORE`\n\n- `m/a.c`\n- `n/`, `m/b.c`\n\n## B\n\n| not | `GONE` | read |\n",
    "src/m/a.c": "int a = RIGHT; // GONE\n",
    "src/m/b.c": 'char b[] = "//", c = RIGHT; /* GONE\n GONE */',
    "src/n/b.c": "int c = RIGHT;\n",
    "web/e.ts": "// RIGHT\nlet e = MORE;\n",
}

FOUND = [
    ":8: src/m/b.c has RIGHT and isn't named",
    ":9: no example",
    ":10: nothing has GONE",
    ":12: b.c is src/m/b.c, src/n/b.c",
    ":12: d.c is no file or folder, or several",
    ":12: src/m/b.c has RIGHT and isn't named",
    ":20: web/e.ts has MORE and isn't named",
    f': "{SECTION}" has only 6 kinds',
]


def check_places_itself():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in WRONG.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        found = [problem.removeprefix(DOCUMENT) for problem in check_places(root, 7)]
        yield from (f"places.py overlooks a mistake: {p}" for p in FOUND if p not in found)
        yield from (f"places.py finds a mistake where there is none: {p}" for p in found if p not in FOUND)
