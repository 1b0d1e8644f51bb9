// schema_keywords.h: the words of keyword attributes and their values, a part of the table in
// schema.c. Only schema.c includes it, after schema.h. The third column marks words that this
// version can't use. [theory/model/format.md, Keywords]

#pragma once

#include <mujoco/mjmodel.h>

#include "sensor/functions.h"

// clang-format off

#define LAST {NULL, 0}

static const SchemaKey bools[] = {{"false", 0}, {"true", 1}, LAST};
static const SchemaKey trivalue[] = {{"false", 0}, {"true", 1}, {"auto", 2}, LAST};
static const SchemaKey headlights[] = {
  {"0", 0}, {"1", 1}, {"2", 2}, {"false", 0}, {"true", 1}, {"auto", 2}, LAST};
static const SchemaKey false_or_auto[] = {{"false", 0}, {"auto", 1}, LAST};
static const SchemaKey sleeps[] = {
  {"auto", mjSLEEP_AUTO}, {"never", mjSLEEP_NEVER}, {"allowed", mjSLEEP_ALLOWED}, {"init", mjSLEEP_INIT}, LAST};
static const SchemaKey conflicts[] = {
  {"warning", mjCONFLICT_WARNING}, {"merge", mjCONFLICT_MERGE}, {"error", mjCONFLICT_ERROR}, LAST};
static const SchemaKey passthroughs[] = {
  {"none", mjPASSTHROUGH_NONE}, {"textures", mjPASSTHROUGH_TEXTURES}, LAST};
static const SchemaKey scalings[] = {
  {"similar", mjSCALING_SIMILAR}, {"geometry", mjSCALING_GEOMETRY}, LAST};
static const SchemaKey disables[] = {{"disable", 1}, {"enable", 0}, LAST};
static const SchemaKey enables[] = {{"disable", 0}, {"enable", 1}, LAST};
static const SchemaKey refused[] = {{"disable", 0}, LAST};

static const SchemaKey joint_types[] = {
  {"free", mjJNT_FREE}, {"ball", mjJNT_BALL}, {"slide", mjJNT_SLIDE}, {"hinge", mjJNT_HINGE}, LAST};
static const SchemaKey geom_types[] = {
  {"plane", mjGEOM_PLANE}, {"hfield", mjGEOM_HFIELD}, {"sphere", mjGEOM_SPHERE}, {"capsule", mjGEOM_CAPSULE},
  {"ellipsoid", mjGEOM_ELLIPSOID}, {"cylinder", mjGEOM_CYLINDER}, {"box", mjGEOM_BOX}, {"mesh", mjGEOM_MESH},
  {"sdf", mjGEOM_SDF}, LAST};
static const SchemaKey site_types[] = {
  {"plane", mjGEOM_PLANE}, {"hfield", mjGEOM_HFIELD}, {"sphere", mjGEOM_SPHERE}, {"capsule", mjGEOM_CAPSULE},
  {"ellipsoid", mjGEOM_ELLIPSOID}, {"cylinder", mjGEOM_CYLINDER}, {"box", mjGEOM_BOX}, {"mesh", mjGEOM_MESH},
  {"sdf", mjGEOM_SDF}, LAST};
static const SchemaKey camlight_modes[] = {
  {"fixed", mjCAMLIGHT_FIXED}, {"track", mjCAMLIGHT_TRACK}, {"trackcom", mjCAMLIGHT_TRACKCOM},
  {"targetbody", mjCAMLIGHT_TARGETBODY}, {"targetbodycom", mjCAMLIGHT_TARGETBODYCOM}, LAST};
static const SchemaKey projections[] = {
  {"perspective", mjPROJ_PERSPECTIVE}, {"orthographic", mjPROJ_ORTHOGRAPHIC}, LAST};
static const SchemaKey light_types[] = {
  {"spot", mjLIGHT_SPOT}, {"directional", mjLIGHT_DIRECTIONAL}, {"point", mjLIGHT_POINT},
  {"image", mjLIGHT_IMAGE}, LAST};
static const SchemaKey texture_roles[] = {
  {"rgb", mjTEXROLE_RGB}, {"occlusion", mjTEXROLE_OCCLUSION}, {"roughness", mjTEXROLE_ROUGHNESS},
  {"metallic", mjTEXROLE_METALLIC}, {"normal", mjTEXROLE_NORMAL}, {"opacity", mjTEXROLE_OPACITY},
  {"emissive", mjTEXROLE_EMISSIVE}, {"rgba", mjTEXROLE_RGBA}, {"orm", mjTEXROLE_ORM}, LAST};
static const SchemaKey integrators[] = {
  {"Euler", mjINT_EULER}, {"RK4", mjINT_RK4}, {"implicit", mjINT_IMPLICIT},
  {"implicitfast", mjINT_IMPLICITFAST}, {"discrete", mjINT_DISCRETE}, LAST};
static const SchemaKey cones[] = {{"pyramidal", mjCONE_PYRAMIDAL}, {"elliptic", mjCONE_ELLIPTIC}, LAST};
static const SchemaKey jacobians[] = {{"dense", mjJAC_DENSE}, {"sparse", mjJAC_SPARSE}, {"auto", mjJAC_AUTO}, LAST};
static const SchemaKey solvers[] = {{"PGS", mjSOL_PGS}, {"CG", mjSOL_CG}, {"Newton", mjSOL_NEWTON}, LAST};
static const SchemaKey texture_types[] = {
  {"2d", mjTEXTURE_2D}, {"cube", mjTEXTURE_CUBE}, {"skybox", mjTEXTURE_SKYBOX}, LAST};
static const SchemaKey colorspaces[] = {
  {"auto", mjCOLORSPACE_AUTO}, {"linear", mjCOLORSPACE_LINEAR}, {"sRGB", mjCOLORSPACE_SRGB}, LAST};
static const SchemaKey texture_builtins[] = {
  {"none", mjBUILTIN_NONE}, {"gradient", mjBUILTIN_GRADIENT}, {"checker", mjBUILTIN_CHECKER},
  {"flat", mjBUILTIN_FLAT}, LAST};
static const SchemaKey texture_marks[] = {
  {"none", mjMARK_NONE}, {"edge", mjMARK_EDGE}, {"cross", mjMARK_CROSS}, {"random", mjMARK_RANDOM}, LAST};
static const SchemaKey lengthrange_modes[] = {
  {"none", mjLRMODE_NONE}, {"muscle", mjLRMODE_MUSCLE}, {"muscleuser", mjLRMODE_MUSCLEUSER},
  {"all", mjLRMODE_ALL}, LAST};
static const SchemaKey coordinates[] = {{"local", 0}, {"global", 1}, LAST};
static const SchemaKey angles[] = {{"radian", 0}, {"degree", 1}, LAST};
static const SchemaKey fluidshapes[] = {{"none", 0}, {"ellipsoid", 1}, LAST};
static const SchemaKey mesh_inertias[] = {
  {"convex", mjMESH_INERTIA_CONVEX}, {"exact", mjMESH_INERTIA_EXACT}, {"legacy", mjMESH_INERTIA_LEGACY},
  {"shell", mjMESH_INERTIA_SHELL}, LAST};
static const SchemaKey mesh_builtins[] = {
  {"none", mjMESH_BUILTIN_NONE}, {"sphere", mjMESH_BUILTIN_SPHERE}, {"hemisphere", mjMESH_BUILTIN_HEMISPHERE},
  {"cone", mjMESH_BUILTIN_CONE}, {"supertorus", mjMESH_BUILTIN_SUPERTORUS},
  {"supersphere", mjMESH_BUILTIN_SUPERSPHERE}, {"wedge", mjMESH_BUILTIN_WEDGE}, {"plate", mjMESH_BUILTIN_PLATE},
  {"grid", mjMESH_BUILTIN_GRID}, {"box", mjMESH_BUILTIN_BOX}, {"cylinder", mjMESH_BUILTIN_CYLINDER},
  {"ellipsoid", mjMESH_BUILTIN_ELLIPSOID}, {"square", mjMESH_BUILTIN_SQUARE}, {"disc", mjMESH_BUILTIN_DISC}, LAST};
static const SchemaKey composite_types[] = {
  {"particle", 0}, {"grid", 1}, {"rope", 2}, {"loop", 3}, {"cable", 4}, {"cloth", 5}, LAST};
static const SchemaKey composite_kinds[] = {{"main", 0}, LAST};
static const SchemaKey flexcomp_types[] = {
  {"grid", 0}, {"box", 1}, {"cylinder", 2}, {"ellipsoid", 3}, {"square", 4}, {"disc", 5}, {"circle", 6},
  {"mesh", 7}, {"gmsh", 8}, {"direct", 9}, LAST};
static const SchemaKey flexcomp_dofs[] = {
  {"full", 0}, {"radial", 1}, {"trilinear", 2}, {"quadratic", 3}, {"2d", 4}, LAST};
static const SchemaKey flexcomp_equalities[] = {{"false", 0}, {"true", 1}, {"strain", 3}, LAST};
static const SchemaKey flex_orders[] = {{"trilinear", 1}, {"quadratic", 2}, LAST};
static const SchemaKey flex_sections[] = {{"circle", mjFLEXSECTION_CIRCLE}, {"box", mjFLEXSECTION_BOX}, LAST};
static const SchemaKey selfcollides[] = {
  {"none", mjFLEXSELF_NONE}, {"narrow", mjFLEXSELF_NARROW}, {"bvh", mjFLEXSELF_BVH}, {"sap", mjFLEXSELF_SAP},
  {"auto", mjFLEXSELF_AUTO}, LAST};
static const SchemaKey elastic2ds[] = {{"none", 0}, {"bend", 1}, {"stretch", 2}, {"both", 3}, LAST};
static const SchemaKey dyntypes[] = {
  {"none", mjDYN_NONE}, {"integrator", mjDYN_INTEGRATOR}, {"filter", mjDYN_FILTER},
  {"filterexact", mjDYN_FILTEREXACT}, {"muscle", mjDYN_MUSCLE}, {"user", mjDYN_USER},
  {"dcmotor", mjDYN_DCMOTOR}, {"pid", mjDYN_PID}, LAST};
static const SchemaKey gaintypes[] = {
  {"fixed", mjGAIN_FIXED}, {"affine", mjGAIN_AFFINE}, {"muscle", mjGAIN_MUSCLE}, {"user", mjGAIN_USER},
  {"dcmotor", mjGAIN_DCMOTOR}, {"so3", mjGAIN_SO3}, {"pid", mjGAIN_PID}, LAST};
static const SchemaKey biastypes[] = {
  {"none", mjBIAS_NONE}, {"affine", mjBIAS_AFFINE}, {"muscle", mjBIAS_MUSCLE}, {"user", mjBIAS_USER},
  {"dcmotor", mjBIAS_DCMOTOR}, {"so3", mjBIAS_SO3}, LAST};
static const SchemaKey datatypes[] = {
  {"real", mjDATATYPE_REAL}, {"positive", mjDATATYPE_POSITIVE}, {"axis", mjDATATYPE_AXIS},
  {"quaternion", mjDATATYPE_QUATERNION}, LAST};
static const SchemaKey stages[] = {
  {"none", mjSTAGE_NONE}, {"pos", mjSTAGE_POS}, {"vel", mjSTAGE_VEL}, {"acc", mjSTAGE_ACC}, LAST};
static const SchemaKey interpolations[] = {{"zoh", 0}, {"linear", 1}, {"cubic", 2}, LAST};
static const SchemaKey reductions[] = {{"none", 0}, {"mindist", 1}, {"maxforce", 2}, {"netforce", 3}, LAST};

static const SchemaKey object_types[] = {
  {"body", mjOBJ_BODY}, {"xbody", mjOBJ_XBODY}, {"joint", mjOBJ_JOINT}, {"dof", mjOBJ_DOF}, {"geom", mjOBJ_GEOM},
  {"site", mjOBJ_SITE}, {"camera", mjOBJ_CAMERA}, {"light", mjOBJ_LIGHT}, {"flex", mjOBJ_FLEX},
  {"mesh", mjOBJ_MESH}, {"skin", mjOBJ_SKIN}, {"hfield", mjOBJ_HFIELD}, {"texture", mjOBJ_TEXTURE},
  {"material", mjOBJ_MATERIAL}, {"pair", mjOBJ_PAIR}, {"exclude", mjOBJ_EXCLUDE}, {"equality", mjOBJ_EQUALITY},
  {"tendon", mjOBJ_TENDON}, {"actuator", mjOBJ_ACTUATOR}, {"sensor", mjOBJ_SENSOR}, {"numeric", mjOBJ_NUMERIC},
  {"text", mjOBJ_TEXT}, {"tuple", mjOBJ_TUPLE}, {"key", mjOBJ_KEY}, {"plugin", mjOBJ_PLUGIN},
  {"frame", mjOBJ_FRAME}, LAST};

// attributes and words that code reads and writes
static const SchemaKey transmissions[] = {
  {"joint", mjTRN_JOINT}, {"jointinparent", mjTRN_JOINTINPARENT}, {"tendon", mjTRN_TENDON},
  {"cranksite", mjTRN_SLIDERCRANK}, {"site", mjTRN_SITE}, {"body", mjTRN_BODY}, LAST};
static const SchemaKey cube_files[] = {
  {"fileright", 0}, {"fileleft", 1}, {"fileup", 2}, {"filedown", 3}, {"filefront", 4}, {"fileback", 5}, LAST};
static const SchemaKey ray_fields[] = {
  {"dist", RAYDATA_DIST}, {"dir", RAYDATA_DIR}, {"origin", RAYDATA_ORIGIN}, {"point", RAYDATA_POINT},
  {"normal", RAYDATA_NORMAL}, {"depth", RAYDATA_DEPTH}, LAST};
static const SchemaKey camera_outputs[] = {
  {"rgb", 0}, {"depth", 1}, {"distance", 2}, {"normal", 3}, {"segmentation", 4}, LAST};
static const SchemaKey inputs[] = {
  {"pos", 0}, {"vel", 1}, {"ff", 2}, {"voltage", 3}, {"none", 4}, {"pressure", 5}, {"expmap", 6}, {"quat", 7}, LAST};
static const SchemaKey contact_fields[] = {
  {"found", mjCONDATA_FOUND}, {"force", mjCONDATA_FORCE}, {"torque", mjCONDATA_TORQUE}, {"dist", mjCONDATA_DIST},
  {"pos", mjCONDATA_POS}, {"normal", mjCONDATA_NORMAL}, {"tangent", mjCONDATA_TANGENT},
  {"linvel", CONDATA_LINVEL}, {"angvel", CONDATA_ANGVEL}, LAST};
static const SchemaKey sensor_ends[2][5] = {
  {{"geom1", mjOBJ_GEOM}, {"body1", mjOBJ_BODY}, {"subtree1", mjOBJ_XBODY}, {"site", mjOBJ_SITE}, LAST},
  {{"geom2", mjOBJ_GEOM}, {"body2", mjOBJ_BODY}, {"subtree2", mjOBJ_XBODY}, LAST}};

// clang-format on
