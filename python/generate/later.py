"""Enums and texts of release 4.0.0 that 3.3.7 does not have, or numbers otherwise.

Members that the headers have, too, are found by their names: the engine has its own numbers.
"""

from __future__ import annotations

__all__ = ["ENUMS", "NUMBERS", "TEXTS", "enum_members"]

# members of enums as words: what their names begin with, a name, its number, the next name ...;
# names that begin with mj are whole
ENUMS: dict[str, str] = {
    "mjrIndexType": "mjINDEX_TYPE_ U16 0 U32 1",
    "mjrMeshPrimitiveType": "mjMESH_PRIMITIVE_TYPE_ TRIANGLES 0 LINES 1",
    "mjrPixelFormat": "mjPIXEL_FORMAT_ UNKNOWN 0 R8 1 RGB8 2 RGBA8 3 R32F 4 DEPTH32F 5 KTX 6",
    "mjrVertexAttributeType": "mjVERTEX_ATTRIBUTE_TYPE_ FLOAT2 0 FLOAT3 1 FLOAT4 2 UBYTE4 3",
    "mjrVertexAttributeUsage": (
        "mjVERTEX_ATTRIBUTE_USAGE_ POSITION 0 NORMAL 1 TANGENTS 2 UV 3 COLOR 4"
    ),
    "mjtActuator": (
        "mjACTUATOR_ GENERAL 0 MOTOR 1 POSITION 2 VELOCITY 3 INTVELOCITY 4 DAMPER 5 CYLINDER 6 "
        "MUSCLE 7 ADHESION 8 PID 9 ORIENTATION 10 DCMOTOR 11"
    ),
    "mjtBias": "mjBIAS_ NONE 0 AFFINE 1 MUSCLE 2 DCMOTOR 3 SO3 4 USER 5",
    "mjtConDataField": (
        "mjCONDATA_ FOUND 0 FORCE 1 TORQUE 2 DIST 3 POS 4 NORMAL 5 TANGENT 6 LINVEL 7 ANGVEL 8 "
        "mjNCONDATA 9"
    ),
    "mjtCtrlChart": "mjCHART_ EXPMAP 1 QUAT 2",
    "mjtCtrlInput": "mjINPUT_ POS 1 VEL 2 FF 4 VOLTAGE 8 NONE 16 PRESSURE 32",
    "mjtDisableBit": (
        "mjDSBL_ CONSTRAINT 1 EQUALITY 2 FRICTIONLOSS 4 LIMIT 8 CONTACT 16 SPRING 32 DAMPER 64 "
        "GRAVITY 128 CLAMPCTRL 256 WARMSTART 512 FILTERPARENT 1024 ACTUATION 2048 REFSAFE 4096 "
        "SENSOR 8192 MIDPHASE 16384 EULERDAMP 32768 AUTORESET 65536 NATIVECCD 131072 ISLAND "
        "262144 MULTICCD 524288 mjNDISABLE 20"
    ),
    "mjtDyn": "mjDYN_ NONE 0 INTEGRATOR 1 FILTER 2 FILTEREXACT 3 MUSCLE 4 DCMOTOR 5 PID 6 USER 7",
    "mjtEmbed": "mjEMBED_ FALSE 0 TRUE 1 AUTO 2",
    "mjtEnableBit": (
        "mjENBL_ OVERRIDE 1 ENERGY 2 FWDINV 4 INVDISCRETE 8 SLEEP 16 DIAGEXACT 32 IPC 64 "
        "SPECULATIVE 128 mjNENABLE 8"
    ),
    "mjtEq": "mjEQ_ CONNECT 0 WELD 1 JOINT 2 TENDON 3 FLEX 4 FLEXVERT 5 FLEXSTRAIN 6 DISTANCE 7",
    "mjtFlexSection": "mjFLEXSECTION_ CIRCLE 0 BOX 1",
    "mjtGain": "mjGAIN_ FIXED 0 AFFINE 1 MUSCLE 2 DCMOTOR 3 SO3 4 PID 5 USER 6",
    "mjtIntegrator": "mjINT_ EULER 0 RK4 1 IMPLICIT 2 IMPLICITFAST 3 DISCRETE 4",
    "mjtPassthrough": "mjPASSTHROUGH_ NONE 0 TEXTURES 1",
    "mjtRayDataField": "mjRAYDATA_ DIST 0 DIR 1 ORIGIN 2 POINT 3 NORMAL 4 DEPTH 5 mjNRAYDATA 6",
    "mjtRndFlag": (
        "mjRND_ SHADOW 0 WIREFRAME 1 REFLECTION 2 ADDITIVE 3 SKYBOX 4 FOG 5 HAZE 6 DEPTH 7 "
        "SEGMENT 8 IDCOLOR 9 CULL_FACE 10 POST_PROCESSING 11 mjNRNDFLAG 12"
    ),
    "mjtScaling": "mjSCALING_ SIMILAR 0 GEOMETRY 1",
    "mjtSleepPolicy": "mjSLEEP_ AUTO 0 AUTO_NEVER 1 AUTO_ALLOWED 2 NEVER 3 ALLOWED 4 INIT 5",
    "mjtSleepState": "mjS_ STATIC -1 ASLEEP 0 AWAKE 1",
    "mjtState": (
        "mjSTATE_ TIME 1 QPOS 2 QVEL 4 ACT 8 HISTORY 16 WARMSTART 32 CTRL 64 QFRC_APPLIED 128 "
        "XFRC_APPLIED 256 EQ_ACTIVE 512 MOCAP_POS 1024 MOCAP_QUAT 2048 USERDATA 4096 PLUGIN 8192 "
        "PLASTIC 16384 mjNSTATE 15 PHYSICS 16414 FULLPHYSICS 24607 USER 8128 INTEGRATION 32767"
    ),
    "mjtTendon": "mjTENDON_ FIXED 0 SPATIAL 1",
    "mjtTrn": (
        "mjTRN_ JOINT 0 JOINTINPARENT 1 SLIDERCRANK 2 TENDON 3 SITE 4 BODY 5 SO3 6 UNDEFINED 1000"
    ),
    "mjtWarning": (
        "mjWARN_ INERTIA 0 CONTACTFULL 1 CNSTRFULL 2 BADQPOS 3 BADQVEL 4 BADQACC 5 BADCTRL 6 "
        "mjNWARNING 7"
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
    enums = {}
    for enum, text in ENUMS.items():
        prefix, *words = text.split()
        names = (word if word.startswith("mj") else prefix + word for word in words[::2])
        enums[enum] = dict(zip(names, map(int, words[1::2]), strict=True))
    return enums
