"""Names of later releases that stand for features this engine does not have, and their values.

A table without imports: the generator of stubs reads it, too.
"""

from __future__ import annotations

# attributes by class: a name and its value; a text with a dot is a member of an enum
ABSENT: dict[str, dict[str, object]] = {
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
    "MjsLight": {"softness": 0.20000000298023224},
    "MjsMesh": {"usernode": (), "usertet": ()},
    "MjsPair": {"adhesion": 0.0},
    "MjsSensor": {"delay": 0.0, "interp": 0, "interval": (0.0, 0.0), "nsample": 0},
    "MjsSite": {"meshname": ""},
    "MjsTendon": {"springyield": 0.0},
    "MjsTexture": {"embed": "mjtEmbed.mjEMBED_AUTO"},
    "MjContact": {"adhesion": 0.0, "surfacevel": (0.0, 0.0, 0.0)},
}

# attributes of MjData that are computed or constant: annotation and documentation
_FLOATS = "NDArray[np.float64]"
DATA: dict[str, tuple[str, str]] = {
    "efc_diagA": (_FLOATS, "diagonal of A as the solver regularises it"),
}

# orientations of named objects of MjData: kind, attribute, array
VIEWS = (
    ("Body", "xiquat", "xiquat"),
    ("Geom", "xquat", "geom_xquat"),
    ("Site", "xquat", "site_xquat"),
)
