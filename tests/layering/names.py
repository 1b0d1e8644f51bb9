"""One vocabulary: a function of src/lanes has no name that a function elsewhere in src/ has, so that one name never has
two contracts: the twin of `body_inertia` is `lane_body_inertia`. And a type that a header gives is defined in one
header alone.
"""
import re
import tempfile
from pathlib import Path

TYPE = re.compile(r"^\} ([A-Z]\w+);", re.M)


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


def wrong_names(source):
    """Lines about names with two meanings."""
    inside, outside, types = {}, {}, {}
    for file in sorted((source / "src").rglob("*.[ch]")):
        path, text = file.relative_to(source / "src").as_posix(), file.read_text(encoding="utf-8")
        # the core has lanes of its own, which do nothing
        for name in definitions(text) if not path.startswith("core/") else ():
            (inside if path.startswith("lanes/") else outside).setdefault(name, path)
        for name in TYPE.findall(text) if file.suffix == ".h" else ():
            if name in types:
                yield f"type {name} of src/{path} is also one of src/{types[name]}"
            types[name] = path
    for name in sorted(inside.keys() & outside.keys()):
        yield f"{name} of src/{inside[name]} is also a function of src/{outside[name]}"


WRONG = {
    "lanes/a.h": "static int twice(int a) {\n}\n",
    "smooth/b.h": "typedef struct T_ {\n} Twice;\nint twice(int a) {\n}\n",
    "smooth/c.h": "typedef struct T_ {\n} Twice;\n",
}


def wrong_names_check():
    """Lines about mistakes that this check overlooks."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in WRONG.items():
            path = Path(folder) / "src" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if len(list(wrong_names(Path(folder)))) != 2:
            yield "names.py overlooks a name with two meanings"
