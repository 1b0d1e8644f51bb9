"""The part of YAML in which parameters are saved: mappings, lists, numbers, texts.

::

    mass:                     a mapping: deeper lines belong to the key
      frozen: false
      nominal:
      - - 1.0                 a list of lists; dashes may stand below their key
        - 2.0
      value: [1.0, 2.0]       a list in one line

Anchors, tags and texts of many lines are not read; errors name the line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

_NUMBER = re.compile(r"[-+]?(\d[\d_]*\.?\d*|\.\d+)([eE][-+]?\d+)?")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_INFINITE = {".inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}
_PLAIN = re.compile(r"[A-Za-z_][\w ./()-]*(?<! )")


def write(content: Mapping[str, Any]) -> str:
    """Return a mapping as YAML, its keys in order."""
    return "\n".join(_lines(content, "")) + "\n"


def _lines(value: Any, indent: str) -> list[str]:
    """Lines of a mapping or a list."""
    lines = []
    if isinstance(value, Mapping):
        for key, item in value.items():
            head = f"{indent}{_text(str(key))}:"
            if isinstance(item, (Mapping, list)) and item:
                deeper = indent if isinstance(item, list) else indent + "  "
                lines += [head, *_lines(item, deeper)]
            else:
                lines.append(f"{head} {_scalar(item)}")
        return lines
    for item in value:
        if isinstance(item, list) and item:
            inner = _lines(item, indent + "  ")
            lines += [f"{indent}- {inner[0][len(indent) + 2 :]}", *inner[1:]]
        else:
            lines.append(f"{indent}- {_scalar(item)}")
    return lines


def _scalar(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        for text, number in _INFINITE.items():
            if value == number or (value != value and number != number):
                return text
        text = repr(value)
        # other readers take 1e-20 for a text
        return text.replace("e", ".0e") if "e" in text and "." not in text else text
    if isinstance(value, (Mapping, list)):
        return "{}" if isinstance(value, Mapping) else "[]"
    return str(value) if isinstance(value, int) else _text(str(value))


def _text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in (*_WORDS, "yes", "no", "on", "off", "y", "n"):
        return text
    if "\n" in text:
        raise ValueError(f"a name must be one line: {text!r}")
    return "'" + text.replace("'", "''") + "'"


class _Line(NamedTuple):
    number: int
    indent: int
    text: str


def read(text: str, where: str) -> dict[str, Any]:
    """Return the mapping that a YAML text holds; ``where`` is what errors call the text."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare and not bare.startswith("#") and bare not in ("---", "...") and bare[0] != "%":
            lines.append(_Line(number, len(line) - len(line.lstrip(" ")), bare))
    try:
        reader = _Reader(lines)
        value = reader.block(0) if lines and lines[0].text != "{}" else {}
        if lines and reader.at < len(lines) and lines[0].text != "{}":
            raise _Problem(lines[reader.at].number, "its indentation fits nothing above")
    except _Problem as problem:
        raise ValueError(f"{where}:{problem.line}: {problem}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{where}: expected a mapping of names")
    return value


class _Problem(Exception):
    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


class _Reader:
    """Reads lines from ``at`` on."""

    def __init__(self, lines: list[_Line]) -> None:
        self.lines = lines
        self.at = 0

    def block(self, indent: int) -> Any:
        """Read a mapping or list whose lines have this indentation."""
        line = self.lines[self.at]
        is_list = line.text == "-" or line.text.startswith("- ")
        result: Any = [] if is_list else {}
        while self.at < len(self.lines) and self.lines[self.at].indent == indent:
            line = self.lines[self.at]
            dashed = line.text == "-" or line.text.startswith("- ")
            if dashed != is_list:
                break
            if is_list:
                result.append(self.item(line))
            else:
                key, rest = _split(line)
                self.at += 1
                result[key] = self.value(line, rest)
        return result

    def item(self, line: _Line) -> Any:
        """Read what stands behind a dash."""
        rest = line.text[1:].lstrip()
        inner = line.indent + len(line.text) - len(rest)
        if rest.startswith("- ") or _is_mapping(rest):
            # the rest of the line opens a block of its own
            self.lines[self.at] = _Line(line.number, inner, rest)
            return self.block(inner)
        self.at += 1
        return self.value(line, rest)

    def value(self, line: _Line, rest: str) -> Any:
        """Read a scalar, or the block below if the line ends."""
        if rest:
            return _value(line.number, rest)
        if self.at < len(self.lines):
            below = self.lines[self.at]
            dashes = below.text.startswith("-") and below.indent == line.indent
            if below.indent > line.indent or (dashes and not line.text.startswith("-")):
                return self.block(below.indent)
        return None


def _is_mapping(text: str) -> bool:
    return re.match(r"('(?:[^']|'')*'|\"[^\"]*\"|[^'\"\[{][^:]*):( |$)", text) is not None


def _split(line: _Line) -> tuple[str, str]:
    """Key of a line, and the text behind its colon."""
    match = re.match(r"('(?:[^']|'')*'|\"[^\"]*\"|[^'\"].*?):(?: +(.*))?$", line.text)
    if match is None:
        raise _Problem(line.number, f"expected 'key: value', got {line.text!r}")
    return str(_quoted(match[1])), match[2] or ""


def _quoted(text: str) -> str:
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    return text[1:-1] if text[:1] == '"' else text


def _value(line: int, text: str) -> Any:
    """Scalar, or list in one line."""
    if text.startswith("["):
        value, rest = _flow(line, text)
        if rest.strip():
            raise _Problem(line, f"unexpected {rest.strip()!r} behind a list")
        return value
    if text[0] in "'\"":
        if len(text) < 2 or text[-1] != text[0]:
            raise _Problem(line, f"a text without its end: {text}")
        return _quoted(text)
    if text[0] in "{&*!|>":
        raise _Problem(line, f"this form of YAML is not read: {text!r}")
    text = text.split(" #")[0].rstrip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if text.lower() in _INFINITE:
        return _INFINITE[text.lower()]
    if _NUMBER.fullmatch(text):
        return int(text) if re.fullmatch(r"[-+]?\d+", text) else float(text)
    return text


def _flow(line: int, text: str) -> tuple[list[Any], str]:
    """List that begins with a bracket, and the text behind it."""
    items: list[Any] = []
    rest = text[1:].lstrip()
    while not rest.startswith("]"):
        if rest.startswith("["):
            item, rest = _flow(line, rest)
        else:
            match = re.match(r"[^,\[\]]+", rest)
            if match is None:
                raise _Problem(line, "a list in brackets has no end in its line")
            item, rest = _value(line, match[0].strip()), rest[match.end() :]
        items.append(item)
        rest = rest.lstrip()
        if rest.startswith(","):
            rest = rest[1:].lstrip()
        elif not rest.startswith("]"):
            raise _Problem(line, "a list in brackets has no end in its line")
    return items, rest[1:]
