"""The functions of the C interface."""

from condyle import _condyle, _undrawn

globals().update(
    {
        name: value
        for name, value in vars(_condyle).items()
        if name.startswith(("mj_", "mju_", "mjd_", "mjv_", "cnd_"))
    }
)

globals().update(_undrawn.missing(_undrawn.VISUAL, __name__, vars(_condyle)))
