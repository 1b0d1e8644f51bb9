"""The functions of the C interface."""

from condyle import _condyle

globals().update(
    {
        name: value
        for name, value in vars(_condyle).items()
        if name.startswith(("mj_", "mju_", "mjd_", "mjv_", "cnd_"))
    }
)
