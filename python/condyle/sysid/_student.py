"""Quantiles of Student's t distribution.

For t > 0 and nu degrees of freedom, P(T > t) = I_x(nu/2, 1/2) / 2 with x = nu / (nu + t^2) and the
regularised incomplete beta function I, here by its continued fraction (Abramowitz and Stegun
26.5.8), evaluated by the method of Lentz.
"""

from __future__ import annotations

import math

_ACCURATE = 1e-16


def upper_tail(t: float, nu: float) -> float:
    """Return P(T > t) for t >= 0."""
    return _incomplete_beta(nu / (nu + t * t), nu / 2, 0.5) / 2


def quantile(p: float, nu: float) -> float:
    """Return t with P(T <= t) = p, for 1/2 <= p < 1 and nu > 0, by bisection."""
    if not (0.5 <= p < 1 and nu > 0):
        raise ValueError(f"p must be in [0.5, 1) and nu above 0, got {p} and {nu}")
    tail = 1 - p
    low, high = 0.0, 1.0
    while upper_tail(high, nu) > tail and high < 1e300:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if upper_tail(middle, nu) > tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    # the fraction converges fast on this side of the mean
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or tiny)
    result = d
    for m in range(1, 10000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / (1 + term * d or tiny)
            c = 1 + term / c or tiny
            result *= c * d
        if abs(c * d - 1) < _ACCURATE:
            break
    return result
