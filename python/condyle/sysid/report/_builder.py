"""``ReportBuilder``: a page made of sections."""

from __future__ import annotations

import html
from os import PathLike
from typing import NamedTuple

from condyle._support.output import write_file

_STYLE = """
body { font: 15px sans-serif; max-width: 860px; margin: 24px auto; padding: 0 16px; color: #222; }
h2 { border-bottom: 1px solid #ddd; padding-bottom: 4px; margin-top: 32px; }
table { border-collapse: collapse; font-size: 13px; }
td, th { padding: 3px 10px; text-align: right; border-bottom: 1px solid #eee; }
td:first-child, th:first-child { text-align: left; }
svg, img { display: block; margin: 8px 0; max-width: 100%; height: auto; }
nav a { margin-right: 14px; }
"""


class Section(NamedTuple):
    """A part of a page: its title, and what it shows as HTML."""

    title: str
    content: str


class ReportBuilder:
    """A page with a title and sections.

    ::

        report = ReportBuilder("Arm")
        report.add_section("Remarks", "<p>Measured on Monday.</p>")
        report.save("report.html")
    """

    def __init__(self, title: str = "SysID") -> None:
        self.title = title
        self.sections: list[Section] = []

    def add_section(self, title: str | Section, content: str | None = None) -> ReportBuilder:
        """Add a section at the end: a Section, or a title and HTML. Returns the builder."""
        if isinstance(title, Section):
            self.sections.append(title)
        else:
            self.sections.append(Section(title, content or ""))
        return self

    def build(self) -> str:
        """Return the page."""
        links, parts = [], []
        for i, (title, content) in enumerate(self.sections):
            name = html.escape(title)
            links.append(f'<a href="#s{i}">{name}</a>')
            parts.append(f'<h2 id="s{i}">{name}</h2>\n{content}')
        title = html.escape(self.title)
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n<nav>{''.join(links)}</nav>\n"
            + "\n".join(parts)
            + "\n</body></html>\n"
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file."""
        write_file(path, self.build().encode())
