"""What the headers do not say about functions: shapes, what may be None, what is left out.

A shape is written as in the documentation: ``"3, nv"``. A name in it is, in this order, another
argument of the function, a size of the model (``nv``), a count of the data (``nefc``), or else a
length that this array determines. Where C has a parameter of that name, Python does without it.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "FIXED",
    "PLAIN",
    "STAYS",
    "VECTOR",
    "BY_HAND",
    "ByHand",
    "CHECKS",
    "INDICES",
    "EXCLUDED",
    "INPUTS",
    "NEVER_NONE",
    "OMISSIBLE",
    "RENAMED",
    "SHAPES",
    "STATES",
    "LATER",
    "WITH_NORMAL",
]


@dataclass(frozen=True)
class ByHand:
    """A function of its own code: what it does, and how it may be called; the first way is shown in
    its documentation."""

    doc: str
    signatures: tuple[str, ...]

    def __init__(self, doc: str, *signatures: str) -> None:
        object.__setattr__(self, "doc", doc)
        object.__setattr__(self, "signatures", signatures)


_JACOBIAN = {"jacp": "3, nv", "jacr": "3, nv"}
# vectors of one length, in any function that has them
VECTOR = {"res": "n", "vec": "n", "vec1": "n", "vec2": "n"}
# derivatives of inverse dynamics, and of a step
_INVERSE = {
    "DfDq": "nv, nv",
    "DfDv": "nv, nv",
    "DfDa": "nv, nv",
    "DsDq": "nv, nsensordata",
    "DsDv": "nv, nsensordata",
    "DsDa": "nv, nsensordata",
    "DmDq": "nv, nM",
}
_TRANSITION = {
    "A": "2*nv+na, 2*nv+na",
    "B": "2*nv+na, nu",
    "C": "nsensordata, 2*nv+na",
    "D": "nsensordata, nu",
}
_BAND = "(ntotal-ndense)*nband + ndense*ntotal"

# function -> argument -> shape; "*" holds for every function
SHAPES: dict[str, dict[str, str]] = {
    "mj_addM": {"dst": "nM", "rownnz": "nv", "rowadr": "nv", "colind": "nM"},
    "mj_angmomMat": {"mat": "3, nv"},
    "mj_applyFT": {"qfrc_target": "nv"},
    "mj_constraintUpdate": {"jar": "nefc"},
    "mj_defaultSolRefImp": {"solref": "mjNREF", "solimp": "mjNIMP"},
    "mj_differentiatePos": {"qvel": "nv", "qpos1": "nq", "qpos2": "nq"},
    "mj_fullM": {"dst": "nv, nv", "M": "nM"},
    "mj_integratePos": {"qpos": "nq", "qvel": "nv"},
    "mj_jac": _JACOBIAN,
    "mj_jacBody": _JACOBIAN,
    "mj_jacBodyCom": _JACOBIAN,
    "mj_jacDot": _JACOBIAN,
    "mj_jacGeom": _JACOBIAN,
    "mj_jacPointAxis": {"jacPoint": "3, nv", "jacAxis": "3, nv"},
    "mj_jacSite": _JACOBIAN,
    "mj_jacSubtreeCom": {"jacp": "3, nv"},
    "mj_getState": {"state": "mj_stateSize(m, sig)"},
    "mj_setState": {"state": "mj_stateSize(m, sig)"},
    "mj_mulJacTVec": {"res": "nv", "vec": "nefc"},
    "mj_mulJacVec": {"res": "nefc", "vec": "nv"},
    "mj_mulM": {"res": "nv", "vec": "nv"},
    "mj_mulM2": {"res": "nv", "vec": "nv"},
    "mj_normalizeQuat": {"qpos": "nq"},
    "mj_ray": {"geomgroup": "mjNGROUP"},
    "mj_rne": {"result": "nv"},
    "mj_solveM": {"x": "n, nv", "y": "n, nv"},
    "mj_solveM2": {"x": "n, nv", "y": "n, nv", "sqrtInvD": "nv"},
    "mjd_inverseFD": _INVERSE,
    "mjd_transitionFD": _TRANSITION,
    "mju_L1": VECTOR,
    "mju_add": VECTOR,
    "mju_addScl": VECTOR,
    "mju_addTo": VECTOR,
    "mju_addToScl": VECTOR,
    "mju_band2Dense": {"res": "ntotal, ntotal", "mat": _BAND},
    "mju_bandMulMatVec": {"res": "ntotal*nvec", "mat": _BAND, "vec": "ntotal*nvec"},
    "mju_boxQP": {
        "res": "n",
        "R": "n*(n+7)",
        "index": "n",
        "H": "n, n",
        "g": "n",
        "lower": "n",
        "upper": "n",
    },
    "mju_cholFactor": {"mat": "n, n"},
    "mju_cholFactorBand": {"mat": _BAND},
    "mju_cholSolve": {"res": "n", "mat": "n, n", "vec": "n"},
    "mju_cholSolveBand": {"res": "ntotal", "mat": _BAND, "vec": "ntotal"},
    "mju_cholUpdate": {"mat": "n, n", "x": "n"},
    "mju_copy": VECTOR,
    "mju_d2n": VECTOR,
    "mju_decodePyramid": {"force": "dim", "pyramid": "dim == 1 ? 1 : 2*(dim-1)", "mu": "dim-1"},
    "mju_dense2Band": {"res": _BAND, "mat": "ntotal, ntotal"},
    "mju_dense2sparse": {
        "res": "nnz",
        "mat": "nr, nc",
        "rownnz": "nr",
        "rowadr": "nr",
        "colind": "nnz",
    },
    "mju_dot": VECTOR,
    "mju_encodePyramid": {"pyramid": "dim == 1 ? 1 : 2*(dim-1)", "force": "dim", "mu": "dim-1"},
    "mju_eye": {"mat": "n, n"},
    "mju_f2n": VECTOR,
    "mju_fill": VECTOR,
    "mju_insertionSort": {"list": "n"},
    "mju_insertionSortInt": {"list": "n"},
    "mju_isZero": VECTOR,
    "mju_mulMatMat": {"res": "r1, c2", "mat1": "r1, c1", "mat2": "c1, c2"},
    "mju_mulMatMatT": {"res": "r1, r2", "mat1": "r1, c1", "mat2": "r2, c1"},
    "mju_mulMatTMat": {"res": "c1, c2", "mat1": "r1, c1", "mat2": "r1, c2"},
    "mju_mulMatTVec": {"res": "nc", "mat": "nr, nc", "vec": "nr"},
    "mju_mulMatVec": {"res": "nr", "mat": "nr, nc", "vec": "nc"},
    "mju_mulVecMatVec": {"vec1": "n", "mat": "n, n", "vec2": "n"},
    "mju_n2d": VECTOR,
    "mju_n2f": VECTOR,
    "mju_norm": VECTOR,
    "mju_normalize": VECTOR,
    "mju_printMat": {"mat": "nr, nc"},
    "mju_printMatSparse": {"mat": "nnz", "rownnz": "nr", "rowadr": "nr", "colind": "nnz"},
    "mju_rayFlex": {"pnt": "3", "vec": "3"},
    "mju_raySkin": {"face": "3*nface", "vert": "3*nvert"},
    "mju_scl": VECTOR,
    "mju_sparse2dense": {
        "res": "nr, nc",
        "mat": "nnz",
        "rownnz": "nr",
        "rowadr": "nr",
        "colind": "nnz",
    },
    "mju_sqrMatTD": {"res": "nc, nc", "mat": "nr, nc", "diag": "nr"},
    "mju_standardNormal": {"num2": "1"},
    "mju_sub": VECTOR,
    "mju_subFrom": VECTOR,
    "mju_sum": VECTOR,
    "mju_symmetrize": {"res": "n, n", "mat": "n, n"},
    "mju_transpose": {"res": "nc, nr", "mat": "nr, nc"},
    "mju_zero": VECTOR,
    "mju_sym2dense": {
        "res": "n, n",
        "mat": "nnz",
        "rownnz": "n",
        "rowadr": "n",
        "colind": "nnz",
    },
    "mj_extractState": {
        "src": "mj_stateSize(m, srcsig)",
        "dst": "mj_stateSize(m, dstsig)",
    },
    "cnd_forwardAba": {"qacc": "nv"},
    "cnd_transitionExact": _TRANSITION,
    "cnd_inverseExact": _INVERSE,
    "cnd_getState": {"state": "cnd_stateSize(m)"},
    "cnd_setState": {"state": "cnd_stateSize(m)"},
}

# pointers that may be NULL in C (nullable.py) but not None in Python
NEVER_NONE: dict[str, frozenset[str]] = {
    "mj_addM": frozenset({"rownnz", "rowadr", "colind"}),  # dst has another shape without them
}

# arrays that C declares without const although it only reads them
INPUTS: dict[str, frozenset[str]] = {
    "mj_addM": frozenset({"rownnz", "rowadr", "colind"}),
}

# functions that also tell a normal: C functions with an argument more, the last one
WITH_NORMAL = {
    "mj_ray": "cnd_rayNormal",
    "mj_rayHfield": "cnd_rayHfieldNormal",
    "mj_rayMesh": "cnd_rayMeshNormal",
    "mju_rayGeom": "cnd_rayGeomNormal",
}

# functions whose results are others in later releases: the C functions of these
LATER = {
    "mju_cholFactor": "cnd_cholFactor",
    "mju_cholFactorBand": "cnd_cholFactorBand",
    "mju_eig3": "cnd_eig3",
    "mju_round": "cnd_roundAway",
    "mjv_applyPerturbForce": "cnd_applyPerturbForce",
}

# arguments that may be left out: they are None
OMISSIBLE: dict[str, frozenset[str]] = {
    **{name: frozenset({"normal"}) for name in WITH_NORMAL},
    "mj_rayFlex": frozenset({"vertid", "normal"}),
}

# arguments that are bits of mjtState
STATES = frozenset({"sig", "srcsig", "dstsig"})

# argument names that are words of Python
RENAMED = {"from": "from_"}

# functions whose arrays of indices are looked at before the call: C++ text, true if they are good
CHECKS: dict[str, tuple[str, str]] = {
    "mju_sparse2dense": (
        "sparse_is_sound(rownnz, rowadr, colind, nr, nc, nnz)",
        "rownnz, rowadr and colind should describe a matrix of nr rows and nc columns",
    ),
    "mju_sym2dense": (
        "sparse_is_sound(rownnz, rowadr, colind, n, n, nnz)",
        "rownnz, rowadr and colind should describe a matrix of n rows and columns",
    ),
    "mju_printMatSparse": (
        "sparse_is_sound(rownnz, rowadr, colind, nr, INT_MAX, nnz)",
        "rownnz, rowadr and colind should describe a matrix of nr rows",
    ),
    "mj_addM": (
        "sparse_is_sound(rownnz, rowadr, colind, m->nv, m->nv, m->nM)",
        "rownnz, rowadr and colind should describe a matrix of nv rows",
    ),
    "mju_raySkin": (
        "indices_are_sound(face, 3 * nface, nvert)",
        "face should hold numbers of vertices",
    ),
    "mjv_cameraFrame": (
        "camera_is_sound(cam, d ? m : nullptr)",
        "cam should be fixed to a camera or follow a body of the model",
    ),
    "mju_cholFactorBand": ("band_is_sound(ntotal, nband, ndense)", "the band is impossible"),
    "mju_cholSolveBand": ("band_is_sound(ntotal, nband, ndense)", "the band is impossible"),
    "mju_band2Dense": ("band_is_sound(ntotal, nband, ndense)", "the band is impossible"),
    "mju_dense2Band": ("band_is_sound(ntotal, nband, ndense)", "the band is impossible"),
    "mju_bandMulMatVec": (
        "band_is_sound(ntotal, nband, ndense) && nvec >= 0",
        "the band is impossible",
    ),
}

# numbers of objects that the engine does not look at: function -> argument -> their count
INDICES: dict[str, dict[str, str]] = {
    "mj_local2Global": {"body": "nbody"},
}

# functions written by hand in functions/by_hand.cc, under the same name
BY_HAND: dict[str, ByHand] = {
    "mj_step": ByHand(
        "Advances the simulation by nstep steps; zero or less does nothing.",
        "(m: MjModel, d: MjData, nstep: int = 1) -> None",
    ),
    "mj_fullM": ByHand(
        "Writes the inertia matrix, dense (nv x nv), from its sparse form qM. Also called as "
        "mj_fullM(m, d, dst).",
        "(m: MjModel, dst: NDArray[np.float64], M: ArrayLike) -> None",
        "(m: MjModel, dst: MjData, M: NDArray[np.float64]) -> None",
    ),
    "mj_saveModel": ByHand(
        "Writes the model in the binary format, to a file or to a uint8 array of at least "
        "mj_sizeModel(m).",
        "(m: MjModel, filename: str | None = None, buffer: NDArray[np.uint8] | None = None) "
        "-> None",
    ),
    "mj_saveLastXML": ByHand(
        "Writes the model that was last loaded from XML, with the numbers of m, to a file; None: "
        "to the standard output.",
        "(filename: str | None, m: MjModel) -> None",
    ),
    "mj_loadTexture": ByHand(
        "Reads the pixels of a texture, of its file if the model names only that. Returns them "
        "(height, width, channels) and the color space. ValueError: it can't be read.",
        "(m: MjModel, id: int) -> tuple[NDArray[np.uint8], int]",
    ),
    "mj_embedAssets": ByHand(
        "A copy of the model with the pixels of all textures whose files alone it names. "
        "ValueError: one can't be read.",
        "(m: MjModel) -> MjModel",
    ),
    "mj_setLengthRange": ByHand(
        "Finds the lengths between which an actuator can move.",
        "(m: MjModel, d: MjData, index: int, opt: MjLROpt | None) -> None",
    ),
    "mj_printSchema": ByHand(
        "The grammar of MJCF.",
        "(flg_html: bool, flg_pad: bool) -> str",
    ),
    "mju_getXMLDependencies": ByHand(
        "All files that an MJCF file depends on, itself first.",
        "(filename: str) -> list[str]",
    ),
    "mj_loadAllPluginLibraries": ByHand(
        "Loads every shared library in a directory.",
        "(directory: str) -> None",
    ),
    "mj_getCache": ByHand("The cache of assets.", "() -> Any"),
    "mj_getCacheSize": ByHand("Bytes that the cache holds.", "(cache: Any) -> int"),
    "mj_getCacheCapacity": ByHand("Bytes that the cache may hold.", "(cache: Any) -> int"),
    "mj_setCacheCapacity": ByHand(
        "Sets the bytes that the cache may hold.",
        "(cache: Any, size: int) -> int",
    ),
    "mj_clearCache": ByHand("Drops everything from the cache.", "(cache: Any) -> None"),
    "mj_resetCallbacks": ByHand("Removes all callbacks of the engine (mjcb_).", "() -> None"),
    "mj_geomDistance": ByHand(
        "The distance between two geoms, at most distmax; fromto receives the closest points.",
        "(m: MjModel, d: MjData, geom1: int, geom2: int, distmax: float, "
        "fromto: NDArray[np.float64] | None) -> float",
    ),
    "mju_standardNormal": ByHand(
        "A sample of the standard normal distribution; num2, an array of one number, receives a "
        "second one.",
        "(num2: NDArray[np.float64] | float | None) -> float",
    ),
    "mj_copyData": ByHand(
        "Copies the data of a model to others of it.",
        "(dest: MjData, m: MjModel, src: MjData) -> None",
    ),
    "mj_multiRay": ByHand(
        "mj_ray for nray rays from one point. Also called with normals, (3*nray,) or None, before "
        "nray.",
        "(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, "
        "flg_static: int, bodyexclude: int, geomid: NDArray[np.int32], dist: NDArray[np.float64], "
        "nray: int, cutoff: float) -> None",
        "(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, "
        "flg_static: int, bodyexclude: int, geomid: NDArray[np.int32], dist: NDArray[np.float64], "
        "normal: NDArray[np.float64] | None, nray: int, cutoff: float) -> None",
    ),
    "mj_readCtrl": ByHand(
        "The control of an actuator at a time, in result; models have no history, so it is the "
        "present one.",
        "(m: MjModel, d: MjData, id: int, time: float, result: NDArray[np.float64], interp: int) "
        "-> NDArray[np.float64]",
    ),
    "mj_readSensor": ByHand(
        "The values of a sensor at a time, in result; models have no history, so they are the "
        "present ones.",
        "(m: MjModel, d: MjData, id: int, time: float, result: NDArray[np.float64], interp: int) "
        "-> NDArray[np.float64]",
    ),
    "mj_initCtrlHistory": ByHand(
        "Always an error: models have no history.",
        "(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike) -> None",
    ),
    "mj_initSensorHistory": ByHand(
        "Always an error: models have no history.",
        "(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike, "
        "phase: float) -> None",
    ),
    "mjv_moveCamera": ByHand(
        "Moves a camera that is the mouse's by an action. Also called without the scene.",
        "(m: MjModel, action: int, reldx: float, reldy: float, scn: MjvScene, cam: MjvCamera) "
        "-> None",
        "(m: MjModel, action: int, reldx: float, reldy: float, scn: MjvCamera) -> None",
    ),
    "mjr_readPixels": ByHand(
        "Reads colors and depths (0 to 1) of a viewport, lowest row first. Arrays have any shape, "
        "with 3 numbers or one for each pixel.",
        "(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, "
        "con: MjrContext) -> None",
    ),
    "mjr_drawPixels": ByHand(
        "Draws colors and depths (0 to 1) into a viewport, lowest row first. Arrays have any "
        "shape, with 3 numbers or one for each pixel.",
        "(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, "
        "con: MjrContext) -> None",
    ),
    "mjr_findRect": ByHand(
        "Returns the number of the first of nrect rectangles that a pixel is in, -1 if there is "
        "none. One rectangle or a sequence.",
        "(x: int, y: int, nrect: int, rect: MjrRect | Sequence[MjrRect]) -> int",
    ),
}

# functions without a place in Python, by the beginning of their names, with the reason
EXCLUDED: dict[str, str] = {
    "mj_loadXML": "MjModel.from_xml_path",
    "mj_loadModel": "MjModel.from_binary_path",
    "mj_parse": "MjSpec.from_file, from_string",
    "mj_encode": "MjSpec.encode",
    "mj_compile": "MjSpec.compile",
    "mj_recompile": "MjSpec.recompile",
    "mj_copyBack": "MjSpec",
    "mj_copySpec": "MjSpec.copy",
    "mj_makeSpec": "MjSpec()",
    "mj_deleteSpec": "MjSpec",
    "mj_saveXML": "MjSpec.to_xml, to_file",
    "mj_setAttachCopy": "MjSpec.copy_during_attach",
    "mj_setDeepCopy": "MjSpec.copy_during_attach",
    "mj_freeLastXML": "nothing to free",
    "mj_copyModel": "copy.copy",
    "mj_deleteModel": "the garbage collector",
    "mj_makeData": "MjData(model)",
    "mj_deleteData": "the garbage collector",
    "mj_markStack": "the stack of the engine",
    "mj_freeStack": "the stack of the engine",
    "mj_stackAlloc": "the stack of the engine",
    "mj_defaultVFS": "assets",
    "mj_addFileVFS": "assets",
    "mj_addBufferVFS": "assets",
    "mj_deleteFileVFS": "assets",
    "mj_deleteVFS": "assets",
    "mj_containsBufferVFS": "MjVfs",
    "mj_containsFileVFS": "MjVfs",
    "mj_mountVFS": "providers are written in C",
    "mj_unmountVFS": "providers are written in C",
    "cnd_matchLastVFS": "MjVfs",
    "cnd_sealVFS": "assets",
    "mj_getPluginConfig": "MjsPlugin.config",
    "mj_warning": "the engine's own",
    "mjs_": "MjSpec",
    "mjp_": "plugins are written in C",
    "mjc_": "internal",
    "mjv_makeScene": "MjvScene(model, maxgeom)",
    "mjv_freeScene": "MjvScene",
    "mjv_copyModel": "copy.copy",
    "mjv_copyData": "copy.copy",
    "mjv_defaultScene": "MjvScene()",
    "cnd_makeGL": "GLContext",
    "cnd_currentGL": "GLContext.make_current",
    "cnd_backendGL": "GLContext",
    "cnd_freeGL": "GLContext.free",
    "mjr_makeContext": "MjrContext",
    "mjr_freeContext": "MjrContext.free",
    "mjr_defaultContext": "MjrContext()",
    "mjui_": "the user interface in C",
    "mju_malloc": "Python has its own",
    "mju_free": "Python has its own",
    "mju_error": "exceptions",
    "mju_warning_": "warnings",
    "mju_warning(": "warnings",
    "mju_setLog": "MjLogConfig.set",
    "mju_getLog": "MjLogConfig.get",
    "mju_info": "logging",
    "mju_message": "logging",
    "mju_openResource": "open",
    "mju_closeResource": "open",
    "mju_readResource": "open",
    "mju_writeResource": "open",
    "mju_getResourceDir": "os.path.dirname",
    "mju_isModifiedResource": "os.stat",
    "mju_decodeResource": "MjSpec.from_file",
    "mju_clearHandlers": "set_mju_user_warning(None)",
    "mju_strncpy": "Python has its own",
    "mju_boxQPmalloc": "NumPy",
    "mju_threadPool": "rollout",
    "mju_bindThreadPool": "rollout",
    "mju_taskJoin": "rollout",
    "mju_defaultTask": "rollout",
    "mju_cholFactorSymbolic": "not in the module",
    "mjr_defaultRendererInfo": "there is one renderer",
    "mjr_getRendererInfo": "there is one renderer",
    "cnd_makeDiagnostics": "ModelError.diagnostics",
    "cnd_deleteDiagnostics": "ModelError.diagnostics",
    "cnd_diagnostic": "ModelError.diagnostics",
    "cnd_formatDiagnostic": "ModelError.diagnostics",
    "cnd_specDiagnostics": "MjSpec.diagnostics",
    "cnd_parseXML": "MjSpec.from_file",
    "cnd_loadXML": "MjModel.from_xml_path",
    "cnd_resizeBuffer": "vectors of a spec",
}

# lengths that stay arguments although a shape names them
STAYS: dict[str, frozenset[str]] = {
    "mj_getState": frozenset({"sig"}),
    "mj_setState": frozenset({"sig"}),
    "mj_extractState": frozenset({"srcsig", "dstsig"}),
    "mju_raySkin": frozenset({"nface", "nvert"}),
    **{
        name: frozenset({"ntotal", "nband", "ndense", "nvec"})
        for name in (
            "mju_band2Dense",
            "mju_bandMulMatVec",
            "mju_cholFactorBand",
            "mju_cholSolveBand",
            "mju_dense2Band",
        )
    },
}

# shapes of arrays that have the same one wherever they occur
FIXED = {"vertid": "1", "geomgroup": "mjNGROUP", "fromto": "6"}

# own functions of the engine without arrays
PLAIN = frozenset(
    {"cnd_layoutRows", "cnd_limitMemory", "cnd_solverResidual", "cnd_stateSize", "cnd_version"}
)
