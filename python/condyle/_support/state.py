"""Bits of states and kinds of warnings, as the process numbers them at the moment."""

from __future__ import annotations

import condyle
from condyle import _enums


def _later() -> int:
    """Return the bits that the sums of release 3.3.7 lack."""
    return int(condyle.mjtState.mjSTATE_HISTORY) | int(condyle.mjtState.mjSTATE_PLASTIC)


def full() -> int:
    """Return the bits of mjSTATE_FULLPHYSICS, with histories and plastic springs."""
    return int(condyle.mjtState.mjSTATE_FULLPHYSICS) | _later()


def integration() -> int:
    """Return the bits of mjSTATE_INTEGRATION, with histories and plastic springs."""
    return int(condyle.mjtState.mjSTATE_INTEGRATION) | _later()


def bad_numbers() -> list[int]:
    """Return the engine's numbers of the warnings of numbers that are bad: qpos, qvel, qacc."""
    warnings = dict(_enums._MEMBERS["mjtWarning"])
    return [warnings[f"mjWARN_BAD{name}"] for name in ("QPOS", "QVEL", "QACC")]
