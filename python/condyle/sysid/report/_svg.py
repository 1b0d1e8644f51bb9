"""Plots as SVG text: lines over time, values between bounds, matrices of colours.

Numbers are written with few digits and lines thinned to what a picture shows, so pages stay small.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]

_WIDTH, _HEIGHT = 640, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 12, 22, 26
_MOST_POINTS = 800


def lines(
    title: str, series: Sequence[tuple[str, str, ArrayLike, ArrayLike]], log: bool = False
) -> str:
    """Return a plot of lines, each (name, colour, x, y); log: of the logarithm of y."""
    kept = []
    for name, colour, x, y in series:
        a, b = np.ravel(np.asarray(x, dtype=np.float64)), np.ravel(np.asarray(y, dtype=np.float64))
        good = np.isfinite(a) & np.isfinite(b) & ((b > 0) | (not log))
        if good.any():
            kept.append((name, colour, a[good], np.log10(b[good]) if log else b[good]))
    if not kept:
        return f"<p>{html.escape(title)}: no finite values.</p>"
    x_range = _range([x for _, _, x, _ in kept], 0)
    y_range = _range([y for _, _, _, y in kept], 0.06)
    parts = [_axes(title, x_range, y_range, log)]
    for i, (name, colour, x, y) in enumerate(kept):
        step = max(1, len(x) // _MOST_POINTS)
        px, py = (
            _place(x[::step], x_range, _LEFT, _WIDTH - _RIGHT),
            _place(y[::step], y_range, _HEIGHT - _BOTTOM, _TOP),
        )
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px, py, strict=True))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.4"/>'
        )
        at = _WIDTH - _RIGHT - 90 * (len(kept) - i)
        parts.append(f'<text x="{at}" y="14" fill="{colour}">{html.escape(name)}</text>')
    return _svg(_WIDTH, _HEIGHT, parts)


def between(names: Sequence[str], rows: Sequence[dict[str, float]]) -> str:
    """Return a plot of values between bounds.

    Each row has lower, upper, initial, nominal, fitted and half_width (NaN if not known).
    """
    height = 26 * len(names) + 16
    left, right = 180, _WIDTH - 20
    parts = []
    for i, (name, row) in enumerate(zip(names, rows, strict=True)):
        y = 20 + 26 * i
        span = (row["lower"], row["upper"])
        parts.append(f'<text x="4" y="{y + 4}">{html.escape(name)}</text>')
        parts.append(
            f'<line x1="{left}" x2="{right}" y1="{y}" y2="{y}" stroke="#bbb" stroke-width="6"/>'
        )
        width = row["half_width"]
        if np.isfinite(width):
            ends = np.clip([row["fitted"] - width, row["fitted"] + width], *span)
            a, b = _place(ends, span, left, right)
            place = f'x1="{a:.1f}" x2="{b:.1f}" y1="{y}" y2="{y}"'
            parts.append(f'<line {place} stroke="{FITTED}" stroke-width="6" opacity=".4"/>')
        for key, colour in (("nominal", NOMINAL), ("initial", INITIAL), ("fitted", FITTED)):
            x = float(_place(np.array([row[key]]), span, left, right)[0])
            title = f"<title>{key} {row[key]:.6g}</title>"
            parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="{colour}">{title}</circle>')
    return _svg(_WIDTH, height, parts)


def matrix(names: Sequence[str], values: ArrayLike) -> str:
    """Return a matrix of numbers in [-1, 1] as colours, blue to white to red."""
    array = np.asarray(values, dtype=np.float64)
    n = len(names)
    cell = max(14, min(44, 420 // max(n, 1)))
    left = 180
    parts = []
    for i, name in enumerate(names):
        parts.append(f'<text x="4" y="{i * cell + cell / 2 + 4:.0f}">{html.escape(name)}</text>')
        for j in range(n):
            v = float(np.clip(array[i, j], -1, 1))
            fade = int(round(255 * (1 - abs(v))))
            colour = f"rgb(255,{fade},{fade})" if v > 0 else f"rgb({fade},{fade},255)"
            title = html.escape(f"{name}, {names[j]}: {v:.3f}")
            parts.append(
                f'<rect x="{left + j * cell}" y="{i * cell}" width="{cell - 1}" height="{cell - 1}"'
                f' fill="{colour}"><title>{title}</title></rect>'
            )
    return _svg(left + n * cell, n * cell, parts)


NOMINAL, INITIAL, FITTED, MEASURED = "#2a9d3a", "#d1372c", "#1f5fbf", "#222"


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="sans-serif" font-size="11">{"".join(parts)}</svg>'
    )


def _range(arrays: Sequence[Array], margin: float) -> tuple[float, float]:
    low, high = min(float(a.min()) for a in arrays), max(float(a.max()) for a in arrays)
    if high <= low:
        size = abs(low) if low else 1.0
        return low - 0.1 * size, high + 0.1 * size
    return low - margin * (high - low), high + margin * (high - low)


def _place(x: Array, span: tuple[float, float], begin: float, end: float) -> Array:
    width = span[1] - span[0]
    part = (x - span[0]) / width if width > 0 else np.full(np.shape(x), 0.5)
    return np.asarray(begin + part * (end - begin))


def _ticks(span: tuple[float, float]) -> list[float]:
    """Round numbers within a range, about five."""
    raw = (span[1] - span[0]) / 5
    size = 10.0 ** np.floor(np.log10(raw))
    step = float(min((m * size for m in (1, 2, 5, 10)), key=lambda s: abs(s - raw)))
    first = np.ceil(span[0] / step)
    return [float(step * k) for k in np.arange(first, np.floor(span[1] / step) + 1)]


def _axes(title: str, x_range: tuple[float, float], y_range: tuple[float, float], log: bool) -> str:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = [f'<text x="{_LEFT}" y="14" font-weight="bold">{html.escape(title)}</text>']
    for tick in _ticks(x_range):
        x = float(_place(np.array([tick]), x_range, _LEFT, right)[0])
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}" stroke="#eee"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{tick:.6g}</text>')
    for tick in _ticks(y_range):
        y = float(_place(np.array([tick]), y_range, bottom, _TOP)[0])
        label = f"{10**tick:.3g}" if log else f"{tick:.6g}"
        parts.append(f'<line x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#eee"/>')
        parts.append(f'<text x="{_LEFT - 4}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    return "".join(parts)
