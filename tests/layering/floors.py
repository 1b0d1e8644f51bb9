"""The order of files inside a module. foo.c and foo.h are one file; it uses another one by including its
header or by taking a symbol of its object. The README.md of a module says in which order they stand:

    ## Floors
    1. `context` `tools/`: files and folders; a file uses its own line and those before it
    2. `conductor`

    Recursions:
    - `reader` `nested`: why these files need each other in a circle; all others must not
    - `tools/` `parts/`: the same for folders inside the module. Its own files are no folder here: some stand below its
      folders, some above, as the floors say

No folder holds more than MOST files, headers and sources of a name counted once.
"""
import re

MOST = 25
ITEM = re.compile(r"^(?:\d+\.|-) +(.*(?:\n {2,}\S.*)*)", re.M)


def read_floors(text):
    """Names on each floor, lowest first, and (names, reason) of each recursion, from a README."""
    section = re.search(r"^## Floors$(.*?)(?=^## |\Z)", text, re.M | re.S)
    ordered, _, circular = (section[1] if section else "").partition("\nRecursions:\n")

    def items(part):
        for item in ITEM.findall(part):
            names, _, note = item.partition(":")
            yield set(re.findall(r"`([^`]+)`", names)), " ".join(note.split())

    return [names for names, _ in items(ordered)], list(items(circular))


def floor_of(file, floors):
    """The floors that hold a file: as itself or, if it is named nowhere, in the innermost folder that is."""
    name = file
    while name:
        found = [i for i, names in enumerate(floors) if name in names]
        if found:
            return found
        folder = name.rstrip("/").rpartition("/")[0]
        name = folder + "/" if folder else ""
    return []


def circles(uses):
    """Groups of files that reach each other, by Tarjan's algorithm; uses[file]: what it uses."""
    order, low, stack, found = {}, {}, [], []

    def visit(file):
        order[file] = low[file] = len(order)
        stack.append(file)
        for used in uses.get(file, {}):
            if used not in order:
                visit(used)
                low[file] = min(low[file], low[used])
            elif used in stack:
                low[file] = min(low[file], order[used])
        if low[file] == order[file]:
            at = stack.index(file)
            group = stack[at:]
            del stack[at:]
            if len(group) > 1:
                found.append(set(group))

    for file in sorted(uses):
        if file not in order:
            visit(file)
    return found


def folder_of(file):
    """The folder of a file in its module, the first one of several; empty for the module's own files."""
    folder, slash, _ = file.partition("/")
    return folder + "/" if slash else ""


def folder_uses(uses):
    """What each folder uses of the others in its module, and the file that does."""
    found = {folder_of(file): {} for file in uses if folder_of(file)}
    for file, used in uses.items():
        for other, how in used.items():
            if folder_of(file) and folder_of(other) and folder_of(file) != folder_of(other):
                found[folder_of(file)].setdefault(folder_of(other), f"by {file} {how}")
    return found


def wrong_sizes(uses):
    """Lines about folders with too many files."""
    folders = [file.rpartition("/")[0] for file in uses]
    for folder in sorted(set(folders)):
        if folders.count(folder) > MOST:
            yield f"{folder or '.'} holds {folders.count(folder)} files, more than {MOST}"


def wrong_circles(uses, recursions):
    """Lines about circles of files or folders that are no recursion, and about recursions that are no circle or
    have no reason."""
    uses = {**uses, **folder_uses(uses)}
    found = circles(uses)
    for group in found:
        if group not in [names for names, _ in recursions]:
            yield f"{len(group)} form a circle: {' '.join(sorted(group))}"
            for file in sorted(group):
                for used in sorted(group & uses[file].keys()):
                    yield f"  {file} {uses[file][used]}"
    for names, reason in recursions:
        listed = " ".join(sorted(names))
        if names not in found:
            yield f"README.md: {listed} is no circle of files or folders"
        elif not reason:
            yield f"README.md: the recursion of {listed} has no reason"


def wrong_order(uses, floors):
    """Lines about files without a place, or with two, and about files that use a higher floor."""
    place = {file: floor_of(file, floors) for file in uses}
    for file in sorted(uses):
        if len(place[file]) != 1:
            yield f"{file} stands on {len(place[file])} floors of README.md"
    for file in sorted(uses):
        for used, how in sorted(uses[file].items()):
            if place[file] and place.get(used) and place[used][0] > place[file][0]:
                yield f"{file} {how}, from a lower floor"
    known = {prefix for file in uses for prefix in [file, *(file[: m.end()] for m in re.finditer("/", file))]}
    for name in sorted(set().union(*floors) - known):
        yield f"README.md: there is no {name}"


def wrong_floors(readme, uses):
    """Lines about the files of a module, from its README and what each of its files uses and how."""
    floors, recursions = read_floors(readme)
    yield from wrong_circles(uses, recursions)
    yield from wrong_sizes(uses)
    if floors:
        yield from wrong_order(uses, floors)
    else:
        yield "README.md has no list of floors"


WRONG = [
    ("1. `a`\n2. `b`\n", {"a": {"b": "includes b.h"}, "b": {}}),
    ("1. `a` `b`\n", {"a": {"b": "includes b.h"}, "b": {"a": "uses f of a.c"}}),
    ("1. `a` `b`\n\nRecursions:\n- `a` `b`\n", {"a": {"b": ""}, "b": {"a": ""}}),
    ("1. `a` `b`\n\nRecursions:\n- `a` `b`: mathematics\n", {"a": {"b": ""}, "b": {}}),
    ("1. `a`\n", {"a": {}, "b": {}}),
    ("1. `a`\n2. `a`\n", {"a": {}}),
    ("1. `a` `t/`\n", {"a": {}}),
    ("", {"a": {}}),
    ("1. `t/`\n2. `r/`\n", {"t/a": {}, "t/b": {"r/c": ""}, "r/c": {"t/a": ""}}),
    ("1. `t/`\n", {f"t/{i}": {} for i in range(MOST + 1)}),
]
RIGHT = [
    ("1. `t/`\n2. `a`\n3. `t/b`\n", {"a": {"t/c": ""}, "t/b": {"a": ""}, "t/c": {}}),
    ("1. `a`\n   `b`: both\n\nRecursions:\n- `a` `b`: grammar\n\n## More\n", {"a": {"b": ""}, "b": {"a": ""}}),
]


def wrong_check():
    """Lines about mistakes that this check overlooks, and about what it takes for one."""
    for list_text, uses in WRONG:
        if not list(wrong_floors(f"# m\n\n## Floors\n\n{list_text}", uses)):
            yield f"floors.py overlooks the mistake in {list_text!r} with {uses}"
    for list_text, uses in RIGHT:
        for line in wrong_floors(f"# m\n\n## Floors\n\n{list_text}", uses):
            yield f"floors.py is wrong about {list_text!r} with {uses}: {line}"
