"""What the public headers declare: functions, enums, structs, types, variables, numbers.

``read_headers(folder)`` reads ``mujoco/mujoco.h``, ``condyle/condyle.h`` and all that they include.
Names are in the order of the headers. What is not understood ends in a HeaderError with file and
line: a generator must not leave a declaration out silently.

Documentation of a declaration is the comment right above it or the one behind it;
members written by the tables have their meaning. Functions that follow each other without an empty
line share the comment of the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from .declarations import (
    Anonymous,
    Array,
    Constant,
    Enum,
    EnumValue,
    Field,
    Function,
    FunctionType,
    Headers,
    Named,
    Parameter,
    Pointer,
    Struct,
    Type,
    Typedef,
    Variable,
)
from .preprocess import HeaderError, Number, Place, Preprocessor, Token, evaluate, written

__all__ = ["HeaderError", "read_headers"]

# headers that are not included by mujoco.h
_ENTRIES = (
    "mujoco/mujoco.h",
    "condyle/condyle.h",
    "condyle/derivative.h",
    "condyle/dynamics.h",
    "condyle/lint.h",
    "condyle/load.h",
    "condyle/profile.h",
    "condyle/state.h",
)

# types that the language or its library brings
_WORDS = frozenset(
    ["void", "char", "short", "int", "long", "float", "double", "bool", "signed", "unsigned"]
)
_LIBRARY = frozenset(
    ["size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "va_list"]
    + [f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)]
)
Item = TypeVar("Item")
_STORAGE = frozenset(["extern", "static", "inline", "MJAPI", "MJLOCAL"])


def read_headers(folder: Path, entries: tuple[str, ...] = _ENTRIES, api: int = 337) -> Headers:
    """Read the headers of an include folder.

    Parameters
    ----------
    folder
        The folder that holds ``mujoco/`` and ``condyle/``.
    entries
        Headers to begin with, relative to it.
    api
        The generation of the interface that they describe: the macro mjVERSION_API.
    """
    # the marks of exported functions stay in the text; mjSTATIC and the like do not matter
    preprocessor = Preprocessor(
        Path(folder), defined=("MUJOCO_MJEXPORT_H_",), numbers={"mjVERSION_API": api}
    )
    for entry in entries:
        preprocessor.read(entry)
    parser = _Parser(preprocessor, api)
    parser.parse()
    return parser.headers


def _size(text: str | None, api: int) -> str | None:
    """Rows or columns without the marks of models, data and releases."""
    if text is None:
        return None
    text = re.sub(r"\bCND_API\((\w+), *(\w+)\)", r"\2" if api >= 400 else r"\1", text)
    return re.sub(r"\bMJ_[MD]\((\w+)\)", r"\1", text)


class _Parser:
    """Reads the tokens of all headers from front to back."""

    def __init__(self, preprocessor: Preprocessor, api: int) -> None:
        self.pre, self.api = preprocessor, api
        self.tokens = preprocessor.tokens
        self.i = 0
        self.headers = Headers()
        self.tags: dict[str, Enum | Struct] = {}
        self.numbers: dict[str, int] = {}
        self.known = set(_LIBRARY)
        self.unfinished: dict[str, str] = {}  # typedef name by tag, while its struct is to come
        self.previous: tuple[str, int, str] | None = None  # end and text of the last function

    # tokens

    def peek(self, ahead: int = 0) -> str:
        i = self.i + ahead
        return self.tokens[i].text if i < len(self.tokens) else ""

    @property
    def place(self) -> Place:
        return self.tokens[min(self.i, len(self.tokens) - 1)].place

    def next(self) -> Token:
        if self.i >= len(self.tokens):
            raise HeaderError(f"{self.place}: a declaration ends too soon")
        self.i += 1
        return self.tokens[self.i - 1]

    def accept(self, text: str) -> bool:
        if self.peek() != text:
            return False
        self.i += 1
        return True

    def expect(self, text: str) -> Token:
        if self.peek() != text and self.i < len(self.tokens):
            raise HeaderError(f"{self.place}: expected {text!r}, found {self.peek()!r}")
        return self.next()

    def name(self) -> str:
        token = self.next()
        if token.kind != "name":
            raise HeaderError(f"{token.place}: expected a name, found {token.text!r}")
        return token.text

    # comments

    def above(self, place: Place) -> str:
        """Comment that ends on the line before."""
        lines: list[str] = []
        line = place.line - 1
        while (place.file, line) in self.pre.alone:
            lines.insert(0, self.pre.alone[place.file, line].text)
            line -= 1
        # such a line may go on with the comment behind the code before
        before = self.pre.trailing.get((place.file, line))
        if lines and before and before.column == self.pre.alone[place.file, line + 1].column:
            return ""
        lines = [text for text in lines if not text.startswith("clang-format")]
        return " ".join(text for text in lines if text)

    def behind(self, place: Place) -> str:
        """Comment behind the code of a line, with the lines below that go on with it."""
        comment = self.pre.trailing.get((place.file, place.line))
        if comment is None:
            return ""
        lines = [comment.text]
        line = place.line + 1
        while (more := self.pre.alone.get((place.file, line))) and more.column == comment.column:
            lines.append(more.text)
            line += 1
        return " ".join(lines)

    def member_doc(self, first: Place, last: Place) -> str:
        return self.behind(last) or self.above(first)

    # declarations

    def parse(self) -> None:
        while self.i < len(self.tokens):
            self.declaration()
        self.constants()

    def declaration(self) -> None:
        start = self.place
        if self.accept(";"):
            return
        if self.peek() == "typedef":
            self.next()
            self.typedef(start)
            return
        words: list[str] = []
        while self.peek() in _STORAGE:
            words.append(self.next().text)
        base = self.specifiers(start)
        if self.accept(";"):
            return
        name, type = self.declarator(base)
        if isinstance(type, FunctionType):
            if self.peek() == "{":
                self.skip_body()
                # names of 4.0.0 for functions that the library has under others
                if self.api >= 400 and name.startswith("mj"):
                    self.function(name, type, start, start, False)
                return
            end = self.expect(";").place
            self.function(name, type, start, end, "MJAPI" not in words)
            return
        end = self.expect(";").place
        doc = self.member_doc(start, end)
        self.put(self.headers.variables, name, Variable(name, type, doc, start))

    def put(self, table: dict[str, Item], name: str, item: Item) -> None:
        if name in table and table[name] != item:
            raise HeaderError(f"{self.place}: {name} is declared twice")
        table[name] = item

    def function(
        self, name: str, type: FunctionType, start: Place, end: Place, hidden: bool
    ) -> None:
        doc = self.above(start) or self.behind(end)
        if not doc and self.previous and self.previous[:2] == (start.file, start.line - 1):
            doc = self.previous[2]
        self.previous = (end.file, end.line, doc)
        item = Function(name, type.result, type.parameters, type.variadic, doc, start, hidden)
        self.put(self.headers.functions, name, item)

    def skip_body(self) -> None:
        depth = 0
        while True:
            text = self.next().text
            depth += (text == "{") - (text == "}")
            if depth == 0:
                return

    def typedef(self, start: Place) -> None:
        base = self.specifiers(start)
        name, type = self.declarator(base)
        end = self.expect(";").place
        self.known.add(name)
        doc = self.member_doc(start, end)
        if isinstance(type, Named) and type.name.split(" ")[0] in ("struct", "union", "enum"):
            word, tag = type.name.split(" ")
            self.entitle(word, tag, name, doc, start)
        else:
            self.put(self.headers.typedefs, name, Typedef(name, type, doc, start))

    def entitle(self, word: str, tag: str, name: str, doc: str, place: Place) -> None:
        """Give the enum or struct behind a tag the name of a typedef."""
        item = self.tags.get(tag)
        if item is None:
            if word == "enum":
                raise HeaderError(f"{place}: enum {tag} is used before it is declared")
            self.unfinished[tag] = name
            self.headers.typedefs[name] = Typedef(name, Named(f"{word} {tag}"), doc, place)
            return
        if isinstance(item, Enum):
            self.put(self.headers.enums, name, Enum(name, tag, item.values, item.doc, item.place))
            self.headers.enums.pop(tag, None)
        else:
            named = Struct(name, tag, item.fields, item.doc, item.place, item.kind)
            self.headers.structs = {
                (name if key == tag else key): (named if key == tag else value)
                for key, value in self.headers.structs.items()
            }

    # types

    def specifiers(self, start: Place) -> Type:
        """The type that a declaration begins with, up to its first ``*`` or name."""
        const = volatile = False
        words: list[str] = []
        inner: Type | None = None
        while True:
            text = self.peek()
            if text in ("const", "volatile"):
                const, volatile = const or text == "const", volatile or text == "volatile"
                self.next()
            elif text in ("struct", "union", "enum") and not words and inner is None:
                self.next()
                inner = self.tagged(text, start)
            elif inner is None and (text in _WORDS or (text in self.known and not words)):
                words.append(self.next().text)
            else:
                break
        if inner is None and not words:
            raise HeaderError(f"{self.place}: {self.peek()!r} is no known type")
        if inner is None:
            return Named(" ".join(words), const, volatile)
        if isinstance(inner, Named):
            return Named(inner.name, const, volatile)
        return inner

    def tagged(self, word: str, start: Place) -> Type:
        tag = self.name() if self.peek() != "{" else ""
        if self.peek() != "{":
            return Named(f"{word} {tag}")
        opening = self.next().place
        doc = self.behind(opening) or self.above(start)
        if word == "enum":
            values = self.enumerators()
            item = Enum(tag, tag, values, doc, start)
            if tag:
                self.tags[tag] = item
                self.headers.enums[tag] = item
            return Named(f"enum {tag}".strip())
        fields = self.members()
        if not tag:
            return Anonymous(word, fields)
        name = self.unfinished.pop(tag, tag)
        self.headers.typedefs.pop(name, None)
        struct = Struct(name, tag, fields, doc, start, word)
        self.tags[tag] = struct
        self.put(self.headers.structs, name, struct)
        return Named(f"{word} {tag}")

    def enumerators(self) -> tuple[EnumValue, ...]:
        values: list[EnumValue] = []
        value = -1
        while not self.accept("}"):
            place = self.place
            name = self.name()
            value = self.expression(",", "}") if self.accept("=") else value + 1
            last = self.tokens[self.i - 1].place
            if self.peek() == ",":
                last = self.next().place
            elif self.peek() != "}":
                raise HeaderError(f"{self.place}: expected ',' or '}}', found {self.peek()!r}")
            self.numbers[name] = value
            values.append(EnumValue(name, value, self.member_doc(place, last)))
        return tuple(values)

    def expression(self, *ends: str) -> int:
        """A whole number, up to one of the ends, which stays."""
        tokens: list[Token] = []
        depth = 0
        while depth or self.peek() not in ends:
            token = self.next()
            depth += (token.text == "(") - (token.text == ")")
            tokens.append(token)
        text = " ".join(token.text for token in tokens)
        value = evaluate(text, self.number, self.place)
        if not isinstance(value, int):
            raise HeaderError(f"{self.place}: {text!r} is not a whole number")
        return value

    def number(self, name: str) -> Number | None:
        return self.numbers.get(name, self.pre.number(name))

    def members(self) -> tuple[Field, ...]:
        fields: list[Field] = []
        while not self.accept("}"):
            fields += self.member()
        return tuple(fields)

    def member(self) -> Iterator[Field]:
        start = self.place
        if self.tokens[self.i].kind == "note":
            raise HeaderError(f"{start}: a meaning without a field")
        base = self.specifiers(start)
        if self.accept(";"):
            if not isinstance(base, Anonymous):
                raise HeaderError(f"{start}: a member has no name")
            yield Field("", base, "")
            return
        name, type = self.declarator(base)
        end = self.expect(";").place
        note: Mapping[str, str] = {}
        if self.i < len(self.tokens) and self.tokens[self.i].kind == "note":
            note = self.next().note
        doc = note["meaning"] if note else self.member_doc(start, end)
        rows = note.get("rows")
        arena = rows is not None and rows.startswith("MJ_")
        columns = _size(note.get("columns"), self.api)
        yield Field(name, type, doc, _size(rows, self.api), columns, arena)

    def declarator(self, base: Type) -> tuple[str, Type]:
        """A name with its stars, extents and parameters; the name may be missing."""
        type = base
        while self.accept("*"):
            const = restrict = False
            while self.peek() in ("const", "restrict", "__restrict", "volatile"):
                word = self.next().text
                const, restrict = const or word == "const", restrict or "restrict" in word
            type = Pointer(type, const, restrict)
        if self.peek() == "(" and self.peek(1) == "*":
            # what stands in the parenthesis applies to what comes behind it
            self.next()
            inner = self.i
            self.skip_parenthesis()
            type = self.suffixes(type)
            end = self.i
            self.i = inner
            name, type = self.declarator(type)
            self.expect(")")
            self.i = end
            return name, type
        name = self.next().text if self.tokens[self.i].kind == "name" else ""
        return name, self.suffixes(type)

    def skip_parenthesis(self) -> None:
        depth = 1
        while depth:
            text = self.next().text
            depth += (text == "(") - (text == ")")

    def suffixes(self, type: Type) -> Type:
        if self.peek() == "(":
            parameters, variadic = self.parameters()
            return FunctionType(type, parameters, variadic)
        extents: list[int | None] = []
        texts: list[str] = []
        while self.accept("["):
            start = self.i
            extents.append(None if self.peek() == "]" else self.expression("]"))
            texts.append(written(self.tokens[start : self.i]))
            self.expect("]")
        return Array(type, tuple(extents), tuple(texts)) if extents else type

    def parameters(self) -> tuple[tuple[Parameter, ...], bool]:
        self.expect("(")
        if self.peek() == "void" and self.peek(1) == ")":
            self.next()
        parameters: list[Parameter] = []
        while not self.accept(")"):
            if self.accept("..."):
                self.expect(")")
                return tuple(parameters), True
            name, type = self.declarator(self.specifiers(self.place))
            parameters.append(Parameter(name, type))
            if self.peek() != ")":
                self.expect(",")
        return tuple(parameters), False

    # macros

    def constants(self) -> None:
        for name, macro in self.pre.macros.items():
            value = self.pre.number(name)
            if value is not None:
                doc = self.behind(macro.place) or self.above(macro.place)
                self.headers.constants[name] = Constant(name, value, doc, macro.place)
