"""Attributes of later releases that stand for features this engine does not have.

Reading gives the value of a model that does not use the feature; the same may be assigned, anything
else is a ValueError. A class that has the attribute itself keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from condyle import _condyle, _enums
from condyle._model import setconst

# attributes by class: a name and its value; a text with a dot is a member of an enum
ABSENT: dict[str, dict[str, Any]] = {
    "MjsActuator": {
        "armature": 0.0,
        "ctrlspec": 0,
        "damping": (0.0, 0.0, 0.0),
        "delay": 0.0,
        "ffrange": (0.0, 0.0),
        "interp": 0,
        "nsample": 0,
        "type": "mjtActuator.mjACTUATOR_GENERAL",
        "velrange": (0.0, 0.0),
    },
    "MjsBody": {"sleep": "mjtSleepPolicy.mjSLEEP_AUTO"},
    "MjsCamera": {"output": 1},
    "MjsCompiler": {
        "passthrough": "mjtPassthrough.mjPASSTHROUGH_NONE",
        "savecanonical": True,
        "savecompiled": True,
    },
    "MjsFlex": {
        "cellcount": (1, 1, 1),
        "elastic3d": 0,
        "order": 0,
        "section": "mjtFlexSection.mjFLEXSECTION_CIRCLE",
        "sectionsize": (0.0, 0.0),
        "shear": 0.0,
        "size": (0.0, 0.0, 0.0),
        "stressyield": (0.0, 0.0),
    },
    "MjsFrame": {
        "massscale": 0.0,
        "scale": (1.0, 1.0, 1.0),
        "scaling": "mjtScaling.mjSCALING_SIMILAR",
    },
    "MjsGeom": {"adhesion": 0.0, "castshadow": True, "surfacevel": (0.0,) * 6},
    "MjsJoint": {"springyield": 0.0},
    "MjsKey": {"plastic": ()},
    "MjsLight": {"softness": float(np.float32(0.2))},
    "MjsMesh": {"octree_maxdepth": 6, "usernode": (), "usertet": ()},
    "MjsPair": {"adhesion": 0.0},
    "MjsSensor": {"delay": 0.0, "interp": 0, "interval": (0.0, 0.0), "nsample": 0},
    "MjsSite": {"meshname": ""},
    "MjsTendon": {"springyield": 0.0},
    "MjsTexture": {"embed": "mjtEmbed.mjEMBED_AUTO"},
    "MjContact": {"adhesion": 0.0, "surfacevel": (0.0, 0.0, 0.0)},
    "MjvGeom": {"castshadow": 1, "texid": -1, "texrepeat": (0.0, 0.0), "texuniform": 0},
    "MjvLight": {"softness": 0.0},
}


def _value(default: Any) -> Any:
    """Return a value of the table, an array or member anew each time."""
    if isinstance(default, tuple):
        return np.array(default, None if default else np.float64)
    if isinstance(default, str) and default:
        enum, _, member = default.partition(".")
        return getattr(_enums, enum)[member]
    return default


def _absent(name: str, default: Any) -> property:
    def get(self: Any) -> Any:
        return _value(default)

    def set_(self: Any, value: Any) -> None:
        wanted = _value(default)
        if np.shape(value) not in ((), np.shape(wanted)) or not np.all(np.equal(value, wanted)):
            raise ValueError(f"{name} can only be {wanted}: the engine has nothing else")

    return property(get, set_, doc=f"of later releases; always {default}")


def _projection() -> property:
    def get(self: Any) -> Any:
        return _enums.mjtProjection(int(self.orthographic))

    def set_(self: Any, value: Any) -> None:
        self.orthographic = int(_enums.mjtProjection(value))

    return property(get, set_, doc="mjtProjection: perspective or orthographic")


# numbers and arrays of MjData


def _trees(d: Any) -> NDArray[np.int32]:
    """Return the island of each tree, -1: none."""
    m = d.model
    if not d.nisland:
        return np.full(m.ntree, -1, np.int32)
    return np.array(d.dof_island[m.tree_dofadr], np.int32)


def _trees_of_islands(d: Any) -> NDArray[np.int32]:
    """Return the number of trees of each island."""
    island = _trees(d)
    return np.bincount(island[island >= 0], minlength=d.nisland).astype(np.int32)


def _first_trees(d: Any) -> NDArray[np.int32]:
    """Return where the trees of each island begin in ``map_itree2tree``."""
    count = _trees_of_islands(d)
    return (np.cumsum(count) - count).astype(np.int32)


def _sorted_trees(d: Any) -> NDArray[np.int32]:
    """Return the trees, island by island; those of none come last."""
    island = _trees(d)
    if not d.nisland:
        return island
    return np.argsort(np.where(island < 0, d.nisland, island), kind="stable").astype(np.int32)


def _zeros(kind: type, length: str = "") -> Callable[[Any], NDArray[Any]]:
    return lambda d: np.zeros(
        0 if not length else getattr(d, length) if length == "nefc" else getattr(d.model, length),
        kind,
    )


_DATA: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "efc_diagA": ("diagonal of A as the solver regularises it", lambda d: d.efc_diagApprox),
    "tree_island": ("island of each tree, -1: none", _trees),
    "island_ntree": ("trees of each island", _trees_of_islands),
    "island_itreeadr": ("where they begin in map_itree2tree", _first_trees),
    "map_itree2tree": ("trees, island by island", _sorted_trees),
    **{
        name: ("of later releases; always 0", lambda d: 0)
        for name in "nY nefmA nefmK nefmL nefmT nefmcon nefmdof efm_active".split()
    },
    **{
        name: ("of later releases; always False", lambda d: False)
        for name in "flg_energypos flg_energyvel flg_rnepost flg_subtreevel".split()
    },
    **{
        name: ("of later releases; always empty", _zeros(kind))
        for kind, names in (
            (float, "efc_Y efm_K_val efm_L efm_ak efm_as efm_con_val efm_tk efm_ts"),
            (np.int32, "efc_Y_colind efm_K_colind efm_aid efm_con_ind efm_dofid efm_tid"),
        )
        for name in names.split()
    },
    **{
        name: ("of later releases; always 0", _zeros(np.int32, "nefc"))
        for name in ("efc_Y_rowadr", "efc_Y_rownnz")
    },
    **{
        name: ("of later releases; always 0", _zeros(np.int32, "nv"))
        for name in ("efm_K_rowadr", "efm_K_rownnz")
    },
    **{
        name: ("of later releases; always 0", _zeros(float, "nv"))
        for name in "efm_c efm_ca efm_ck efm_diag efm_fluid efm_sdiag".split()
    },
}


def _lower(name: str) -> Callable[[Any], NDArray[Any]]:
    """Return the getter of a column of contacts that the engine does not have."""
    default = np.array(ABSENT["MjContact"][name])
    return lambda contacts: np.zeros((len(contacts), *default.shape))


def install() -> None:
    """Give the classes these attributes."""
    for name, absent in ABSENT.items():
        cls = getattr(_condyle, name)
        for attribute, default in absent.items():
            if not hasattr(cls, attribute):
                setattr(cls, attribute, _absent(attribute, default))
    if not hasattr(_condyle.MjsCamera, "proj"):
        _condyle.MjsCamera.proj = _projection()
    for name, (doc, get) in _DATA.items():
        if not hasattr(_condyle.MjData, name):
            setattr(_condyle.MjData, name, property(get, doc=doc))
    for name in ABSENT["MjContact"]:
        if not hasattr(_condyle._MjContactList, name):
            column = property(_lower(name), doc="of later releases; always 0")
            setattr(_condyle._MjContactList, name, column)
    for name in ("groups", "fields", "inputs", "outputs", "scalars"):
        setattr(_condyle.MjModel, f"_setconst_{name}", getattr(setconst, name.upper()))
