// schema_keywords.h: the words of keyword attributes and their values; part of the table in schema.c,
// which alone includes it. The third column marks words that this version can't use.
// [theory/format.md, Keywords]

#ifndef CONDYLE_MJCF_SCHEMA_KEYWORDS_H_
#define CONDYLE_MJCF_SCHEMA_KEYWORDS_H_

#include <mujoco/mjmodel.h>

#include "mjcf/schema.h"

// clang-format off

#define LAST {NULL, 0, 0}

static const SchemaKey bools[] = {{"false", 0, 0}, {"true", 1, 0}, LAST};
static const SchemaKey trivalue[] = {{"false", 0, 0}, {"true", 1, 0}, {"auto", 2, 0}, LAST};
static const SchemaKey disables[] = {{"disable", 1, 0}, {"enable", 0, 0}, LAST};
static const SchemaKey enables[] = {{"disable", 0, 0}, {"enable", 1, 0}, LAST};

static const SchemaKey joint_types[] = {
  {"free", mjJNT_FREE, 0}, {"ball", mjJNT_BALL, 0}, {"slide", mjJNT_SLIDE, 0}, {"hinge", mjJNT_HINGE, 0}, LAST};
static const SchemaKey geom_types[] = {
  {"plane", mjGEOM_PLANE, 0}, {"hfield", mjGEOM_HFIELD, 0}, {"sphere", mjGEOM_SPHERE, 0}, {"capsule", mjGEOM_CAPSULE, 0},
  {"ellipsoid", mjGEOM_ELLIPSOID, 0}, {"cylinder", mjGEOM_CYLINDER, 0}, {"box", mjGEOM_BOX, 0}, {"mesh", mjGEOM_MESH, 0},
  {"sdf", mjGEOM_SDF, 0}, LAST};
static const SchemaKey site_types[] = {
  {"plane", mjGEOM_PLANE, 0}, {"hfield", mjGEOM_HFIELD, 0}, {"sphere", mjGEOM_SPHERE, 0}, {"capsule", mjGEOM_CAPSULE, 0},
  {"ellipsoid", mjGEOM_ELLIPSOID, 0}, {"cylinder", mjGEOM_CYLINDER, 0}, {"box", mjGEOM_BOX, 0}, {"mesh", mjGEOM_MESH, 0},
  {"sdf", mjGEOM_SDF, 0}, LAST};
static const SchemaKey camlight_modes[] = {
  {"fixed", mjCAMLIGHT_FIXED, 0}, {"track", mjCAMLIGHT_TRACK, 0}, {"trackcom", mjCAMLIGHT_TRACKCOM, 0},
  {"targetbody", mjCAMLIGHT_TARGETBODY, 0}, {"targetbodycom", mjCAMLIGHT_TARGETBODYCOM, 0}, LAST};
static const SchemaKey light_types[] = {
  {"spot", mjLIGHT_SPOT, 0}, {"directional", mjLIGHT_DIRECTIONAL, 0}, {"point", mjLIGHT_POINT, 0},
  {"image", mjLIGHT_IMAGE, 0}, LAST};
static const SchemaKey texture_roles[] = {
  {"rgb", mjTEXROLE_RGB, 0}, {"occlusion", mjTEXROLE_OCCLUSION, 0}, {"roughness", mjTEXROLE_ROUGHNESS, 0},
  {"metallic", mjTEXROLE_METALLIC, 0}, {"normal", mjTEXROLE_NORMAL, 0}, {"opacity", mjTEXROLE_OPACITY, 0},
  {"emissive", mjTEXROLE_EMISSIVE, 0}, {"rgba", mjTEXROLE_RGBA, 0}, {"orm", mjTEXROLE_ORM, 0}, LAST};
static const SchemaKey integrators[] = {
  {"Euler", mjINT_EULER, 0}, {"RK4", mjINT_RK4, 0}, {"implicit", mjINT_IMPLICIT, 0},
  {"implicitfast", mjINT_IMPLICITFAST, 0}, LAST};
static const SchemaKey cones[] = {{"pyramidal", mjCONE_PYRAMIDAL, 0}, {"elliptic", mjCONE_ELLIPTIC, 0}, LAST};
static const SchemaKey jacobians[] = {{"dense", mjJAC_DENSE, 0}, {"sparse", mjJAC_SPARSE, 0}, {"auto", mjJAC_AUTO, 0}, LAST};
static const SchemaKey solvers[] = {{"PGS", mjSOL_PGS, 0}, {"CG", mjSOL_CG, 0}, {"Newton", mjSOL_NEWTON, 0}, LAST};
static const SchemaKey texture_types[] = {
  {"2d", mjTEXTURE_2D, 0}, {"cube", mjTEXTURE_CUBE, 0}, {"skybox", mjTEXTURE_SKYBOX, 0}, LAST};
static const SchemaKey colorspaces[] = {
  {"auto", mjCOLORSPACE_AUTO, 0}, {"linear", mjCOLORSPACE_LINEAR, 0}, {"sRGB", mjCOLORSPACE_SRGB, 0}, LAST};
static const SchemaKey texture_builtins[] = {
  {"none", mjBUILTIN_NONE, 0}, {"gradient", mjBUILTIN_GRADIENT, 0}, {"checker", mjBUILTIN_CHECKER, 0},
  {"flat", mjBUILTIN_FLAT, 0}, LAST};
static const SchemaKey texture_marks[] = {
  {"none", mjMARK_NONE, 0}, {"edge", mjMARK_EDGE, 0}, {"cross", mjMARK_CROSS, 0}, {"random", mjMARK_RANDOM, 0}, LAST};
static const SchemaKey lengthrange_modes[] = {
  {"none", mjLRMODE_NONE, 0}, {"muscle", mjLRMODE_MUSCLE, 0}, {"muscleuser", mjLRMODE_MUSCLEUSER, 0},
  {"all", mjLRMODE_ALL, 0}, LAST};
static const SchemaKey coordinates[] = {{"local", 0, 0}, {"global", 1, 0}, LAST};
static const SchemaKey angles[] = {{"radian", 0, 0}, {"degree", 1, 0}, LAST};
static const SchemaKey fluidshapes[] = {{"none", 0, 0}, {"ellipsoid", 1, 0}, LAST};
static const SchemaKey mesh_inertias[] = {
  {"convex", mjMESH_INERTIA_CONVEX, 0}, {"exact", mjMESH_INERTIA_EXACT, 0}, {"legacy", mjMESH_INERTIA_LEGACY, 0},
  {"shell", mjMESH_INERTIA_SHELL, 0}, LAST};
static const SchemaKey mesh_builtins[] = {
  {"none", mjMESH_BUILTIN_NONE, 0}, {"sphere", mjMESH_BUILTIN_SPHERE, 0}, {"hemisphere", mjMESH_BUILTIN_HEMISPHERE, 0},
  {"cone", mjMESH_BUILTIN_CONE, 0}, {"supertorus", mjMESH_BUILTIN_SUPERTORUS, 0},
  {"supersphere", mjMESH_BUILTIN_SUPERSPHERE, 0}, {"wedge", mjMESH_BUILTIN_WEDGE, 0}, {"plate", mjMESH_BUILTIN_PLATE, 0}, LAST};
static const SchemaKey composite_types[] = {
  {"particle", 0, 0}, {"grid", 1, 0}, {"rope", 2, 0}, {"loop", 3, 0}, {"cable", 4, 0}, {"cloth", 5, 0}, LAST};
static const SchemaKey composite_kinds[] = {{"main", 0, 0}, LAST};
static const SchemaKey flexcomp_types[] = {
  {"grid", 0, 0}, {"box", 1, 0}, {"cylinder", 2, 0}, {"ellipsoid", 3, 0}, {"square", 4, 0}, {"disc", 5, 0}, {"circle", 6, 0},
  {"mesh", 7, 0}, {"gmsh", 8, 0}, {"direct", 9, 0}, LAST};
static const SchemaKey flexcomp_dofs[] = {{"full", 0, 0}, {"radial", 1, 0}, {"trilinear", 2, 0}, LAST};
static const SchemaKey selfcollides[] = {
  {"none", mjFLEXSELF_NONE, 0}, {"narrow", mjFLEXSELF_NARROW, 0}, {"bvh", mjFLEXSELF_BVH, 0}, {"sap", mjFLEXSELF_SAP, 0},
  {"auto", mjFLEXSELF_AUTO, 0}, LAST};
static const SchemaKey elastic2ds[] = {{"none", 0, 0}, {"bend", 1, 0}, {"stretch", 2, 0}, {"both", 3, 0}, LAST};
static const SchemaKey dyntypes[] = {
  {"none", mjDYN_NONE, 0}, {"integrator", mjDYN_INTEGRATOR, 0}, {"filter", mjDYN_FILTER, 0},
  {"filterexact", mjDYN_FILTEREXACT, 0}, {"muscle", mjDYN_MUSCLE, 0}, {"user", mjDYN_USER, 0}, LAST};
static const SchemaKey gaintypes[] = {
  {"fixed", mjGAIN_FIXED, 0}, {"affine", mjGAIN_AFFINE, 0}, {"muscle", mjGAIN_MUSCLE, 0}, {"user", mjGAIN_USER, 0}, LAST};
static const SchemaKey biastypes[] = {
  {"none", mjBIAS_NONE, 0}, {"affine", mjBIAS_AFFINE, 0}, {"muscle", mjBIAS_MUSCLE, 0}, {"user", mjBIAS_USER, 0}, LAST};
static const SchemaKey datatypes[] = {
  {"real", mjDATATYPE_REAL, 0}, {"positive", mjDATATYPE_POSITIVE, 0}, {"axis", mjDATATYPE_AXIS, 0},
  {"quaternion", mjDATATYPE_QUATERNION, 0}, LAST};
static const SchemaKey stages[] = {
  {"none", mjSTAGE_NONE, 0}, {"pos", mjSTAGE_POS, 0}, {"vel", mjSTAGE_VEL, 0}, {"acc", mjSTAGE_ACC, 0}, LAST};
static const SchemaKey reductions[] = {{"none", 0, 0}, {"mindist", 1, 0}, {"maxforce", 2, 0}, {"netforce", 3, 0}, LAST};

static const SchemaKey object_types[] = {
  {"body", mjOBJ_BODY, 0}, {"xbody", mjOBJ_XBODY, 0}, {"joint", mjOBJ_JOINT, 0}, {"dof", mjOBJ_DOF, 0}, {"geom", mjOBJ_GEOM, 0},
  {"site", mjOBJ_SITE, 0}, {"camera", mjOBJ_CAMERA, 0}, {"light", mjOBJ_LIGHT, 0}, {"flex", mjOBJ_FLEX, 0},
  {"mesh", mjOBJ_MESH, 0}, {"skin", mjOBJ_SKIN, 0}, {"hfield", mjOBJ_HFIELD, 0}, {"texture", mjOBJ_TEXTURE, 0},
  {"material", mjOBJ_MATERIAL, 0}, {"pair", mjOBJ_PAIR, 0}, {"exclude", mjOBJ_EXCLUDE, 0}, {"equality", mjOBJ_EQUALITY, 0},
  {"tendon", mjOBJ_TENDON, 0}, {"actuator", mjOBJ_ACTUATOR, 0}, {"sensor", mjOBJ_SENSOR, 0}, {"numeric", mjOBJ_NUMERIC, 0},
  {"text", mjOBJ_TEXT, 0}, {"tuple", mjOBJ_TUPLE, 0}, {"key", mjOBJ_KEY, 0}, {"plugin", mjOBJ_PLUGIN, 0},
  {"frame", mjOBJ_FRAME, 0}, LAST};

// attributes and words that code reads and writes
static const SchemaKey transmissions[] = {
  {"joint", mjTRN_JOINT, 0}, {"jointinparent", mjTRN_JOINTINPARENT, 0}, {"tendon", mjTRN_TENDON, 0},
  {"cranksite", mjTRN_SLIDERCRANK, 0}, {"site", mjTRN_SITE, 0}, {"body", mjTRN_BODY, 0}, LAST};
static const SchemaKey cube_files[] = {
  {"fileright", 0, 0}, {"fileleft", 1, 0}, {"fileup", 2, 0}, {"filedown", 3, 0}, {"filefront", 4, 0}, {"fileback", 5, 0}, LAST};
static const SchemaKey contact_fields[] = {
  {"found", mjCONDATA_FOUND, 0}, {"force", mjCONDATA_FORCE, 0}, {"torque", mjCONDATA_TORQUE, 0}, {"dist", mjCONDATA_DIST, 0},
  {"pos", mjCONDATA_POS, 0}, {"normal", mjCONDATA_NORMAL, 0}, {"tangent", mjCONDATA_TANGENT, 0}, LAST};
static const SchemaKey sensor_ends[2][5] = {
  {{"geom1", mjOBJ_GEOM, 0}, {"body1", mjOBJ_BODY, 0}, {"subtree1", mjOBJ_XBODY, 0}, {"site", mjOBJ_SITE, 0}, LAST},
  {{"geom2", mjOBJ_GEOM, 0}, {"body2", mjOBJ_BODY, 0}, {"subtree2", mjOBJ_XBODY, 0}, LAST}};

// clang-format on

#endif  // CONDYLE_MJCF_SCHEMA_KEYWORDS_H_
