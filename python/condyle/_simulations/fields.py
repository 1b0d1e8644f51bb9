"""Fields of MjData and MjModel that simulations as rows can bind and expand, and hints for others.

Which they are is asked of the engine once, with a small model.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle._condyle import _data_field_names, _model_field_names, _Simulations

# parts of the state: their bits in mjtState, in the order of a row
STATE = {
    "time": "TIME",
    "qpos": "QPOS",
    "qvel": "QVEL",
    "act": "ACT",
    "history": "HISTORY",
    "qacc_warmstart": "WARMSTART",
    "ctrl": "CTRL",
    "qfrc_applied": "QFRC_APPLIED",
    "xfrc_applied": "XFRC_APPLIED",
    "eq_active": "EQ_ACTIVE",
    "mocap_pos": "MOCAP_POS",
    "mocap_quat": "MOCAP_QUAT",
    "userdata": "USERDATA",
    "plugin_state": "PLUGIN",
    "plastic": "PLASTIC",
}

# numbers of rows in the arena
_COUNTS = ("nA", "nJ", "ncon", "ne", "nefc", "nf", "nidof", "nisland", "nl")

_ASSETS = ("mesh_", "hfield_", "skin_", "tex_", "oct_", "bvh_child", "bvh_depth", "bvh_nodeid")


def _ask() -> tuple[frozenset[str], frozenset[str]]:
    rows = _Simulations(condyle.MjModel.from_xml_string("<mujoco/>"), 1, 1, False)
    data = {name for name in _data_field_names() if rows.output(name) is not None}
    model = {name for name in _model_field_names() if rows.expand(name) is not None}
    return frozenset(data.union(STATE)), frozenset(model)


DATA_FIELDS, MODEL_FIELDS = _ask()
_ALL_MODEL_FIELDS = frozenset(_model_field_names())


def all_model_fields() -> frozenset[str]:
    """Return the names of all arrays of the model."""
    return _ALL_MODEL_FIELDS


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return " (did you mean ...?)" with the names most like this one; "" if none is."""
    close = difflib.get_close_matches(name, sorted(names))
    return f" (did you mean {', '.join(map(repr, close))}?)" if close else ""


def model_hint(name: str) -> str:
    """Return where a name that is no field of MjData belongs; "" if nowhere."""
    if name in MODEL_FIELDS:
        return f"{name} is an MjModel field: use expand({name!r})"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"{name} is an MjOption field: use expand('opt.{name}')"
    return ""


def cannot_bind(name: str) -> str:
    """Return why a name can't be bound."""
    if name in MODEL_FIELDS:
        return model_hint(name)
    if name in _data_field_names() and name != "contact":
        kind = getattr(condyle.MjData, name, None)
        if name.startswith(("efc_", "iefc_", "island_", "map_", "iM", "iLD", "ifrc", "iacc")) or (
            name in ("dof_island", "tendon_efcadr", "tree_island")
        ):
            return (
                f"{name} is in the arena, whose size changes from step to step, and cannot be bound"
            )
        if kind is not None and name not in ("warning", "timer", "solver"):
            return f"{name} is not one of the MjData scalars bind() accepts: {', '.join(_COUNTS)}"
    hint = model_hint(name)
    hint = f"; {hint}" if hint else did_you_mean(name, DATA_FIELDS)
    return f"{name} is not an MjData array field{hint}"


def cannot_expand(name: str) -> str:
    """Return why a name can't be expanded."""
    if name in _ALL_MODEL_FIELDS and name.startswith(_ASSETS):
        return f"{name} is asset data, shared by all simulations, and cannot be expanded"
    if name in DATA_FIELDS:
        return f"{name} is an MjData field: use bind({name!r})"
    if is_structural(name):
        return f"{name} is structural: it cannot differ between simulations"
    option = f"opt.{name}"
    if option in MODEL_FIELDS:
        hint = f"; {name} is an MjOption field: use expand({option!r})"
    else:
        hint = did_you_mean(name, MODEL_FIELDS)
    return f"{name} is not an expandable MjModel field{hint}"


def is_structural(name: str) -> bool:
    """Tell if a field of the model is an id, an address, a count or a type."""
    texts = ("names", "paths", "text_data")
    return name in _ALL_MODEL_FIELDS and name not in MODEL_FIELDS and name not in texts


def bit(name: str) -> int:
    """Return the bit of a field of the state."""
    return int(getattr(condyle.mjtState, f"mjSTATE_{STATE[name]}"))


def with_flags(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Return bytes that are flags as bool."""
    if array.dtype == np.uint8 and not name.endswith("sameframe"):
        return array.view(np.bool_)
    return array
