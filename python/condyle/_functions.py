"""The functions of the C interface."""

from condyle import _condyle
from condyle._model.layout import _realloc_con_efc as _realloc_con_efc

globals().update(
    {
        name: value
        for name, value in vars(_condyle).items()
        if name.startswith(("mj_", "mju_", "mjd_", "mjv_", "cnd_"))
    }
)
