"""What all modules of windows have in common as long as Condyle opens none."""

from __future__ import annotations

from typing import NoReturn

import condyle


def refuse(what: str) -> NoReturn:
    """Raise the error of everything that would open a window."""
    raise condyle.FatalError(
        f"{what} needs a window, which comes with a later release of Condyle;"
        " condyle.Renderer draws without one"
    )
