"""Bits of states and kinds of warnings, as the process numbers them at the moment."""

from __future__ import annotations

import condyle
from condyle import _enums


def full() -> int:
    """Return the bits of mjSTATE_FULLPHYSICS."""
    return int(condyle.mjtState.mjSTATE_FULLPHYSICS)


def integration() -> int:
    """Return the bits of mjSTATE_INTEGRATION."""
    return int(condyle.mjtState.mjSTATE_INTEGRATION)


def bad_numbers() -> list[int]:
    """Return the engine's numbers of the warnings of numbers that are bad: qpos, qvel, qacc."""
    warnings = dict(_enums._MEMBERS["mjtWarning"])
    return [warnings[f"mjWARN_BAD{name}"] for name in ("QPOS", "QVEL", "QACC")]
