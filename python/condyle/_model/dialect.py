"""Whose rules a model follows that doesn't say so itself."""

from __future__ import annotations

import re

from condyle import _condyle

_FIRST, _LAST = 303, 400


def set_default_dialect(dialect: str) -> str:
    """Choose by which release's rules models are understood that name no dialect.

    It concerns models that are loaded and specs that are made from now on, in all threads. A
    model's own word, ``<compiler dialect="4.0"/>``, counts more.

    Parameters
    ----------
    dialect
        A release: "3.3" (at the start), "3.12", "4.0". One before or after the rules that are
        known is taken as the nearest.

    Returns
    -------
    before
        The dialect until now.

    Raises
    ------
    ValueError
        It doesn't look like a release.
    """
    match = re.fullmatch(r"(\d+)\.(\d+)(?:\.\d+)?", dialect)
    if match is None:
        raise ValueError(f"dialect must look like '3.3' or '4.0', got {dialect!r}")
    number = 100 * int(match[1]) + min(int(match[2]), 99)
    before: int = _condyle._set_default_dialect(min(max(number, _FIRST), _LAST))
    return f"{before // 100}.{before % 100}"
