"""Errors of loading and compiling a model, with the place and a hint for each problem."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Diagnostic", "ModelError"]


@dataclass(frozen=True)
class Diagnostic:
    """One problem of a model. Lines and columns count from 1; 0 or "" means unknown."""

    severity: str  #: "error" or "warning"
    file: str
    line: int
    column: int
    element: str  #: e.g. ``geom 'foot'``
    message: str
    hint: str  #: what would be right

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        element = f"<{self.element}>: " if self.element else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}: {element}{self.message}{hint}" if place else element + self.message + hint


class ModelError(ValueError):
    """A model that cannot be read or compiled. Its text has a line for each error.

    Attributes ``file``, ``line``, ``column``, ``element``, ``message`` and ``hint`` are those of
    the first error, ``diagnostics`` has all errors and warnings in order.
    """

    diagnostics: list[Diagnostic]
    file: str
    line: int
    column: int
    element: str
    message: str
    hint: str

    def __init__(self, text: str, diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(text)
        self.diagnostics = list(diagnostics or [])
        errors = [problem for problem in self.diagnostics if problem.severity == "error"]
        first = errors[0] if errors else Diagnostic("error", "", 0, 0, "", text, "")
        self.file, self.line, self.column = first.file, first.line, first.column
        self.element, self.message, self.hint = first.element, first.message, first.hint

    def __reduce__(self) -> tuple[type[ModelError], tuple[str, list[Diagnostic]]]:
        return type(self), (str(self), self.diagnostics)
