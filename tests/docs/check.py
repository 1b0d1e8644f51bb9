#!/usr/bin/env python3
"""Holds the documents against the code.        usage: check.py ROOT [--complete]

1. Every citation "theory/<part>/<chapter>.md, <Heading>" in code and documents names a heading of that chapter.
2. Every function and file that a table or a "Code:" paragraph of the documents names exists, the function in the file.
3. Links between documents lead somewhere, headings are unique in their chapter, drawings are well-formed.
4. Formulas in several places: each place in a column "also in" exists, its comment names the main place of the row,
   and that one's comment names it. A function lane_x of src/lanes with a function x elsewhere stands in such a column,
   or in ONLY_NAMES.
5. With --complete: nothing cites "spec NN" any more, and no link leads to a chapter that is yet to be written.
6. "Where to add what" of docs/architecture.md names all places (places.py).

Before that, each check must find the mistake of its kind in a small tree that is full of them.
"""
import re
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "layering"))
from names import definitions
from places import check_places, check_places_itself

CODE = ("src", "include", "cli", "tests", "bench", "examples", "scripts", "cmake")
TEXT = {".c", ".h", ".cc", ".md", ".py", ".sh", ".txt", ".cmake"}
THIS = Path(__file__).resolve()

# Functions of lanes whose name without lane_ is that of a function elsewhere which has another formula.
ONLY_NAMES = {
    "lane_add_equality": "lists the rows of an equality; mjcf writes the equality of a flexcomp",
    "lane_add_outer": "a b' of a symmetric 3 x 3 matrix; the others are of other shapes",
    "lane_add_pair": "makes slots of contacts; the others list pairs of bodies, or add to a matrix",
    "lane_add_product": "a b' of a 3 x 3 matrix; derivative/tree adds to rows of dofs",
    "lane_contact_push": "adds wrenches; derivative/constraint differentiates the sum of normal forces",
    "lane_contact_rows": "where the Jacobian is stored; constraint/rows counts rows",
    "lane_has": "asks a frame or a flag, render/program.c a shader",
    "lane_is_on": "a flag of the model; derivative/geometry asks for a point on a feature",
    "lane_is_still": "of a compiled body; lint/mass.c asks the specification",
    "lane_jacobian_row": "a row of J'hJ; constraint/hard reads a row of J",
    "lane_put_geom": "constants of a geom; print/data.c prints it",
    "lane_real_of": "a number in all lanes; mjcf/urdf parses one",
    "lane_row_at": "where a row of M begins; collision/convex reads a row of a hull",
    "lane_sense": "reads all sensors; plugin/touch_grid.c reads one of its own",
    "lane_step": "a step of time; in the solvers a step along a line",
    "lane_take_arrays": "memory of the structure; scene/room.c takes that of a scene",
}


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


def table_rows(text):
    """(line, [(column, cell), ...]) of each row of a table."""
    columns = None
    for i, line in enumerate(without_code(text).split("\n")):
        if not line.startswith("|"):
            columns = None
            continue
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if columns is None:
            columns = [c.lower() for c in cells]
        elif not all(re.fullmatch(":?-+:?", c) for c in cells):
            yield i + 1, list(zip(columns, cells))


def main_place(row):
    """Functions and files of the columns that name a place."""
    functions, files = [], []
    for column, cell in row:
        if column in ("function", "file", "place"):
            some, more = named(cell)
            functions += some if column != "file" else []
            files += more
    return functions, files


def places(text):
    """(line, functions, files) of each table row and each part of a "Code:" paragraph."""
    for line, row in table_rows(text):
        functions, files = main_place(row)
        if functions or files:
            yield line, functions, files
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


def twins(tree):
    """(where, functions, files, functions of a twin, files of it) for each entry of a column "also in"."""
    for document, text in tree.documents.items():
        for line, row in table_rows(text):
            cell = dict(row).get("also in", "")
            for part in cell.split(";") if cell else ():
                yield f"{document}:{line}", *main_place(row), *named(part)


def check_twins(tree):
    for where, _, _, functions, files in twins(tree):
        if len(files) != 1 or not functions:
            yield f"{where}: entries of \"also in\" are `function`, ... in `file`, with semicolons between them"
            continue
        source = "src/" + files[0]
        if source not in tree.functions:
            yield f"{where}: there is no file {source}"
        for name in functions:
            if source in tree.functions and name not in tree.functions[source]:
                yield f"{where}: {name} is not defined in {source}"


def comments(tree, file, functions):
    """The comment that opens a source, and those above some of its functions."""
    text = tree.code.get(file, "")
    found = re.match(r"(//.*\n)*", text)[0]
    for m in re.finditer(r"((?:^//.*\n)+)[A-Za-z_][^;{}()#=]*?\b(\w+)\(", text, flags=re.M):
        found += m[1] if m[2] in functions else ""
    return found


def mentions(tree, source, functions, target):
    return re.search(r"(?<![\w/])" + re.escape(target.removeprefix("src/")) + r"\b", comments(tree, source, functions))


def check_mentions(tree):
    for where, functions, files, twin_functions, twin_files in twins(tree):
        main = [f for name in files for f in (["src/" + name] if "src/" + name in tree.code else tree.files(name))]
        for twin in ("src/" + name for name in twin_files):
            if not any(mentions(tree, f, functions, twin) for f in main):
                yield f"{where}: no comment of {', '.join(functions)} in {', '.join(files)} names {twin}"
            if not any(mentions(tree, twin, twin_functions, f) for f in main):
                yield f"{where}: no comment of {', '.join(twin_functions)} in {twin} names {', '.join(files)}"


def check_shared_names(tree, only_names):
    in_tables = {(name, "src/" + file) for *_, functions, files in twins(tree) for name in functions for file in files}
    outside = {name for file, names in tree.functions.items() if not file.startswith("src/lanes/") for name in names}
    shared = set()
    for file, names in tree.functions.items():
        for name in sorted(names) if file.startswith("src/lanes/") else ():
            if name.startswith("lane_") and name.removeprefix("lane_") in outside and (name, file) not in in_tables:
                shared.add(name)
                if name not in only_names:
                    yield f"{file}: {name} is in no column \"also in\", though there is {name.removeprefix('lane_')}"
    for name in sorted(only_names.keys() - shared):
        yield f"{name} is in ONLY_NAMES, but shares no name, or is in a column \"also in\""


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


def all_checks(tree, complete, least, only_names):
    return [check_citations(tree, complete), check_names(tree, least),
            check_twins(tree), check_mentions(tree), check_shared_names(tree, only_names),
            check_links(tree, complete), check_headings(tree), check_drawings(tree), check_old(tree, complete)]


WRONG = {
    "docs/theory/a.md": "# A\n\n## B\n\n## B\n\n[to](#c)\n\n| function | file |\n|---|---|\n| `f` | `m/a.c` |\n",
    "docs/theory/img/d.svg": "<svg>",
    "docs/twins.md": "| function | file | also in |\n|---|---|---|\n"
                     "| `g` | `m/a.c` | `lane_h` in `lanes/a.h`; `lane_k` in `lanes/b.h`; "
                     "`lane_k` in `lanes/c.h`; `h` |\n"
                     "| `h` | `m/a.c` | `lane_h`, `lane_none` in `lanes/a.h`; `lane_k` in `lanes/b.h` |\n",
    "src/lanes/a.h": "void lane_h(void) {\n}\nvoid lane_g(void) {\n}\n",
    "src/lanes/b.h": "// like m/a.c\nvoid lane_k(void) {\n}\n",
    "src/m/a.c": "// theory/a.md, C                            spec 04, section 1\nint g(void) {\n}\nint f(void);\n"
                 "// also in lanes/a.h and more/lanes/b.h\nint h(void) {\n}\n",
}
# lanes/c.h, lane_none and an entry without a file; what m/a.c does not name for g and h, and what does not name it; a
# function in no table, and an outdated name
MISTAKES = {"check_twins": 3, "check_mentions": 7, "check_shared_names": 2}


def check_itself():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in WRONG.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        for check in all_checks(Tree(root), True, 1, {"lane_old": "it was"}):
            found = list(check)
            if len(found) != MISTAKES.get(check.__name__, len(found) or 1):
                yield f"{check.__name__} overlooks a mistake, or finds one too many:"
                yield from found


def main():
    complete = "--complete" in sys.argv
    tree = Tree(Path(sys.argv[1]).resolve())
    checks = [check_itself(), *all_checks(tree, complete, 100, ONLY_NAMES), check_places_itself(), check_places(tree.root)]
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
