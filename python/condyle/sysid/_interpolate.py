"""Interpolation of samples: linear, held, and splines through all samples.

A spline of degree k through n samples is a sum of n B-splines. Its pieces meet at samples, or for
even k halfway between them, of which the outermost k/2 are left out at both ends ("not a knot"), so
that knots and conditions are as many. Its coefficients solve one linear system.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

_DEGREE = {"quadratic": 2, "cubic": 3, "quintic": 5}


def at(times: Array, data: Array, t: Array, method: str) -> Array:
    """Return the data (n, ...) at times t of any shape, (*t.shape, ...); the ends hold outside."""
    if method == "linear":
        return linear(times, data, t)
    if method in ("zero_order_hold", "zoh"):
        rows = np.searchsorted(times, t, side="right") - 1
        return np.asarray(data[np.clip(rows, 0, None)])
    if method not in _DEGREE:
        known = ["linear", *_DEGREE, "zero_order_hold", "zoh"]
        raise ValueError(f"Unsupported interpolation method {method!r}; there are {known}")
    return spline(times, data, np.clip(t, times[0], times[-1]), _DEGREE[method])


def linear(times: Array, data: Array, t: Array) -> Array:
    """Return the data at times t by straight lines between samples."""
    if len(times) == 1:
        return np.asarray(data[np.zeros(t.shape, dtype=np.intp)], dtype=np.float64)
    row, weight = weights(times, t)
    weight = weight.reshape(*t.shape, *(1,) * (data.ndim - 1))
    return np.asarray(data[row] + weight * (data[row + 1] - data[row]))


def weights(times: Array, t: Array) -> tuple[NDArray[np.intp], Array]:
    """Return row i and weight w of each time: the value is data[i] + w (data[i+1] - data[i])."""
    row = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    weight = (t - times[row]) / (times[row + 1] - times[row])
    return row, np.clip(weight, 0, 1)


def spline(times: Array, data: Array, t: Array, degree: int) -> Array:
    """Return the data at times t within the samples by the spline of that degree."""
    n = len(times)
    if n <= degree:
        raise ValueError(f"a spline of degree {degree} needs {degree + 1} samples, got {n}")
    ends = degree // 2 if degree % 2 == 0 else (degree + 1) // 2
    inner = (times[1:] + times[:-1]) / 2 if degree % 2 == 0 else times
    inner = inner[ends : len(inner) - ends]
    knots = np.concatenate([[times[0]] * (degree + 1), inner, [times[-1]] * (degree + 1)])
    matrix = _basis(knots, times, degree, n)
    rows = data.reshape(n, -1)
    coefficients = _solve_banded(matrix, rows, degree)
    values = _basis_times(knots, t.ravel(), degree, coefficients)
    return values.reshape(*t.shape, *data.shape[1:])


def _local(knots: Array, t: Array, degree: int, n: int) -> tuple[NDArray[np.intp], Array]:
    """First of the degree + 1 B-splines that are not zero at t, and their values (len(t), ...).

    Recursion of de Boor and Cox:

        B_i,k(t) = (t - x_i) / (x_(i+k) - x_i) B_i,k-1
                 + (x_(i+k+1) - t) / (x_(i+k+1) - x_(i+1)) B_i+1,k-1
    """
    span = np.clip(np.searchsorted(knots, t, side="right") - 1, degree, n - 1)
    values = np.zeros((len(t), degree + 1))
    values[:, 0] = 1
    for k in range(1, degree + 1):
        saved = np.zeros(len(t))
        for j in range(k):
            right, left = knots[span + j + 1], knots[span + j + 1 - k]
            term = values[:, j] / (right - left)
            values[:, j] = saved + (right - t) * term
            saved = (t - left) * term
        values[:, k] = saved
    return span - degree, values


def _basis(knots: Array, t: Array, degree: int, n: int) -> Array:
    """Rows of the collocation matrix, kept as bands: entry (i, i + j - degree) is at [i, j]."""
    first, values = _local(knots, t, degree, n)
    bands = np.zeros((n, 2 * degree + 1))
    for j in range(degree + 1):
        bands[np.arange(n), first + j - np.arange(n) + degree] = values[:, j]
    return bands


def _solve_banded(bands: Array, rows: Array, half: int) -> Array:
    """Solve by elimination; the matrix is totally positive, so it needs no exchange of rows."""
    bands, x = bands.copy(), np.array(rows, dtype=np.float64)
    n = len(x)
    for i in range(n):
        for r in range(i + 1, min(n, i + half + 1)):
            factor = bands[r, half + i - r] / bands[i, half]
            if factor:
                width = min(half, n - 1 - i)
                begin = half + i - r
                bands[r, begin : begin + width + 1] -= factor * bands[i, half : half + width + 1]
                x[r] -= factor * x[i]
    for i in reversed(range(n)):
        width = min(half, n - 1 - i)
        x[i] -= bands[i, half + 1 : half + 1 + width] @ x[i + 1 : i + 1 + width]
        x[i] /= bands[i, half]
    return x


def _basis_times(knots: Array, t: Array, degree: int, coefficients: Array) -> Array:
    first, values = _local(knots, t, degree, len(coefficients))
    result = np.zeros((len(t), coefficients.shape[1]))
    for j in range(degree + 1):
        result += values[:, j : j + 1] * coefficients[first + j]
    return result
