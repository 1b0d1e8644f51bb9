"""Which pointers may be NULL: names of parameters by function.

The headers say so in words; this table is for programs: for introspection, and for Python's
functions, where such arguments may be None. ``check`` compares its names with the declarations.
"""

from __future__ import annotations

from .declarations import Headers, Pointer
from .headers import HeaderError

NULLABLE: dict[str, tuple[str, ...]] = {
    "mj_addFileVFS": ("directory",),
    "mj_addM": ("rownnz", "rowadr", "colind"),
    "mj_applyFT": ("force", "torque"),
    "mj_compile": ("vfs",),
    "mj_containsFileVFS": ("directory",),
    "mj_constraintUpdate": ("cost",),
    "mj_copyData": ("dest",),
    "mj_copyModel": ("dest",),
    "mj_defaultSolRefImp": ("solref", "solimp"),
    "mj_encode": ("m", "content_type", "vfs", "error"),
    "mj_geomDistance": ("fromto",),
    "mj_jac": ("jacp", "jacr"),
    "mj_jacBody": ("jacp", "jacr"),
    "mj_jacBodyCom": ("jacp", "jacr"),
    "mj_jacDot": ("jacp", "jacr"),
    "mj_jacGeom": ("jacp", "jacr"),
    "mj_jacPointAxis": ("jacPoint", "jacAxis"),
    "mj_jacSite": ("jacp", "jacr"),
    "mj_loadModel": ("vfs",),
    "mj_loadXML": ("vfs", "error"),
    "mj_local2Global": ("xpos", "xmat", "pos", "quat"),
    "mj_multiRay": ("geomgroup",),
    "mj_parse": ("content_type", "vfs", "error"),
    "mj_parseXML": ("vfs", "error"),
    "mj_parseXMLString": ("vfs", "error"),
    "mj_printData": ("filename",),
    "mj_printModel": ("filename",),
    "mj_printSchema": ("filename", "buffer"),
    "mj_ray": ("geomgroup", "geomid"),
    "mj_rayFlex": ("vertid", "normal"),
    "mj_recompile": ("vfs",),
    "mj_saveLastXML": ("filename", "m", "error"),
    "mj_saveModel": ("filename", "buffer"),
    "mj_saveXML": ("error",),
    "mj_saveXMLString": ("error",),
    "mj_setLengthRange": ("error",),
    "mjd_inverseFD": ("DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"),
    "mjd_quatIntegrate": ("Dquat", "Dvel", "Dscale"),
    "mjd_subQuat": ("Da", "Db"),
    "mjd_transitionFD": ("A", "B", "C", "D"),
    "mjp_findDecoder": ("content_type",),
    "mjp_findEncoder": ("filename", "content_type"),
    "mjp_getPlugin": ("slot",),
    "mjs_addActuator": ("def",),
    "mjs_addBody": ("def",),
    "mjs_addCamera": ("def",),
    "mjs_addDefault": ("parent",),
    "mjs_addEquality": ("def",),
    "mjs_addFrame": ("parentframe",),
    "mjs_addGeom": ("def",),
    "mjs_addJoint": ("def",),
    "mjs_addLight": ("def",),
    "mjs_addMaterial": ("def",),
    "mjs_addMesh": ("def",),
    "mjs_addPair": ("def",),
    "mjs_addSite": ("def",),
    "mjs_addTendon": ("def",),
    "mjs_getDouble": ("size",),
    "mjs_setToIntVelocity": ("kv", "dampratio", "timeconst"),
    "mjs_setToPosition": ("kv", "dampratio", "timeconst"),
    "mjs_wrapGeom": ("sidesite",),
    "mju_decodeResource": ("content_type", "vfs", "error"),
    "mju_openResource": ("dir", "vfs", "error"),
    "mju_writeResource": ("vfs", "error"),
    "mju_boxQP": ("index", "lower", "upper"),
    "mju_boxQPmalloc": ("index", "lower", "upper"),
    "mju_rayFlex": ("vertid",),
    "mju_raySkin": ("vertid",),
    "mju_sqrMatTD": ("diag",),
    "mju_standardNormal": ("num2",),
    "mju_transformSpatial": ("rotnew2old",),
    "mjv_addGeoms": ("pert",),
    "mjv_camera2GLCamera": ("d",),
    "mjv_cameraFrame": ("headpos", "forward", "up", "right", "d"),
    "mjv_cameraFrustum": ("zver", "zhor", "zclip"),
    "mjv_cameraInModel": ("headpos", "forward", "up"),
    "mjv_cameraInRoom": ("headpos", "forward", "up"),
    "mjv_copyModel": ("dest",),
    "mjv_initGeom": ("size", "pos", "mat", "rgba"),
    "mjv_select": ("geomid", "flexid", "skinid"),
    "mjv_updateScene": ("pert",),
    "mjr_drawPixels": ("rgb", "depth"),
    "mjr_readPixels": ("rgb", "depth"),
    "cnd_inverseExact": ("DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"),
    "cnd_transitionExact": ("A", "B", "C", "D"),
}


def check(headers: Headers) -> None:
    """Compare the table with the declarations; HeaderError if a name is wrong."""
    for name, parameters in NULLABLE.items():
        function = headers.functions.get(name)
        if function is None:
            raise HeaderError(f"nullable.py: there is no function {name}")
        types = {parameter.name: parameter for parameter in function.parameters}
        for parameter in parameters:
            if parameter not in types:
                raise HeaderError(f"nullable.py: {name} has no parameter {parameter}")
            if not (isinstance(types[parameter].type, Pointer) or types[parameter].extents):
                raise HeaderError(f"nullable.py: {parameter} of {name} is no pointer")
