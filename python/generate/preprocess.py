"""Tokens of a C header after includes, conditionals and macros.

The engine's structs are written by tables of macros (model_table.h, data_table.h), so reading a
header takes a preprocessor. This one knows what the headers of this project use and refuses the
rest with file and line. Two things set it apart from a compiler's:

- Comments are kept, by file and line, since they are the documentation.
- A macro with a parameter called ``meaning`` leaves a note behind its expansion, a token of kind
  "note" that holds the arguments as they were written. So a line of a table keeps its meaning and
  its rows and columns, which the C declaration does not show.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

Number = int | float


class HeaderError(Exception):
    """A header says something that the reader does not understand."""


@dataclass(frozen=True)
class Place:
    """File, relative to the include folder, and line."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Token:
    """One token; ``kind`` is "name", "number", "string", "char", "sign" or "note".

    ``glued`` tells that nothing stands between it and the token before.
    """

    kind: str
    text: str
    place: Place
    glued: bool = False
    note: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Macro:
    """A definition; ``parameters`` is None for a macro without parentheses."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]
    place: Place


@dataclass(frozen=True)
class Comment:
    """Text of a comment and the column where it begins."""

    text: str
    column: int


_LEXEME = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<char>'(?:\\.|[^'\\\n])*')
      | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<join>\\[ \t]*\n)
      | (?P<newline>\n)
      | (?P<blank>[ \t\r\f\v]+)
      | (?P<sign>\.\.\.|\#\#|<<|>>|<=|>=|==|!=|&&|\|\||->|[][(){}<>;:,.*&|^~!=+\-/%?\#])
    """,
    re.VERBOSE | re.DOTALL,
)


class Preprocessor:
    """Reads headers into ``tokens``, ``macros`` and comments.

    Parameters
    ----------
    folder
        The include folder. Includes that are not found below it are those of the system and are
        skipped.
    defined
        Names that count as defined from the start, without a value.
    numbers
        Names that are numbers from the start.
    """

    def __init__(
        self, folder: Path, defined: tuple[str, ...] = (), numbers: Mapping[str, int] | None = None
    ) -> None:
        self.folder = folder
        self.tokens: list[Token] = []
        self.macros: dict[str, Macro] = {}
        self.trailing: dict[tuple[str, int], Comment] = {}
        self.alone: dict[tuple[str, int], Comment] = {}
        self._seen: set[str] = set()
        self._numbers: dict[Macro, Number | None] = {}
        start = Place("<start>", 0)
        for name in defined:
            self.macros[name] = Macro(name, None, (), start)
        for name, number in (numbers or {}).items():
            body = (Token("number", str(number), start),)
            self.macros[name] = Macro(name, None, body, start)

    def read(self, name: str) -> None:
        """Read a header, named as in an include, and all that it includes."""
        if name in self._seen:
            return
        self._seen.add(name)
        path = self.folder / name
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise HeaderError(f"{name}: cannot be read: {error}") from error
        self._lines(name, self._lex(name, text))

    def _lex(self, file: str, text: str) -> list[list[Token]]:
        """Split a file into logical lines of tokens, and file its comments."""
        lines: list[list[Token]] = [[]]
        line, position, start = 1, 0, 0
        code = glued = False
        while position < len(text):
            match = _LEXEME.match(text, position)
            place = Place(file, line)
            if match is None:
                raise HeaderError(f"{place}: unexpected character {text[position]!r}")
            kind, lexeme = str(match.lastgroup), match.group()
            if kind == "comment":
                self._file_comment(file, line, lexeme, match.start() - start, code)
            elif kind in ("newline", "join"):
                code, start = False, match.end()
                if kind == "newline":
                    lines.append([])
            elif kind != "blank":
                lines[-1].append(Token(kind, lexeme, place, glued))
                code = True
            glued = kind in ("name", "number", "sign", "string", "char")
            line += lexeme.count("\n")
            position = match.end()
        return [tokens for tokens in lines if tokens]

    def _file_comment(self, file: str, line: int, lexeme: str, column: int, code: bool) -> None:
        if lexeme.startswith("/*"):
            text = " ".join(part.strip(" *") for part in lexeme[2:-2].splitlines()).strip()
        else:
            text = lexeme.lstrip("/").strip()
        (self.trailing if code else self.alone)[file, line] = Comment(text, column)

    def _lines(self, file: str, lines: list[list[Token]]) -> None:
        """Carry out directives; expand what stands between them, which may span lines."""
        active: list[bool] = []  # is this branch taken, per open conditional
        done: list[bool] = []  # has any branch been taken
        pending: list[Token] = []
        for tokens in lines:
            if tokens[0].text != "#":
                if all(active):
                    pending += tokens
                continue
            self.tokens += self._expanded(pending, frozenset())
            pending = []
            place = tokens[0].place
            word, rest = (tokens[1].text, tokens[2:]) if len(tokens) > 1 else ("", [])
            if word in ("if", "ifdef", "ifndef"):
                taken = all(active) and self._condition(word, rest, place)
                active.append(taken)
                done.append(taken or not all(active[:-1]))
            elif word in ("elif", "else", "endif") and not active:
                raise HeaderError(f"{place}: #{word} without #if")
            elif word == "endif":
                active.pop()
                done.pop()
            elif word in ("elif", "else"):
                active[-1] = not done[-1] and (word == "else" or self._condition("if", rest, place))
                done[-1] = done[-1] or active[-1]
            elif all(active):
                self._directive(word, rest, place)
        self.tokens += self._expanded(pending, frozenset())
        if active:
            raise HeaderError(f"{file}: #if without #endif")

    def _directive(self, word: str, rest: list[Token], place: Place) -> None:
        if word == "define" and rest and rest[0].kind == "name":
            self._define(rest, place)
        elif word == "undef" and rest:
            self.macros.pop(rest[0].text, None)
        elif word == "include":
            name = "".join(token.text for token in rest).strip('<>"')
            if (self.folder / name).is_file():
                self.read(name)
        elif word not in ("pragma", "error"):
            raise HeaderError(f"{place}: directive #{word} is not understood")

    def _define(self, rest: list[Token], place: Place) -> None:
        name, body = rest[0].text, rest[1:]
        parameters: tuple[str, ...] | None = None
        # parameters follow the name without a blank
        if body and body[0].text == "(" and body[0].glued:
            end = [token.text for token in body].index(")")
            parameters = tuple(token.text for token in body[1:end] if token.text != ",")
            body = body[end + 1 :]
        self.macros[name] = Macro(name, parameters, tuple(body), place)

    def _condition(self, word: str, rest: list[Token], place: Place) -> bool:
        if word != "if":
            return (rest[0].text in self.macros) == (word == "ifdef")
        words: list[str] = []
        tokens = iter(rest)
        for token in tokens:
            if token.text == "defined":
                name = next(tokens).text
                if name == "(":
                    name = next(tokens).text
                    next(tokens)
                words.append(str(int(name in self.macros)))
            elif token.kind == "name":
                value = self.number(token.text)
                words.append("0" if value is None else str(value))
            else:
                words.append(
                    {"&&": " and ", "||": " or ", "!": " not "}.get(token.text, token.text)
                )
        return bool(evaluate("".join(words), lambda name: None, place))

    def number(self, name: str) -> Number | None:
        """Value of a macro that stands for a number; None for any other."""
        macro = self.macros.get(name)
        if macro is None or macro.parameters is not None or not macro.body:
            return None
        if macro not in self._numbers:
            self._numbers[macro] = None  # also the answer for a macro that names itself
            text = " ".join(token.text for token in macro.body)
            try:
                self._numbers[macro] = evaluate(text, self.number, macro.place)
            except HeaderError:
                pass
        return self._numbers[macro]

    def _expanded(self, tokens: list[Token], hidden: frozenset[str]) -> list[Token]:
        """Replace macros; names in ``hidden`` are being replaced already and stay, and so do those
        of numbers, which are worth more than the number."""
        result: list[Token] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            i += 1
            macro = self.macros.get(token.text) if token.kind == "name" else None
            if macro is None or token.text in hidden or self.number(token.text) is not None:
                result.append(token)
            elif macro.parameters is None:
                result += self._expanded(list(macro.body), hidden | {macro.name})
            elif i < len(tokens) and tokens[i].text == "(":
                arguments, i = _arguments(tokens, i)
                result += self._call(macro, arguments, token.place, hidden)
            else:
                result.append(token)
        return result

    def _call(
        self, macro: Macro, arguments: list[list[Token]], place: Place, hidden: frozenset[str]
    ) -> list[Token]:
        parameters = macro.parameters or ()
        if len(arguments) != len(parameters) and not (not parameters and arguments == [[]]):
            raise HeaderError(
                f"{place}: {macro.name} takes {len(parameters)} arguments, not {len(arguments)}"
            )
        bound = dict(zip(parameters, arguments, strict=False))
        body: list[Token] = []
        for token in macro.body:
            if token.text in ("#", "##"):
                raise HeaderError(f"{macro.place}: {token.text} in a macro is not understood")
            body += bound.get(token.text, [token]) if token.kind == "name" else [token]
        if "meaning" in bound:
            # the declaration stands where the line of the table does
            body = [replace(token, place=place) for token in body]
        result = self._expanded(body, hidden | {macro.name})
        if "meaning" in bound:
            note = {name: written(argument) for name, argument in bound.items()}
            result.append(Token("note", "", place, note=note))
        return result


def _arguments(tokens: list[Token], i: int) -> tuple[list[list[Token]], int]:
    """Arguments of a macro's call whose parenthesis is token i, and what comes after it."""
    start = tokens[i].place
    arguments: list[list[Token]] = [[]]
    depth = 0
    while i < len(tokens):
        text = tokens[i].text
        depth += (text == "(") - (text == ")")
        if depth == 0:
            return arguments, i + 1
        if text == "," and depth == 1:
            arguments.append([])
        elif text != "(" or depth > 1:
            arguments[-1].append(tokens[i])
        i += 1
    raise HeaderError(f"{start}: parenthesis of a macro's arguments is not closed")


def written(tokens: list[Token]) -> str:
    """Text of tokens; string literals next to each other become the one text they say."""
    if tokens and all(token.kind == "string" for token in tokens):
        return "".join(str(ast.literal_eval(token.text)) for token in tokens)
    return "".join(token.text for token in tokens)


def evaluate(text: str, value: Callable[[str], Number | None], place: Place) -> Number:
    """Value of a constant expression of C; ``value`` gives that of a name."""
    plain = re.sub(r"\b(0[xX][0-9a-fA-F]+)[uUlL]+\b", r"\1", text)
    plain = re.sub(r"(?<![\w.])(\d+)[uUlL]+\b", r"\1", plain)
    plain = re.sub(r"(?<![\w.])(\d[\d.]*(?:[eE][+-]?\d+)?)[fFlL]\b", r"\1", plain)
    try:
        tree = ast.parse(plain.strip(), mode="eval").body
    except SyntaxError:
        raise HeaderError(f"{place}: {text!r} is not a constant expression") from None

    def walk(node: ast.expr) -> Number:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return node.value
        if isinstance(node, ast.Name):
            known = value(node.id)
            if known is not None:
                return known
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            compare = _COMPARISONS.get(type(node.ops[0]))
            if compare is not None:
                return int(compare(walk(node.left), walk(node.comparators[0])))
        if isinstance(node, ast.BoolOp):
            values = [bool(walk(item)) for item in node.values]
            return int(all(values) if isinstance(node.op, ast.And) else any(values))
        if isinstance(node, ast.UnaryOp):
            operand = walk(node.operand)
            if isinstance(node.op, ast.Not):
                return int(not operand)
            if isinstance(node.op, ast.Invert) and isinstance(operand, int):
                return ~operand
            if isinstance(node.op, ast.USub | ast.UAdd):
                return -operand if isinstance(node.op, ast.USub) else operand
        if isinstance(node, ast.BinOp):
            return _binary(node.op, walk(node.left), walk(node.right), text, place)
        raise HeaderError(f"{place}: {text!r} is not a constant expression")

    return walk(tree)


_COMPARISONS: dict[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

_BITS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}


def _binary(op: ast.operator, a: Number, b: Number, text: str, place: Place) -> Number:
    if isinstance(op, ast.Add):
        return a + b
    if isinstance(op, ast.Sub):
        return a - b
    if isinstance(op, ast.Mult):
        return a * b
    if isinstance(op, ast.Div) and b != 0:
        # integers are divided towards zero
        return int(a / b) if isinstance(a, int) and isinstance(b, int) else a / b
    if type(op) in _BITS and isinstance(a, int) and isinstance(b, int):
        return _BITS[type(op)](a, b)
    raise HeaderError(f"{place}: {text!r} is not a constant expression")
