#!/usr/bin/env python3
"""Holds the documents against the code.        usage: check.py ROOT [--complete]

1. Every citation "theory/<part>/<chapter>.md, <Heading>" in code and documents names a heading of that chapter.
2. Every function and file that a table or a "Code:" paragraph of the documents names exists, the function in the file.
3. Links between documents lead somewhere, headings are unique in their chapter, drawings are well-formed.
4. With --complete: nothing cites "spec NN" any more, and no link leads to a chapter that is yet to be written.
5. "Where to add what" of docs/architecture.md names all places (places.py).

Before that, each check must find the mistake of its kind in a small tree that is full of them.
"""
import re
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

from places import check_places, check_places_itself

CODE = ("src", "include", "cli", "tests", "bench", "examples", "scripts", "cmake")
TEXT = {".c", ".h", ".cc", ".md", ".py", ".sh", ".txt", ".cmake"}
THIS = Path(__file__).resolve()


class Tree:
    """The texts that are checked, and what the code defines."""

    def __init__(self, root):
        self.root = root
        self.documents = {p.relative_to(root).as_posix(): p.read_text() for p in sorted((root / "docs").rglob("*.md"))}
        self.code = {}
        for folder in CODE:
            for path in sorted((root / folder).rglob("*")):
                if path.suffix in TEXT and path.is_file() and path.resolve() != THIS:
                    self.code[path.relative_to(root).as_posix()] = path.read_text(errors="replace")
        self.headings = {name: headings(text) for name, text in self.documents.items()}
        self.functions = {name: definitions(text) for name, text in self.code.items()
                          if name.endswith((".c", ".h")) and name.startswith("src/")}

    def files(self, name):
        """The sources that a name in a document means: a path, or the end of one; a folder is all that it holds."""
        if name.endswith("/"):
            return [f for f in self.code if f.startswith(f"src/{name}") or f"/{name}" in f or f.startswith(name)]
        return [f for f in self.code if f == name or f.endswith("/" + name)]


def without_code(text):
    """The text with the lines of its code blocks empty, so that lines keep their numbers."""
    return re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S)


def headings(text):
    return [m[1].strip() for m in re.finditer(r"^#+ (.*)$", without_code(text), flags=re.M)]


def definitions(text):
    """Names of the functions that a source defines: name(...) { with the name on a line that begins with a type."""
    found = set()
    for m in re.finditer(r"^[A-Za-z_][^;{}()#=]*?\b(\w+)\(", text, flags=re.M):
        depth, i = 1, m.end()
        while depth and i < len(text):
            depth += {"(": 1, ")": -1}.get(text[i], 0)
            i += 1
        if text[i:].lstrip().startswith("{"):
            found.add(m[1])
    return found


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def check_citations(tree, complete):
    count = 0
    for name, text in {**tree.code, **tree.documents}.items():
        for m in re.finditer(r"theory/([\w/-]+\.md), +", text):
            count += 1
            chapter = "docs/theory/" + m[1]
            cited = text[m.end():].split("\n")[0]
            known = tree.headings.get(chapter, [])
            if not any(re.match(re.escape(h) + r"(?!\w)", cited) for h in known):
                yield f"{name}:{line_of(text, m.start())}: there is no heading for theory/{m[1]}, {cited}"
    if complete and not count:
        yield "no source cites a chapter"


def named(cell):
    """Functions and files among the words in backticks."""
    words = re.findall(r"`([^`]+)`", cell)
    files = [w for w in words if re.fullmatch(r"[\w./-]+(\.[ch]|/)", w)]
    return [w for w in words if re.fullmatch(r"[A-Za-z_]\w*(\.\.\.)?", w)], files


def places(text):
    """(line, functions, files) of each table row and each part of a "Code:" paragraph."""
    columns = None
    lines = without_code(text).split("\n")
    for i, line in enumerate(lines):
        if not line.startswith("|"):
            columns = None
            continue
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if columns is None:
            columns = [c.lower() for c in cells]
            continue
        functions, files = [], []
        for column, cell in zip(columns, cells):
            if column in ("function", "file", "place"):
                some, more = named(cell)
                functions += some if column != "file" else []
                files += more
        if functions or files:
            yield i + 1, functions, files
    for m in re.finditer(r"^Code: (.*?)(?:\n\n|\Z)", without_code(text), flags=re.M | re.S):
        for part in m[1].split(";"):
            yield line_of(without_code(text), m.start()), *named(part)


def check_names(tree, least):
    count = 0
    for document, text in tree.documents.items():
        for line, functions, files in places(text):
            where = f"{document}:{line}"
            sources = []
            for name in files:
                count += 1
                sources += tree.files(name)
                if not tree.files(name):
                    yield f"{where}: there is no file {name}"
            for name in functions:
                count += 1
                pattern = re.compile(re.escape(name.removesuffix("...")) + (r"\w*" if name.endswith("...") else ""))
                inside = sources or tree.functions
                if not any(pattern.fullmatch(f) for s in inside for f in tree.functions.get(s, ())):
                    yield f"{where}: {name} is not defined in {', '.join(files) or 'src/'}"
    if count < least:
        yield f"only {count} names were found in the documents"


def check_links(tree, complete):
    for document, text in tree.documents.items():
        for m in re.finditer(r"\]\(([^)\s]+)\)", without_code(text)):
            target, _, fragment = m[1].partition("#")
            if re.match(r"\w+:", m[1]):
                continue
            path = (tree.root / document).parent / target if target else tree.root / document
            where = f"{document}:{line_of(without_code(text), m.start())}"
            if not path.exists():
                # chapters that are yet to be written are missing at first
                if complete or path.suffix != ".md":
                    yield f"{where}: {m[1]} leads nowhere"
                continue
            name = path.resolve().relative_to(tree.root).as_posix()
            if fragment and fragment not in map(anchor, tree.headings.get(name, [])):
                yield f"{where}: {m[1]} names no heading of {name}"


def check_headings(tree):
    for document, known in tree.headings.items():
        if document.startswith("docs/theory/"):
            for heading in sorted({h for h in known if known.count(h) > 1}):
                yield f"{document}: there are two headings {heading}"


def check_drawings(tree):
    shown = {m[1] for text in tree.documents.values() for m in re.finditer(r"\((?:\.\./)?img/([\w.-]+)\)", text)}
    for path in sorted((tree.root / "docs/theory/img").glob("*")):
        try:
            xml.parse(path)
        except xml.ParseError as error:
            yield f"{path.name}: {error}"
        if path.name not in shown:
            yield f"{path.name}: no chapter shows it"


def check_old(tree, complete):
    if complete:
        for name, text in tree.code.items():
            for m in re.finditer(r"\b[Ss]pec:? (chapter )?\d\d\b|\bchapter 0\d\b", text):
                yield f"{name}:{line_of(text, m.start())}: {m[0]} is not of this repository"


def all_checks(tree, complete, least):
    return [check_citations(tree, complete), check_names(tree, least), check_links(tree, complete),
            check_headings(tree), check_drawings(tree), check_old(tree, complete)]


WRONG = {
    "docs/theory/a.md": "# A\n\n## B\n\n## B\n\n[to](#c)\n\n| function | file |\n|---|---|\n| `f` | `m/a.c` |\n",
    "docs/theory/img/d.svg": "<svg>",
    "src/m/a.c": "// theory/a.md, C                            spec 04, section 1\nint g(void) {\n}\nint f(void);\n",
}


def check_itself():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in WRONG.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        for check in all_checks(Tree(root), True, 1):
            if not list(check):
                yield f"{check.__name__} overlooks a mistake"


def main():
    complete = "--complete" in sys.argv
    tree = Tree(Path(sys.argv[1]).resolve())
    checks = [check_itself(), *all_checks(tree, complete, 100), check_places_itself(), check_places(tree.root)]
    failed = 0
    for check in checks:
        problems = list(check)
        failed += bool(problems)
        for problem in problems:
            print(problem)
    print(f"{len(checks) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
