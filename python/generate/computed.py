"""The arrays and numbers that later releases have added, as src/computed/table.c lists them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .declarations import Headers
from .headers import HeaderError

__all__ = ["Computed", "read_computed"]

_STRUCTS = ("mjModel", "mjData")
_NUMBER = {"SIZE": (False, "mjtSize"), "NO_SIZE": (False, "mjtSize"), "DATA_SIZE": (True, "int")}
_ROW = re.compile(
    r"  (?P<kind>[A-Z_]+)\((?:(?P<type>mjt\w+|int|float), )?(?P<name>\w+),"
    r'(?: "(?P<rows>\w+)", "(?P<columns>\w+)",)?(?P<rest>.*)\)\s*',
    re.S,
)


@dataclass(frozen=True)
class Computed:
    """One row. ``rows`` and ``columns`` of a number are "1"."""

    in_data: bool
    name: str
    type: str
    rows: str
    columns: str
    doc: str

    @property
    def is_number(self) -> bool:
        """One value, not an array."""
        return self.rows == "1" and self.columns == "1"


def _read_row(table: Path, text: str) -> Computed:
    row = _ROW.fullmatch(text)
    if row is None:
        raise HeaderError(f"{table}: a row is not understood: {text}")
    in_data, type = _NUMBER.get(row["kind"], (row["kind"].startswith("DATA"), row["type"]))
    doc = "".join(re.findall(r'"([^"]*)"', row["rest"]))
    return Computed(in_data, row["name"], type, row["rows"] or "1", row["columns"] or "1", doc)


def read_computed(table: Path, headers: Headers) -> list[Computed]:
    """Read the table, without what the structs of the headers have themselves."""
    text = table.read_text()
    text = text[text.index("static const Row rows[]") :]
    text = text[text.index("{") + 1 : text.index("\n};")]
    found = [_read_row(table, chunk) for chunk in re.split(r"\n(?=  [A-Z])", text)[1:]]
    known = {struct: {f.name for f in headers.structs[struct].fields} for struct in _STRUCTS}
    return [row for row in found if row.name not in known[_STRUCTS[row.in_data]]]
