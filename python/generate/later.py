"""Enums and texts of release 4.0.0 that 3.3.7 does not have, or numbers otherwise.

Members that the headers have, too, are found by their names: the engine has its own numbers.
"""

from __future__ import annotations

__all__ = ["ENUMS", "NUMBERS", "TEXTS", "enum_members"]

# members of enums as words: a name, its number, the next name ...
ENUMS: dict[str, str] = {
    "mjrIndexType": "mjINDEX_TYPE_U16 0 mjINDEX_TYPE_U32 1",
    "mjrMeshPrimitiveType": "mjMESH_PRIMITIVE_TYPE_TRIANGLES 0 mjMESH_PRIMITIVE_TYPE_LINES 1",
    "mjrPixelFormat": (
        "mjPIXEL_FORMAT_UNKNOWN 0 mjPIXEL_FORMAT_R8 1 mjPIXEL_FORMAT_RGB8 2 mjPIXEL_FORMAT_RGBA8 "
        "3 mjPIXEL_FORMAT_R32F 4 mjPIXEL_FORMAT_DEPTH32F 5 mjPIXEL_FORMAT_KTX 6"
    ),
    "mjrVertexAttributeType": (
        "mjVERTEX_ATTRIBUTE_TYPE_FLOAT2 0 mjVERTEX_ATTRIBUTE_TYPE_FLOAT3 1 "
        "mjVERTEX_ATTRIBUTE_TYPE_FLOAT4 2 mjVERTEX_ATTRIBUTE_TYPE_UBYTE4 3"
    ),
    "mjrVertexAttributeUsage": (
        "mjVERTEX_ATTRIBUTE_USAGE_POSITION 0 mjVERTEX_ATTRIBUTE_USAGE_NORMAL 1 "
        "mjVERTEX_ATTRIBUTE_USAGE_TANGENTS 2 mjVERTEX_ATTRIBUTE_USAGE_UV 3 "
        "mjVERTEX_ATTRIBUTE_USAGE_COLOR 4"
    ),
    "mjtActuator": (
        "mjACTUATOR_GENERAL 0 mjACTUATOR_MOTOR 1 mjACTUATOR_POSITION 2 mjACTUATOR_VELOCITY 3 "
        "mjACTUATOR_INTVELOCITY 4 mjACTUATOR_DAMPER 5 mjACTUATOR_CYLINDER 6 mjACTUATOR_MUSCLE 7 "
        "mjACTUATOR_ADHESION 8 mjACTUATOR_PID 9 mjACTUATOR_ORIENTATION 10 mjACTUATOR_DCMOTOR 11"
    ),
    "mjtBias": (
        "mjBIAS_NONE 0 mjBIAS_AFFINE 1 mjBIAS_MUSCLE 2 mjBIAS_DCMOTOR 3 mjBIAS_SO3 4 mjBIAS_USER 5"
    ),
    "mjtConDataField": (
        "mjCONDATA_FOUND 0 mjCONDATA_FORCE 1 mjCONDATA_TORQUE 2 mjCONDATA_DIST 3 mjCONDATA_POS 4 "
        "mjCONDATA_NORMAL 5 mjCONDATA_TANGENT 6 mjCONDATA_LINVEL 7 mjCONDATA_ANGVEL 8 mjNCONDATA "
        "9"
    ),
    "mjtCtrlChart": "mjCHART_EXPMAP 1 mjCHART_QUAT 2",
    "mjtCtrlInput": (
        "mjINPUT_POS 1 mjINPUT_VEL 2 mjINPUT_FF 4 mjINPUT_VOLTAGE 8 mjINPUT_NONE 16 "
        "mjINPUT_PRESSURE 32"
    ),
    "mjtDisableBit": (
        "mjDSBL_CONSTRAINT 1 mjDSBL_EQUALITY 2 mjDSBL_FRICTIONLOSS 4 mjDSBL_LIMIT 8 "
        "mjDSBL_CONTACT 16 mjDSBL_SPRING 32 mjDSBL_DAMPER 64 mjDSBL_GRAVITY 128 mjDSBL_CLAMPCTRL "
        "256 mjDSBL_WARMSTART 512 mjDSBL_FILTERPARENT 1024 mjDSBL_ACTUATION 2048 mjDSBL_REFSAFE "
        "4096 mjDSBL_SENSOR 8192 mjDSBL_MIDPHASE 16384 mjDSBL_EULERDAMP 32768 mjDSBL_AUTORESET "
        "65536 mjDSBL_NATIVECCD 131072 mjDSBL_ISLAND 262144 mjDSBL_MULTICCD 524288 mjNDISABLE 20"
    ),
    "mjtDyn": (
        "mjDYN_NONE 0 mjDYN_INTEGRATOR 1 mjDYN_FILTER 2 mjDYN_FILTEREXACT 3 mjDYN_MUSCLE 4 "
        "mjDYN_DCMOTOR 5 mjDYN_PID 6 mjDYN_USER 7"
    ),
    "mjtEmbed": "mjEMBED_FALSE 0 mjEMBED_TRUE 1 mjEMBED_AUTO 2",
    "mjtEnableBit": (
        "mjENBL_OVERRIDE 1 mjENBL_ENERGY 2 mjENBL_FWDINV 4 mjENBL_INVDISCRETE 8 mjENBL_SLEEP 16 "
        "mjENBL_DIAGEXACT 32 mjENBL_IPC 64 mjENBL_SPECULATIVE 128 mjNENABLE 8"
    ),
    "mjtEq": (
        "mjEQ_CONNECT 0 mjEQ_WELD 1 mjEQ_JOINT 2 mjEQ_TENDON 3 mjEQ_FLEX 4 mjEQ_FLEXVERT 5 "
        "mjEQ_FLEXSTRAIN 6 mjEQ_DISTANCE 7"
    ),
    "mjtFlexSection": "mjFLEXSECTION_CIRCLE 0 mjFLEXSECTION_BOX 1",
    "mjtGain": (
        "mjGAIN_FIXED 0 mjGAIN_AFFINE 1 mjGAIN_MUSCLE 2 mjGAIN_DCMOTOR 3 mjGAIN_SO3 4 mjGAIN_PID "
        "5 mjGAIN_USER 6"
    ),
    "mjtIntegrator": (
        "mjINT_EULER 0 mjINT_RK4 1 mjINT_IMPLICIT 2 mjINT_IMPLICITFAST 3 mjINT_DISCRETE 4"
    ),
    "mjtPassthrough": "mjPASSTHROUGH_NONE 0 mjPASSTHROUGH_TEXTURES 1",
    "mjtRayDataField": (
        "mjRAYDATA_DIST 0 mjRAYDATA_DIR 1 mjRAYDATA_ORIGIN 2 mjRAYDATA_POINT 3 mjRAYDATA_NORMAL 4 "
        "mjRAYDATA_DEPTH 5 mjNRAYDATA 6"
    ),
    "mjtRndFlag": (
        "mjRND_SHADOW 0 mjRND_WIREFRAME 1 mjRND_REFLECTION 2 mjRND_ADDITIVE 3 mjRND_SKYBOX 4 "
        "mjRND_FOG 5 mjRND_HAZE 6 mjRND_DEPTH 7 mjRND_SEGMENT 8 mjRND_IDCOLOR 9 mjRND_CULL_FACE "
        "10 mjRND_POST_PROCESSING 11 mjNRNDFLAG 12"
    ),
    "mjtScaling": "mjSCALING_SIMILAR 0 mjSCALING_GEOMETRY 1",
    "mjtSleepPolicy": (
        "mjSLEEP_AUTO 0 mjSLEEP_AUTO_NEVER 1 mjSLEEP_AUTO_ALLOWED 2 mjSLEEP_NEVER 3 "
        "mjSLEEP_ALLOWED 4 mjSLEEP_INIT 5"
    ),
    "mjtSleepState": "mjS_STATIC -1 mjS_ASLEEP 0 mjS_AWAKE 1",
    "mjtState": (
        "mjSTATE_TIME 1 mjSTATE_QPOS 2 mjSTATE_QVEL 4 mjSTATE_ACT 8 mjSTATE_HISTORY 16 "
        "mjSTATE_WARMSTART 32 mjSTATE_CTRL 64 mjSTATE_QFRC_APPLIED 128 mjSTATE_XFRC_APPLIED 256 "
        "mjSTATE_EQ_ACTIVE 512 mjSTATE_MOCAP_POS 1024 mjSTATE_MOCAP_QUAT 2048 mjSTATE_USERDATA "
        "4096 mjSTATE_PLUGIN 8192 mjSTATE_PLASTIC 16384 mjNSTATE 15 mjSTATE_PHYSICS 16414 "
        "mjSTATE_FULLPHYSICS 24607 mjSTATE_USER 8128 mjSTATE_INTEGRATION 32767"
    ),
    "mjtTendon": "mjTENDON_FIXED 0 mjTENDON_SPATIAL 1",
    "mjtTrn": (
        "mjTRN_JOINT 0 mjTRN_JOINTINPARENT 1 mjTRN_SLIDERCRANK 2 mjTRN_TENDON 3 mjTRN_SITE 4 "
        "mjTRN_BODY 5 mjTRN_SO3 6 mjTRN_UNDEFINED 1000"
    ),
    "mjtWarning": (
        "mjWARN_INERTIA 0 mjWARN_CONTACTFULL 1 mjWARN_CNSTRFULL 2 mjWARN_BADQPOS 3 mjWARN_BADQVEL "
        "4 mjWARN_BADQACC 5 mjWARN_BADCTRL 6 mjNWARNING 7"
    ),
}

# how mj_setConst treats a field: it reads it, writes it, or both
NUMBERS: dict[str, int] = {"mjSC_IN": 1, "mjSC_OUT": 2, "mjSC_INOUT": 3}

# texts of flags, as the constants of their names
TEXTS: dict[str, tuple[object, ...]] = {
    "mjDISABLESTRING": (
        "Constraint",
        "Equality",
        "Frictionloss",
        "Limit",
        "Contact",
        "Spring",
        "Damper",
        "Gravity",
        "Clampctrl",
        "Warmstart",
        "Filterparent",
        "Actuation",
        "Refsafe",
        "Sensor",
        "Midphase",
        "Eulerdamp",
        "AutoReset",
        "NativeCCD",
        "Island",
        "MultiCCD",
    ),
    "mjENABLESTRING": (
        "Override",
        "Energy",
        "Fwdinv",
        "InvDiscrete",
        "Sleep",
        "DiagExact",
        "IPC",
        "Speculative",
    ),
    "mjRNDSTRING": (
        ("Shadow", "1", "S"),
        ("Wireframe", "0", "W"),
        ("Reflection", "1", "R"),
        ("Additive", "0", "L"),
        ("Skybox", "1", "K"),
        ("Fog", "0", "G"),
        ("Haze", "1", "/"),
        ("Depth", "0", ""),
        ("Segment", "0", ","),
        ("Id Color", "0", ""),
        ("Cull Face", "1", ""),
        ("Post Processing", "1", ""),
    ),
}


def enum_members() -> dict[str, dict[str, int]]:
    """Names and numbers of the members, by enum."""
    split = {name: text.split() for name, text in ENUMS.items()}
    return {
        name: dict(zip(words[::2], map(int, words[1::2]), strict=True))
        for name, words in split.items()
    }
