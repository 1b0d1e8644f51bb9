"""Room for contacts and rows of constraints that others compute."""

from typing import Any

from condyle import _condyle


def _realloc_con_efc(d: Any, ncon: int, nefc: int, nJ: int = -1) -> None:  # noqa: N803
    """Make room in the data for contacts, rows and entries of their Jacobian.

    MJX calls it before it writes what it has computed.

    Parameters
    ----------
    d
        MjData
    ncon, nefc, nJ
        How many there will be; -1 entries: as many as now.

    Raises
    ------
    FatalError
        They don't fit, or a number is negative; then there are none.
    """
    fits = min(ncon, nefc) >= 0 and _condyle.cnd_layoutRows(
        d.model, d, ncon, nefc, d.nJ if nJ < 0 else nJ
    )
    if not fits:
        _condyle.cnd_layoutRows(d.model, d, 0, 0, 0)
        raise _condyle.FatalError("insufficient arena memory available")
