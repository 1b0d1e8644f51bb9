// schema.c: the grammar of MJCF as tables, written bottom-up: keywords, then the rows of each
// element, then elements with their children, then the root. A row names the struct that its
// element's reader fills (mjsJoint for <joint>, mjOption for <option>, mjsBody for <inertial>,
// ...). Settings, assets and the body tree come first, then other elements.

#include "mjcf/schema.h"

#include <condyle/behaviour.h>
#include <mujoco/mjspec.h>

#include "mjcf/schema_keywords.h"

// clang-format off

// destinations; the store follows from the type of the field (arrays decay to pointers)

#define STORE_OF(T, f) _Generic(((T*)0)->f,             \
    unsigned char: STORE_BYTE, unsigned char*: STORE_BYTE, \
    int: STORE_INT, int*: STORE_INT, unsigned: STORE_INT,  \
    mjtSize: STORE_SIZE,                                   \
    float: STORE_SINGLE, float*: STORE_SINGLE,             \
    double: STORE_DOUBLE, double*: STORE_DOUBLE,           \
    default: STORE_HANDLE)
#define TO(T, f) .store = STORE_OF(T, f), .offset = offsetof(T, f)
#define END {0}

// rows: name, counts, destination, default, flags

#define REAL(n, T, f, d, w)            {.name = n, .kind = ATTR_REAL, .min = 1, .max = 1, .fallback = d, .flags = w, TO(T, f)}
#define REALN(n, k, T, f, d, w)        {.name = n, .kind = ATTR_REAL, .min = k, .max = k, .fallback = d, .flags = w, TO(T, f)}
#define UPTO(n, k, T, f, d, w)         {.name = n, .kind = ATTR_REAL, .min = 1, .max = k, .fallback = d, .flags = w, TO(T, f)}
#define INT(n, T, f, d, w)             {.name = n, .kind = ATTR_INT, .min = 1, .max = 1, .fallback = d, .flags = w, TO(T, f)}
#define INTN(n, k, T, f, d, w)         {.name = n, .kind = ATTR_INTS, .min = k, .max = k, .fallback = d, .flags = w, TO(T, f)}
#define KEY(n, map, T, f, d, w)        {.name = n, .kind = ATTR_KEY, .min = 1, .max = 1, .keys = map, .fallback = d, .flags = w, TO(T, f)}
#define TEXT(n, T, f, d, w)            {.name = n, .kind = ATTR_TEXT, .fallback = d, .flags = w, TO(T, f)}
#define FILENAME(n, T, f, w)           {.name = n, .kind = ATTR_FILE, .flags = w, TO(T, f)}
#define REF(n, obj, T, f, w)           {.name = n, .kind = ATTR_REFERENCE, .value = obj, .flags = w, TO(T, f)}
#define VECTOR(n, k, T, f, w)          {.name = n, .kind = k, .min = 0, .max = -1, .flags = w, TO(T, f)}

// rows without a destination, which code reads
#define CREAL(n, lo, hi, d, w)         {.name = n, .kind = ATTR_REAL, .min = lo, .max = hi, .fallback = d, .flags = w}
#define CINT(n, d, w)                  {.name = n, .kind = ATTR_INT, .min = 1, .max = 1, .fallback = d, .flags = w}
#define CINTS(n, lo, hi, d, w)         {.name = n, .kind = ATTR_INTS, .min = lo, .max = hi, .fallback = d, .flags = w}
#define CKEY(n, map, d, w)             {.name = n, .kind = ATTR_KEY, .min = 1, .max = 1, .keys = map, .fallback = d, .flags = w}
#define CTEXT(n, d, w)                 {.name = n, .kind = ATTR_TEXT, .fallback = d, .flags = w}
#define CFILE(n, w)                    {.name = n, .kind = ATTR_FILE, .flags = w}
#define CREF(n, obj, w)                {.name = n, .kind = ATTR_REFERENCE, .value = obj, .flags = w}
#define CVECTOR(n, k, w)               {.name = n, .kind = k, .min = 0, .max = -1, .flags = w}

#define NAME                           {.name = "name", .kind = ATTR_NAME, .flags = ROW_OWN}
#define NAME_REQUIRED                  {.name = "name", .kind = ATTR_NAME, .flags = ROW_OWN | ROW_REQUIRED}
#define CLASS                          {.name = "class", .kind = ATTR_CLASS, .flags = ROW_OWN}
#define CHILDCLASS                     {.name = "childclass", .kind = ATTR_CLASS}

// the five orientation attributes
#define ALTERNATIVE(n, k, kind_, T, f, w)  {.name = n, .kind = ATTR_ALTERNATIVE, .min = k, .max = k, .value = kind_, .flags = w, TO(T, f)}
#define ORIENTATION(T, quat_, alt_)                                                                                \
  {.name = "quat", .kind = ATTR_QUAT, .min = 4, .max = 4, .fallback = "1 0 0 0", TO(T, quat_)},                    \
  ALTERNATIVE("axisangle", 4, mjORIENTATION_AXISANGLE, T, alt_.axisangle, ROW_ANGLE),                              \
  ALTERNATIVE("xyaxes", 6, mjORIENTATION_XYAXES, T, alt_.xyaxes, 0),                                               \
  ALTERNATIVE("zaxis", 3, mjORIENTATION_ZAXIS, T, alt_.zaxis, 0),                                                  \
  ALTERNATIVE("euler", 3, mjORIENTATION_EULER, T, alt_.euler, ROW_ANGLE)

#define SOLREF "0.02 1"
#define SOLIMP "0.9 0.95 0.001 0.5 2"

const SchemaKey* schema_objects(void) {
  return object_types;
}

const SchemaKey* schema_transmissions(void) {
  return transmissions;
}

const SchemaKey* schema_cubefiles(void) {
  return cube_files;
}

const SchemaKey* schema_contactfields(void) {
  return contact_fields;
}

const SchemaKey* schema_rayfields(void) {
  return ray_fields;
}

const SchemaKey* schema_cameraoutputs(void) {
  return camera_outputs;
}

const SchemaKey* schema_inputs(void) {
  return inputs;
}

const SchemaKey* schema_sensorends(int i) {
  return sensor_ends[i];
}

// settings [theory/model/format.md, Schema]

static const SchemaRow mujoco_rows[] = {TEXT("model", mjSpec, modelname, "MuJoCo Model", 0), END};

static const SchemaRow compiler_rows[] = {
  KEY("autolimits", bools, mjSpec, compiler.autolimits, "true", 0),
  REAL("boundmass", mjSpec, compiler.boundmass, "0", 0),
  REAL("boundinertia", mjSpec, compiler.boundinertia, "0", 0),
  REAL("settotalmass", mjSpec, compiler.settotalmass, "-1", 0),
  KEY("balanceinertia", bools, mjSpec, compiler.balanceinertia, "false", 0),
  KEY("strippath", bools, mjSpec, strippath, "false", 0),
  CKEY("coordinate", coordinates, "local", 0),
  KEY("angle", angles, mjSpec, compiler.degree, "degree", 0),
  KEY("fitaabb", bools, mjSpec, compiler.fitaabb, "false", 0),
  CTEXT("eulerseq", "xyz", 0),
  TEXT("meshdir", mjSpec, compiler.meshdir, "", 0),
  TEXT("texturedir", mjSpec, compiler.texturedir, "", 0),
  CTEXT("assetdir", "", 0),
  KEY("discardvisual", bools, mjSpec, compiler.discardvisual, "false", 0),
  KEY("usethread", bools, mjSpec, compiler.usethread, "true", 0),
  KEY("fusestatic", bools, mjSpec, compiler.fusestatic, "false", 0),
  KEY("inertiafromgeom", trivalue, mjSpec, compiler.inertiafromgeom, "auto", 0),
  INTN("inertiagrouprange", 2, mjSpec, compiler.inertiagrouprange, "0 5", 0),
  KEY("alignfree", bools, mjSpec, compiler.alignfree, "false", 0),
  KEY("savecompiled", bools, mjSpec, compiler.savecompiled, "true", 0),
  KEY("savecanonical", bools, mjSpec, compiler.savecanonical, "true", 0),
  KEY("passthrough", passthroughs, mjSpec, compiler.passthrough, "none", 0),
  KEY("conflict", conflicts, mjSpec, compiler.conflict, "warning", 0),
  KEY("saveinertial", bools, mjSpec, compiler.saveinertial, "false", 0),
  CTEXT("dialect", NULL, 0),
  END};
static const SchemaRow lengthrange_rows[] = {
  KEY("mode", lengthrange_modes, mjLROpt, mode, "muscle", 0),
  KEY("useexisting", bools, mjLROpt, useexisting, "true", 0),
  KEY("uselimit", bools, mjLROpt, uselimit, "false", 0),
  REAL("accel", mjLROpt, accel, "20", 0),
  REAL("maxforce", mjLROpt, maxforce, "0", 0),
  REAL("timeconst", mjLROpt, timeconst, "1", 0),
  REAL("timestep", mjLROpt, timestep, "0.01", 0),
  REAL("inttotal", mjLROpt, inttotal, "10", 0),
  REAL("interval", mjLROpt, interval, "2", 0),
  REAL("tolrange", mjLROpt, tolrange, "0.05", 0),
  END};

static const SchemaRow option_rows[] = {
  REAL("timestep", mjOption, timestep, "0.002", 0),
  REAL("impratio", mjOption, impratio, "1", 0),
  REAL("tolerance", mjOption, tolerance, "1e-8", 0),
  REAL("ls_tolerance", mjOption, ls_tolerance, "0.01", 0),
  REAL("noslip_tolerance", mjOption, noslip_tolerance, "1e-6", 0),
  REAL("ccd_tolerance", mjOption, ccd_tolerance, "1e-6", 0), REAL("sleep_tolerance", mjOption, sleep_tolerance, "1e-3", 0),
  REALN("gravity", 3, mjOption, gravity, "0 0 -9.81", 0),
  REALN("wind", 3, mjOption, wind, "0 0 0", 0),
  REALN("magnetic", 3, mjOption, magnetic, "0 -0.5 0", 0),
  REAL("density", mjOption, density, "0", 0),
  REAL("viscosity", mjOption, viscosity, "0", 0),
  REAL("o_margin", mjOption, o_margin, "0", 0),
  UPTO("o_solref", mjNREF, mjOption, o_solref, SOLREF, 0),
  UPTO("o_solimp", mjNIMP, mjOption, o_solimp, SOLIMP, 0),
  UPTO("o_friction", 5, mjOption, o_friction, "1 1 0.005 0.0001 0.0001", 0),
  KEY("integrator", integrators, mjOption, integrator, "Euler", 0),
  KEY("cone", cones, mjOption, cone, "pyramidal", 0),
  KEY("jacobian", jacobians, mjOption, jacobian, "auto", 0),
  KEY("solver", solvers, mjOption, solver, "Newton", 0),
  INT("iterations", mjOption, iterations, "100", 0),
  INT("ls_iterations", mjOption, ls_iterations, "50", 0),
  INT("noslip_iterations", mjOption, noslip_iterations, "0", 0),
  INT("ccd_iterations", mjOption, ccd_iterations, "35", 0),
  INT("sdf_iterations", mjOption, sdf_iterations, "10", 0),
  INT("sdf_initpoints", mjOption, sdf_initpoints, "40", 0),
  CINTS("actuatorgroupdisable", 1, 31, NULL, 0),
  END};

#define DISABLE(n, bit) {.name = n, .kind = ATTR_BIT, .keys = disables, .value = bit, .fallback = "enable", TO(mjOption, disableflags)}
#define ENABLE(n, bit)  {.name = n, .kind = ATTR_BIT, .keys = enables, .value = bit, .fallback = "disable", TO(mjOption, enableflags)}
static const SchemaRow flag_rows[] = {
  DISABLE("constraint", mjDSBL_CONSTRAINT), DISABLE("equality", mjDSBL_EQUALITY), DISABLE("frictionloss", mjDSBL_FRICTIONLOSS),
  DISABLE("limit", mjDSBL_LIMIT), DISABLE("contact", mjDSBL_CONTACT), DISABLE("spring", mjDSBL_SPRING),
  DISABLE("damper", mjDSBL_DAMPER), DISABLE("gravity", mjDSBL_GRAVITY), DISABLE("clampctrl", mjDSBL_CLAMPCTRL),
  DISABLE("warmstart", mjDSBL_WARMSTART), DISABLE("filterparent", mjDSBL_FILTERPARENT), DISABLE("actuation", mjDSBL_ACTUATION),
  DISABLE("refsafe", mjDSBL_REFSAFE), DISABLE("sensor", mjDSBL_SENSOR), DISABLE("midphase", mjDSBL_MIDPHASE),
  DISABLE("eulerdamp", mjDSBL_EULERDAMP), DISABLE("autoreset", mjDSBL_AUTORESET), DISABLE("nativeccd", mjDSBL_NATIVECCD),
  DISABLE("island", mjDSBL_ISLAND),
  ENABLE("override", mjENBL_OVERRIDE), ENABLE("energy", mjENBL_ENERGY), ENABLE("fwdinv", mjENBL_FWDINV),
  ENABLE("invdiscrete", mjENBL_INVDISCRETE), ENABLE("multiccd", mjENBL_MULTICCD), ENABLE("sleep", mjENBL_SLEEP),
  ENABLE("diagexact", mjENBL_DIAGEXACT), ENABLE("speculative", mjENBL_SPECULATIVE),
  CKEY("ipc", refused, "disable", 0),
  END};

#define LATER(n, release, meaning) \
  {.name = #n, .kind = ATTR_BIT, .keys = enables, .value = 1 << cndBEHAVIOUR_##n, .fallback = "disable", TO(mjOption, behaviour)},
static const SchemaRow behaviour_rows[] = {
  CND_BEHAVIOURS(LATER)
  END};

static const SchemaRow size_rows[] = {
  CTEXT("memory", "-1", 0),
  INT("njmax", mjSpec, njmax, "-1", 0),
  INT("nconmax", mjSpec, nconmax, "-1", 0),
  INT("nstack", mjSpec, nstack, "-1", 0),
  INT("nuserdata", mjSpec, nuserdata, "0", 0),
  INT("nkey", mjSpec, nkey, "0", 0),
  INT("nuser_body", mjSpec, nuser_body, "-1", 0),
  INT("nuser_jnt", mjSpec, nuser_jnt, "-1", 0),
  INT("nuser_geom", mjSpec, nuser_geom, "-1", 0),
  INT("nuser_site", mjSpec, nuser_site, "-1", 0),
  INT("nuser_cam", mjSpec, nuser_cam, "-1", 0),
  INT("nuser_tendon", mjSpec, nuser_tendon, "-1", 0),
  INT("nuser_actuator", mjSpec, nuser_actuator, "-1", 0),
  INT("nuser_sensor", mjSpec, nuser_sensor, "-1", 0),
  END};

#define VISUAL(n, sub, f, d) REAL(n, mjVisual, sub.f, d, 0)
static const SchemaRow visual_global_rows[] = {
  INT("cameraid", mjVisual, global.cameraid, "-1", 0),
  KEY("orthographic", bools, mjVisual, global.orthographic, "false", 0),
  VISUAL("fovy", global, fovy, "45"), VISUAL("ipd", global, ipd, "0.068"), VISUAL("azimuth", global, azimuth, "90"),
  VISUAL("elevation", global, elevation, "-45"), VISUAL("linewidth", global, linewidth, "1"),
  VISUAL("glow", global, glow, "0.3"),
  INT("offwidth", mjVisual, global.offwidth, "640", 0),
  INT("offheight", mjVisual, global.offheight, "480", 0),
  VISUAL("realtime", global, realtime, "1"),
  KEY("ellipsoidinertia", bools, mjVisual, global.ellipsoidinertia, "false", 0),
  KEY("bvactive", bools, mjVisual, global.bvactive, "true", 0),
  END};
static const SchemaRow visual_quality_rows[] = {
  INT("shadowsize", mjVisual, quality.shadowsize, "4096", 0), INT("offsamples", mjVisual, quality.offsamples, "4", 0),
  INT("numslices", mjVisual, quality.numslices, "28", 0), INT("numstacks", mjVisual, quality.numstacks, "16", 0),
  INT("numquads", mjVisual, quality.numquads, "4", 0),
  END};
static const SchemaRow visual_headlight_rows[] = {
  REALN("ambient", 3, mjVisual, headlight.ambient, "0.1 0.1 0.1", 0),
  REALN("diffuse", 3, mjVisual, headlight.diffuse, "0.4 0.4 0.4", 0),
  REALN("specular", 3, mjVisual, headlight.specular, "0.5 0.5 0.5", 0),
  {.name = "active", .kind = ATTR_INT, .min = 1, .max = 1, .keys = headlights, .fallback = "1", TO(mjVisual, headlight.active)},
  END};
static const SchemaRow visual_map_rows[] = {
  VISUAL("stiffness", map, stiffness, "100"), VISUAL("stiffnessrot", map, stiffnessrot, "500"),
  VISUAL("force", map, force, "0.005"), VISUAL("torque", map, torque, "0.1"), VISUAL("alpha", map, alpha, "0.3"),
  VISUAL("fogstart", map, fogstart, "3"), VISUAL("fogend", map, fogend, "10"), VISUAL("znear", map, znear, "0.01"),
  VISUAL("zfar", map, zfar, "50"), VISUAL("haze", map, haze, "0.3"), VISUAL("shadowclip", map, shadowclip, "1"),
  VISUAL("shadowscale", map, shadowscale, "0.6"), VISUAL("actuatortendon", map, actuatortendon, "2"),
  END};
static const SchemaRow visual_scale_rows[] = {
  VISUAL("forcewidth", scale, forcewidth, "0.1"), VISUAL("contactwidth", scale, contactwidth, "0.3"),
  VISUAL("contactheight", scale, contactheight, "0.1"), VISUAL("connect", scale, connect, "0.2"),
  VISUAL("com", scale, com, "0.4"), VISUAL("camera", scale, camera, "0.3"), VISUAL("light", scale, light, "0.3"),
  VISUAL("selectpoint", scale, selectpoint, "0.2"), VISUAL("jointlength", scale, jointlength, "1"),
  VISUAL("jointwidth", scale, jointwidth, "0.1"), VISUAL("actuatorlength", scale, actuatorlength, "0.7"),
  VISUAL("actuatorwidth", scale, actuatorwidth, "0.2"), VISUAL("framelength", scale, framelength, "1"),
  VISUAL("framewidth", scale, framewidth, "0.1"), VISUAL("constraint", scale, constraint, "0.1"),
  VISUAL("slidercrank", scale, slidercrank, "0.2"), VISUAL("frustum", scale, frustum, "10"),
  END};
#define COLOR(n, f, d) REALN(n, 4, mjVisual, rgba.f, d, 0)
static const SchemaRow visual_rgba_rows[] = {
  COLOR("fog", fog, "0 0 0 1"), COLOR("haze", haze, "1 1 1 1"), COLOR("force", force, "1 0.5 0.5 1"),
  COLOR("inertia", inertia, "0.8 0.2 0.2 0.6"), COLOR("joint", joint, "0.2 0.6 0.8 1"),
  COLOR("actuator", actuator, "0.2 0.25 0.2 1"), COLOR("actuatornegative", actuatornegative, "0.2 0.6 0.9 1"),
  COLOR("actuatorpositive", actuatorpositive, "0.9 0.4 0.2 1"), COLOR("com", com, "0.9 0.9 0.9 1"),
  COLOR("camera", camera, "0.6 0.9 0.6 1"), COLOR("light", light, "0.6 0.6 0.9 1"),
  COLOR("selectpoint", selectpoint, "0.9 0.9 0.1 1"), COLOR("connect", connect, "0.2 0.2 0.8 1"),
  COLOR("contactpoint", contactpoint, "0.9 0.6 0.2 1"), COLOR("contactforce", contactforce, "0.7 0.9 0.9 1"),
  COLOR("contactfriction", contactfriction, "0.9 0.8 0.4 1"), COLOR("contacttorque", contacttorque, "0.9 0.7 0.9 1"),
  COLOR("contactgap", contactgap, "0.5 0.8 0.9 1"), COLOR("rangefinder", rangefinder, "1 1 0.1 1"),
  COLOR("constraint", constraint, "0.9 0 0 1"), COLOR("slidercrank", slidercrank, "0.5 0.3 0.8 1"),
  COLOR("crankbroken", crankbroken, "0.9 0 0 1"), COLOR("frustum", frustum, "1 1 0 0.2"), COLOR("bv", bv, "0 1 0 0.5"),
  COLOR("bvactive", bvactive, "1 0 0 0.5"),
  END};

static const SchemaRow statistic_rows[] = {
  REAL("meaninertia", mjStatistic, meaninertia, NULL, 0), REAL("meanmass", mjStatistic, meanmass, NULL, 0),
  REAL("meansize", mjStatistic, meansize, NULL, 0), REAL("extent", mjStatistic, extent, NULL, 0),
  REALN("center", 3, mjStatistic, center, NULL, 0),
  END};

// custom, extension [theory/model/model.md, Custom data]

static const SchemaRow numeric_rows[] = {
  NAME_REQUIRED, CINT("size", NULL, 0), CVECTOR("data", ATTR_REALS, 0), END};
static const SchemaRow text_rows[] = {NAME_REQUIRED, TEXT("data", mjsText, data, NULL, 0), END};
static const SchemaRow tuple_rows[] = {NAME_REQUIRED, END};
static const SchemaRow tuple_element_rows[] = {
  CKEY("objtype", object_types, NULL, ROW_REQUIRED), CTEXT("objname", NULL, ROW_REQUIRED), CREAL("prm", 1, 1, "0", 0), END};

static const SchemaRow config_rows[] = {CTEXT("key", NULL, ROW_REQUIRED), CTEXT("value", NULL, ROW_REQUIRED), END};
static const SchemaRow instance_rows[] = {NAME_REQUIRED, END};
static const SchemaRow extension_plugin_rows[] = {CTEXT("plugin", NULL, ROW_REQUIRED), END};
static const SchemaRow plugin_rows[] = {CTEXT("plugin", NULL, 0), CREF("instance", mjOBJ_PLUGIN, 0), END};

// assets [theory/model/format.md, Schema]

static const SchemaRow mesh_rows[] = {
  NAME, CLASS,
  TEXT("content_type", mjsMesh, content_type, NULL, ROW_OWN),
  FILENAME("file", mjsMesh, file, ROW_OWN),
  VECTOR("vertex", ATTR_SINGLES, mjsMesh, uservert, ROW_OWN),
  VECTOR("normal", ATTR_SINGLES, mjsMesh, usernormal, ROW_OWN),
  VECTOR("texcoord", ATTR_SINGLES, mjsMesh, usertexcoord, ROW_OWN),
  VECTOR("face", ATTR_INTEGERS, mjsMesh, userface, ROW_OWN),
  REALN("refpos", 3, mjsMesh, refpos, "0 0 0", ROW_OWN),
  REALN("refquat", 4, mjsMesh, refquat, "1 0 0 0", ROW_OWN),
  REALN("scale", 3, mjsMesh, scale, "1 1 1", 0),
  KEY("smoothnormal", bools, mjsMesh, smoothnormal, "false", ROW_OWN),
  INT("maxhullvert", mjsMesh, maxhullvert, "-1", 0),
  KEY("inertia", mesh_inertias, mjsMesh, inertia, "legacy", 0),
  CKEY("builtin", mesh_builtins, "none", ROW_OWN),
  CVECTOR("params", ATTR_REALS, ROW_OWN),
  REF("material", mjOBJ_MATERIAL, mjsMesh, material, ROW_OWN),
  END};
static const SchemaRow hfield_rows[] = {
  NAME,
  TEXT("content_type", mjsHField, content_type, NULL, 0), FILENAME("file", mjsHField, file, 0),
  INT("nrow", mjsHField, nrow, "0", 0), INT("ncol", mjsHField, ncol, "0", 0),
  CVECTOR("elevation", ATTR_SINGLES, 0),
  REALN("size", 4, mjsHField, size, NULL, ROW_REQUIRED),
  END};
static const SchemaRow skin_rows[] = {
  NAME,
  FILENAME("file", mjsSkin, file, 0), REF("material", mjOBJ_MATERIAL, mjsSkin, material, 0),
  REALN("rgba", 4, mjsSkin, rgba, "0.5 0.5 0.5 1", 0), REAL("inflate", mjsSkin, inflate, "0", 0),
  VECTOR("vertex", ATTR_SINGLES, mjsSkin, vert, 0), VECTOR("texcoord", ATTR_SINGLES, mjsSkin, texcoord, 0),
  VECTOR("face", ATTR_INTEGERS, mjsSkin, face, 0), INT("group", mjsSkin, group, "0", 0),
  END};
static const SchemaRow bone_rows[] = {
  CREF("body", mjOBJ_BODY, ROW_REQUIRED), CREAL("bindpos", 3, 3, NULL, ROW_REQUIRED),
  CREAL("bindquat", 4, 4, NULL, ROW_REQUIRED), CVECTOR("vertid", ATTR_INTEGERS, ROW_REQUIRED),
  CVECTOR("vertweight", ATTR_SINGLES, ROW_REQUIRED),
  END};
static const SchemaRow texture_rows[] = {
  NAME, CLASS,
  KEY("type", texture_types, mjsTexture, type, "cube", 0),
  KEY("colorspace", colorspaces, mjsTexture, colorspace, "auto", 0),
  TEXT("content_type", mjsTexture, content_type, NULL, ROW_OWN),
  FILENAME("file", mjsTexture, file, ROW_OWN),
  INTN("gridsize", 2, mjsTexture, gridsize, "1 1", 0),
  CTEXT("gridlayout", "............", 0),
  CFILE("fileright", ROW_OWN), CFILE("fileleft", ROW_OWN), CFILE("fileup", ROW_OWN), CFILE("filedown", ROW_OWN),
  CFILE("filefront", ROW_OWN), CFILE("fileback", ROW_OWN),
  KEY("builtin", texture_builtins, mjsTexture, builtin, "none", 0),
  REALN("rgb1", 3, mjsTexture, rgb1, "0.8 0.8 0.8", 0), REALN("rgb2", 3, mjsTexture, rgb2, "0.5 0.5 0.5", 0),
  KEY("mark", texture_marks, mjsTexture, mark, "none", 0),
  REALN("markrgb", 3, mjsTexture, markrgb, "0 0 0", 0), REAL("random", mjsTexture, random, "0.01", 0),
  INT("width", mjsTexture, width, "0", 0), INT("height", mjsTexture, height, "0", 0),
  KEY("hflip", bools, mjsTexture, hflip, "false", 0), KEY("vflip", bools, mjsTexture, vflip, "false", 0),
  INT("nchannel", mjsTexture, nchannel, "3", 0),
  KEY("embed", trivalue, mjsTexture, embed, "auto", 0),
  END};
static const SchemaRow material_rows[] = {
  NAME, CLASS,
  CREF("texture", mjOBJ_TEXTURE, 0),
  REALN("texrepeat", 2, mjsMaterial, texrepeat, "1 1", 0), KEY("texuniform", bools, mjsMaterial, texuniform, "false", 0),
  REAL("emission", mjsMaterial, emission, "0", 0), REAL("specular", mjsMaterial, specular, "0.5", 0),
  REAL("shininess", mjsMaterial, shininess, "0.5", 0), REAL("reflectance", mjsMaterial, reflectance, "0", 0),
  REAL("metallic", mjsMaterial, metallic, "-1", 0), REAL("roughness", mjsMaterial, roughness, "-1", 0),
  REALN("rgba", 4, mjsMaterial, rgba, "1 1 1 1", 0),
  END};
static const SchemaRow layer_rows[] = {
  CREF("texture", mjOBJ_TEXTURE, ROW_REQUIRED), CKEY("role", texture_roles, NULL, ROW_REQUIRED), END};
static const SchemaRow model_rows[] = {
  NAME, CFILE("file", ROW_REQUIRED), CTEXT("content_type", "text/xml", 0), END};

// the tree [theory/model/format.md, Body tree]

static const SchemaRow body_rows[] = {
  NAME, CHILDCLASS,
  REALN("pos", 3, mjsBody, pos, "0 0 0", 0), ORIENTATION(mjsBody, quat, alt),
  KEY("mocap", bools, mjsBody, mocap, "false", 0),
  REAL("gravcomp", mjsBody, gravcomp, "0", 0),
  KEY("simple", false_or_auto, mjsBody, simple, "auto", 0), KEY("fuse", false_or_auto, mjsBody, fuse, "auto", 0),
  KEY("sleep", sleeps, mjsBody, sleep, "auto", 0),
  VECTOR("user", ATTR_REALS, mjsBody, userdata, 0),
  END};
static const SchemaRow frame_rows[] = {
  NAME, CHILDCLASS, REALN("pos", 3, mjsFrame, pos, "0 0 0", 0), ORIENTATION(mjsFrame, quat, alt),
  CREAL("scale", 1, 3, "1", 0), KEY("scaling", scalings, mjsFrame, scaling, "similar", 0),
  REAL("massscale", mjsFrame, massscale, "0", 0), END};
static const SchemaRow inertial_rows[] = {
  REALN("pos", 3, mjsBody, ipos, NULL, ROW_REQUIRED), ORIENTATION(mjsBody, iquat, ialt),
  REAL("mass", mjsBody, mass, NULL, ROW_REQUIRED),
  REALN("diaginertia", 3, mjsBody, inertia, "0 0 0", 0), REALN("fullinertia", 6, mjsBody, fullinertia, NULL, 0),
  END};
static const SchemaRow joint_rows[] = {
  NAME, CLASS,
  KEY("type", joint_types, mjsJoint, type, "hinge", 0),
  INT("group", mjsJoint, group, "0", 0),
  REALN("pos", 3, mjsJoint, pos, "0 0 0", 0), REALN("axis", 3, mjsJoint, axis, "0 0 1", 0),
  REALN("springdamper", 2, mjsJoint, springdamper, "0 0", 0),
  UPTO("solreflimit", mjNREF, mjsJoint, solref_limit, SOLREF, 0),
  UPTO("solimplimit", mjNIMP, mjsJoint, solimp_limit, SOLIMP, 0),
  UPTO("solreffriction", mjNREF, mjsJoint, solref_friction, SOLREF, 0),
  UPTO("solimpfriction", mjNIMP, mjsJoint, solimp_friction, SOLIMP, 0),
  UPTO("stiffness", 1 + mjNPOLY, mjsJoint, stiffness, "0 0 0", 0),
  REALN("range", 2, mjsJoint, range, "0 0", ROW_ANGLE), KEY("limited", trivalue, mjsJoint, limited, "auto", 0),
  REALN("actuatorfrcrange", 2, mjsJoint, actfrcrange, "0 0", 0),
  KEY("actuatorfrclimited", trivalue, mjsJoint, actfrclimited, "auto", 0),
  KEY("actuatorgravcomp", bools, mjsJoint, actgravcomp, "false", 0),
  REAL("margin", mjsJoint, margin, "0", 0),
  REAL("ref", mjsJoint, ref, "0", ROW_ANGLE), REAL("springref", mjsJoint, springref, "0", ROW_ANGLE),
  REAL("springyield", mjsJoint, springyield, "0", ROW_ANGLE),
  REAL("armature", mjsJoint, armature, "0", 0), UPTO("damping", 1 + mjNPOLY, mjsJoint, damping, "0 0 0", 0),
  REAL("frictionloss", mjsJoint, frictionloss, "0", 0),
  VECTOR("user", ATTR_REALS, mjsJoint, userdata, 0),
  END};
static const SchemaRow freejoint_rows[] = {
  NAME, INT("group", mjsJoint, group, "0", 0), KEY("align", trivalue, mjsJoint, align, "auto", 0), END};
static const SchemaRow geom_rows[] = {
  NAME, CLASS,
  KEY("type", geom_types, mjsGeom, type, "sphere", 0),
  INT("contype", mjsGeom, contype, "1", 0), INT("conaffinity", mjsGeom, conaffinity, "1", 0),
  INT("condim", mjsGeom, condim, "3", 0), INT("group", mjsGeom, group, "0", 0), INT("priority", mjsGeom, priority, "0", 0),
  UPTO("size", 3, mjsGeom, size, "0 0 0", 0),
  REF("material", mjOBJ_MATERIAL, mjsGeom, material, 0), REALN("rgba", 4, mjsGeom, rgba, "0.5 0.5 0.5 1", 0),
  UPTO("friction", 3, mjsGeom, friction, "1 0.005 0.0001", 0),
  REAL("mass", mjsGeom, mass, NULL, 0), REAL("density", mjsGeom, density, "1000", 0),
  KEY("shellinertia", bools, mjsGeom, typeinertia, "false", 0),
  REAL("solmix", mjsGeom, solmix, "1", 0),
  UPTO("solref", mjNREF, mjsGeom, solref, SOLREF, 0), UPTO("solimp", mjNIMP, mjsGeom, solimp, SOLIMP, 0),
  REAL("margin", mjsGeom, margin, "0", 0), REAL("gap", mjsGeom, gap, "0", 0),
  UPTO("surfacevel", 6, mjsGeom, surfacevel, "0 0 0 0 0 0", 0), REAL("adhesion", mjsGeom, adhesion, "0", 0),
  REALN("fromto", 6, mjsGeom, fromto, NULL, 0),
  REALN("pos", 3, mjsGeom, pos, "0 0 0", 0), ORIENTATION(mjsGeom, quat, alt),
  REF("hfield", mjOBJ_HFIELD, mjsGeom, hfieldname, 0), REF("mesh", mjOBJ_MESH, mjsGeom, meshname, 0),
  REAL("fitscale", mjsGeom, fitscale, "1", 0),
  KEY("castshadow", bools, mjsGeom, castshadow, "true", 0),
  KEY("fluidshape", fluidshapes, mjsGeom, fluid_ellipsoid, "none", 0),
  UPTO("fluidcoef", 5, mjsGeom, fluid_coefs, "0.5 0.25 1.5 1 1", 0),
  VECTOR("user", ATTR_REALS, mjsGeom, userdata, 0),
  END};
static const SchemaRow site_rows[] = {
  NAME, CLASS,
  KEY("type", site_types, mjsSite, type, "sphere", 0), INT("group", mjsSite, group, "0", 0),
  REALN("pos", 3, mjsSite, pos, "0 0 0", 0), ORIENTATION(mjsSite, quat, alt),
  UPTO("size", 3, mjsSite, size, "0.005 0.005 0.005", 0), REALN("fromto", 6, mjsSite, fromto, NULL, 0),
  REF("mesh", mjOBJ_MESH, mjsSite, meshname, 0),
  REF("material", mjOBJ_MATERIAL, mjsSite, material, 0), REALN("rgba", 4, mjsSite, rgba, "0.5 0.5 0.5 1", 0),
  VECTOR("user", ATTR_REALS, mjsSite, userdata, 0),
  END};
static const SchemaRow camera_rows[] = {
  NAME, CLASS,
  KEY("mode", camlight_modes, mjsCamera, mode, "fixed", 0), REF("target", mjOBJ_BODY, mjsCamera, targetbody, ROW_OWN),
  REALN("pos", 3, mjsCamera, pos, "0 0 0", 0), ORIENTATION(mjsCamera, quat, alt),
  KEY("orthographic", bools, mjsCamera, orthographic, "false", 0),
  KEY("projection", projections, mjsCamera, orthographic, "perspective", 0), CVECTOR("output", ATTR_TEXTS, 0),
  REAL("fovy", mjsCamera, fovy, "45", 0), REAL("ipd", mjsCamera, ipd, "0.068", 0),
  REALN("resolution", 2, mjsCamera, resolution, "1 1", 0), REALN("sensorsize", 2, mjsCamera, sensor_size, "0 0", 0),
  REALN("focalpixel", 2, mjsCamera, focal_pixel, "0 0", 0), CREAL("focal", 2, 2, "0 0", 0),
  REALN("principalpixel", 2, mjsCamera, principal_pixel, "0 0", 0), CREAL("principal", 2, 2, "0 0", 0),
  VECTOR("user", ATTR_REALS, mjsCamera, userdata, 0),
  END};
static const SchemaRow light_rows[] = {
  NAME, CLASS,
  KEY("mode", camlight_modes, mjsLight, mode, "fixed", 0), REF("target", mjOBJ_BODY, mjsLight, targetbody, ROW_OWN),
  KEY("type", light_types, mjsLight, type, "spot", 0), CKEY("directional", bools, "false", 0),
  KEY("castshadow", bools, mjsLight, castshadow, "true", 0), KEY("active", bools, mjsLight, active, "true", 0),
  REALN("pos", 3, mjsLight, pos, "0 0 0", 0), REALN("dir", 3, mjsLight, dir, "0 0 -1", 0),
  REAL("bulbradius", mjsLight, bulbradius, "0.02", 0), REAL("intensity", mjsLight, intensity, "0", 0),
  REAL("range", mjsLight, range, "10", 0), REALN("attenuation", 3, mjsLight, attenuation, "1 0 0", 0),
  REAL("cutoff", mjsLight, cutoff, "45", 0), REAL("exponent", mjsLight, exponent, "10", 0),
  REAL("softness", mjsLight, softness, "0.2", 0),
  REALN("ambient", 3, mjsLight, ambient, "0 0 0", 0), REALN("diffuse", 3, mjsLight, diffuse, "0.7 0.7 0.7", 0),
  REALN("specular", 3, mjsLight, specular, "0.3 0.3 0.3", 0),
  REF("texture", mjOBJ_TEXTURE, mjsLight, texture, ROW_OWN),
  END};
static const SchemaRow replicate_rows[] = {
  CINTS("count", 1, 1, NULL, ROW_REQUIRED), CTEXT("sep", "", 0), CREAL("offset", 3, 3, "0 0 0", 0),
  CREAL("euler", 3, 3, "0 0 0", ROW_ANGLE), CHILDCLASS, END};
static const SchemaRow attach_rows[] = {
  CTEXT("model", NULL, 0), CTEXT("body", NULL, 0), CTEXT("frame", NULL, 0), CTEXT("prefix", NULL, ROW_REQUIRED), END};

// composite [theory/model/format.md, Composite and flex]

static const SchemaRow composite_rows[] = {
  CTEXT("prefix", "", 0), CKEY("type", composite_types, NULL, ROW_REQUIRED), CINTS("count", 1, 3, "1 1 1", 0),
  CREAL("offset", 3, 3, "0 0 0", 0), CREAL("quat", 4, 4, "1 0 0 0", 0), CVECTOR("vertex", ATTR_SINGLES, 0),
  CTEXT("initial", "ball", 0), CTEXT("curve", "0 0 0", 0), CREAL("size", 1, 3, "1 0 0", 0),
  END};
static const SchemaRow composite_joint_rows[] = {
  CKEY("kind", composite_kinds, NULL, ROW_REQUIRED),
  INT("group", mjsJoint, group, "3", 0), REAL("stiffness", mjsJoint, stiffness, "0", 0),
  REAL("damping", mjsJoint, damping, "0", 0), REAL("armature", mjsJoint, armature, "0", 0),
  REAL("frictionloss", mjsJoint, frictionloss, "0", 0), REAL("margin", mjsJoint, margin, "0", 0),
  REALN("range", 2, mjsJoint, range, "0 0", 0), CKEY("limited", trivalue, "auto", 0),
  CREAL("axis", 3, 3, NULL, 0), CKEY("type", joint_types, NULL, 0),
  CREAL("solreffix", 1, mjNREF, SOLREF, 0), CREAL("solimpfix", 1, mjNIMP, SOLIMP, 0),
  UPTO("solreflimit", mjNREF, mjsJoint, solref_limit, SOLREF, 0),
  UPTO("solimplimit", mjNIMP, mjsJoint, solimp_limit, SOLIMP, 0),
  UPTO("solreffriction", mjNREF, mjsJoint, solref_friction, SOLREF, 0),
  UPTO("solimpfriction", mjNIMP, mjsJoint, solimp_friction, SOLIMP, 0),
  END};
static const SchemaRow composite_skin_rows[] = {
  CKEY("texcoord", bools, "false", 0), CREF("material", mjOBJ_MATERIAL, 0), CREAL("rgba", 4, 4, "1 1 1 1", 0),
  CREAL("inflate", 1, 1, "0", 0), CINT("subgrid", "0", 0), CINT("group", "0", 0), END};
static const SchemaRow composite_geom_rows[] = {
  KEY("type", geom_types, mjsGeom, type, NULL, ROW_REQUIRED),
  INT("contype", mjsGeom, contype, "1", 0), INT("conaffinity", mjsGeom, conaffinity, "1", 0),
  INT("condim", mjsGeom, condim, "3", 0), INT("group", mjsGeom, group, "0", 0), INT("priority", mjsGeom, priority, "0", 0),
  UPTO("size", 3, mjsGeom, size, "0 0 0", 0),
  REF("material", mjOBJ_MATERIAL, mjsGeom, material, 0), REALN("rgba", 4, mjsGeom, rgba, "0.5 0.5 0.5 1", 0),
  UPTO("friction", 3, mjsGeom, friction, "1 0.005 0.0001", 0),
  REAL("mass", mjsGeom, mass, NULL, 0), REAL("density", mjsGeom, density, "1000", 0),
  REAL("solmix", mjsGeom, solmix, "1", 0),
  UPTO("solref", mjNREF, mjsGeom, solref, SOLREF, 0), UPTO("solimp", mjNIMP, mjsGeom, solimp, SOLIMP, 0),
  REAL("margin", mjsGeom, margin, "0", 0), REAL("gap", mjsGeom, gap, "0", 0),
  END};
static const SchemaRow composite_site_rows[] = {
  INT("group", mjsSite, group, "3", 0), UPTO("size", 3, mjsSite, size, "0.005 0.005 0.005", 0),
  REF("material", mjOBJ_MATERIAL, mjsSite, material, 0), REALN("rgba", 4, mjsSite, rgba, "0.5 0.5 0.5 1", 0), END};

// flexcomp, flex [theory/model/format.md, Composite and flex]

static const SchemaRow flexcomp_rows[] = {
  {.name = "name", .kind = ATTR_TEXT, .flags = ROW_REQUIRED},
  CKEY("type", flexcomp_types, "grid", 0), INT("dim", mjsFlex, dim, "2", 0), CKEY("dof", flexcomp_dofs, "full", 0),
  CINTS("count", 3, 3, "10 10 10", 0), INTN("cellcount", 3, mjsFlex, cellcount, "1 1 1", 0), CREAL("spacing", 3, 3, "0.02 0.02 0.02", 0), CREAL("scale", 3, 3, "1 1 1", 0),
  CREAL("mass", 1, 1, "1", 0), CREAL("inertiabox", 1, 1, "0.005", 0), CFILE("file", 0), CREF("mesh", mjOBJ_MESH, 0),
  VECTOR("point", ATTR_REALS, mjsFlex, vert, 0), VECTOR("element", ATTR_INTEGERS, mjsFlex, elem, 0),
  VECTOR("texcoord", ATTR_SINGLES, mjsFlex, texcoord, 0),
  CREAL("origin", 3, 3, NULL, 0), CKEY("rigid", bools, "false", 0),
  CREAL("pos", 3, 3, "0 0 0", 0), CREAL("quat", 4, 4, "1 0 0 0", 0), CREAL("axisangle", 4, 4, NULL, ROW_ANGLE),
  CREAL("xyaxes", 6, 6, NULL, 0), CREAL("zaxis", 3, 3, NULL, 0), CREAL("euler", 3, 3, NULL, ROW_ANGLE),
  REAL("radius", mjsFlex, radius, "0.005", 0), INT("group", mjsFlex, group, "0", 0),
  REF("material", mjOBJ_MATERIAL, mjsFlex, material, 0), REALN("rgba", 4, mjsFlex, rgba, "0.5 0.5 0.5 1", 0),
  KEY("flatskin", bools, mjsFlex, flatskin, "false", 0),
  END};
static const SchemaRow flexcomp_edge_rows[] = {
  CKEY("equality", flexcomp_equalities, "false", 0), CREAL("solref", 1, mjNREF, SOLREF, 0), CREAL("solimp", 1, mjNIMP, SOLIMP, 0),
  END};
static const SchemaRow flexcomp_pin_rows[] = {
  CVECTOR("id", ATTR_INTEGERS, 0), CVECTOR("range", ATTR_INTEGERS, 0), CVECTOR("grid", ATTR_INTEGERS, 0),
  CVECTOR("gridrange", ATTR_INTEGERS, 0), END};
static const SchemaRow flex_rows[] = {
  NAME, INT("group", mjsFlex, group, "0", 0), INT("dim", mjsFlex, dim, "2", 0), REAL("radius", mjsFlex, radius, "0.005", 0),
  REF("material", mjOBJ_MATERIAL, mjsFlex, material, 0), REALN("rgba", 4, mjsFlex, rgba, "0.5 0.5 0.5 1", 0),
  KEY("flatskin", bools, mjsFlex, flatskin, "false", 0),
  VECTOR("body", ATTR_TEXTS, mjsFlex, vertbody, ROW_REQUIRED), VECTOR("node", ATTR_TEXTS, mjsFlex, nodebody, 0),
  VECTOR("nodecoord", ATTR_REALS, mjsFlex, node, 0), INTN("cellcount", 3, mjsFlex, cellcount, "1 1 1", 0),
  KEY("dof", flex_orders, mjsFlex, order, NULL, 0),
  VECTOR("vertex", ATTR_REALS, mjsFlex, vert, 0), VECTOR("element", ATTR_INTEGERS, mjsFlex, elem, ROW_REQUIRED),
  VECTOR("texcoord", ATTR_SINGLES, mjsFlex, texcoord, 0), VECTOR("elemtexcoord", ATTR_INTEGERS, mjsFlex, elemtexcoord, 0),
  END};
static const SchemaRow flex_contact_rows[] = {
  INT("contype", mjsFlex, contype, "1", 0), INT("conaffinity", mjsFlex, conaffinity, "1", 0),
  INT("condim", mjsFlex, condim, "3", 0), INT("priority", mjsFlex, priority, "0", 0),
  UPTO("friction", 3, mjsFlex, friction, "1 0.005 0.0001", 0), REAL("solmix", mjsFlex, solmix, "1", 0),
  UPTO("solref", mjNREF, mjsFlex, solref, SOLREF, 0), UPTO("solimp", mjNIMP, mjsFlex, solimp, SOLIMP, 0),
  REAL("margin", mjsFlex, margin, "0", 0), REAL("gap", mjsFlex, gap, "0", 0),
  KEY("internal", bools, mjsFlex, internal, "false", 0), KEY("selfcollide", selfcollides, mjsFlex, selfcollide, "auto", 0),
  KEY("vertcollide", bools, mjsFlex, vertcollide, "false", 0), KEY("passive", bools, mjsFlex, passive, "false", 0),
  INT("activelayers", mjsFlex, activelayers, "1", 0),
  END};
static const SchemaRow flex_edge_rows[] = {
  REAL("stiffness", mjsFlex, edgestiffness, "0", 0), REAL("damping", mjsFlex, edgedamping, "0", 0), END};
static const SchemaRow flex_elasticity_rows[] = {
  REAL("young", mjsFlex, young, "0", 0), REAL("poisson", mjsFlex, poisson, "0", 0), REAL("damping", mjsFlex, damping, "0", 0),
  REAL("thickness", mjsFlex, thickness, "-1", 0), KEY("elastic2d", elastic2ds, mjsFlex, elastic2d, "none", 0),
  REAL("shear", mjsFlex, shear, "0", 0), UPTO("yield", 2, mjsFlex, stressyield, "0 0", 0),
  KEY("section", flex_sections, mjsFlex, section, "circle", 0), REALN("sectionsize", 2, mjsFlex, sectionsize, "0 0", 0), END};

// contact [theory/model/model.md, Pairs and excludes]

static const SchemaRow pair_rows[] = {
  NAME, CLASS,
  REF("geom1", mjOBJ_GEOM, mjsPair, geomname1, ROW_OWN), REF("geom2", mjOBJ_GEOM, mjsPair, geomname2, ROW_OWN),
  INT("condim", mjsPair, condim, "3", 0), UPTO("friction", 5, mjsPair, friction, "1 1 0.005 0.0001 0.0001", 0),
  UPTO("solref", mjNREF, mjsPair, solref, SOLREF, 0), UPTO("solreffriction", mjNREF, mjsPair, solreffriction, "0 0", 0),
  UPTO("solimp", mjNIMP, mjsPair, solimp, SOLIMP, 0),
  REAL("margin", mjsPair, margin, "0", 0), REAL("gap", mjsPair, gap, "0", 0),
  REAL("adhesion", mjsPair, adhesion, "0", 0),
  END};
static const SchemaRow exclude_rows[] = {
  NAME, REF("body1", mjOBJ_BODY, mjsExclude, bodyname1, ROW_REQUIRED),
  REF("body2", mjOBJ_BODY, mjsExclude, bodyname2, ROW_REQUIRED), END};

// equality [theory/contact/constraints.md, Rows]

static const SchemaRow equality_rows[] = {
  NAME, CLASS,
  KEY("active", bools, mjsEquality, active, "true", 0),
  UPTO("solref", mjNREF, mjsEquality, solref, SOLREF, 0), UPTO("solimp", mjNIMP, mjsEquality, solimp, SOLIMP, 0), END};
static const SchemaRow equality_bodies_rows[] = {
  CREF("body1", mjOBJ_BODY, 0), CREF("body2", mjOBJ_BODY, 0), CREF("site1", mjOBJ_SITE, 0), CREF("site2", mjOBJ_SITE, 0),
  REALN("anchor", 3, mjsEquality, data[0], NULL, 0), END};
static const SchemaRow weld_rows[] = {
  REALN("relpose", 7, mjsEquality, data[3], "0 0 0 0 0 0 0", 0), REAL("torquescale", mjsEquality, data[10], "1", 0), END};
static const SchemaRow equality_joint_rows[] = {
  REF("joint1", mjOBJ_JOINT, mjsEquality, name1, ROW_REQUIRED), REF("joint2", mjOBJ_JOINT, mjsEquality, name2, 0),
  UPTO("polycoef", 5, mjsEquality, data[0], "0 1 0 0 0", 0), END};
static const SchemaRow equality_tendon_rows[] = {
  REF("tendon1", mjOBJ_TENDON, mjsEquality, name1, ROW_REQUIRED), REF("tendon2", mjOBJ_TENDON, mjsEquality, name2, 0),
  UPTO("polycoef", 5, mjsEquality, data[0], "0 1 0 0 0", 0), END};
static const SchemaRow equality_flex_rows[] = {REF("flex", mjOBJ_FLEX, mjsEquality, name1, ROW_REQUIRED), END};
static const SchemaRow equality_cell_rows[] = {CINTS("cell", 3, 3, "0 0 0", 0), END};

// tendon [theory/smooth/tendons.md, Attributes of tendons]

static const SchemaRow tendon_rows[] = {
  NAME, CLASS,
  INT("group", mjsTendon, group, "0", 0),
  KEY("limited", trivalue, mjsTendon, limited, "auto", 0), REALN("range", 2, mjsTendon, range, "0 0", 0),
  KEY("actuatorfrclimited", trivalue, mjsTendon, actfrclimited, "false", 0),
  REALN("actuatorfrcrange", 2, mjsTendon, actfrcrange, "0 0", 0),
  UPTO("solreflimit", mjNREF, mjsTendon, solref_limit, SOLREF, 0),
  UPTO("solimplimit", mjNIMP, mjsTendon, solimp_limit, SOLIMP, 0),
  UPTO("solreffriction", mjNREF, mjsTendon, solref_friction, SOLREF, 0),
  UPTO("solimpfriction", mjNIMP, mjsTendon, solimp_friction, SOLIMP, 0),
  REAL("frictionloss", mjsTendon, frictionloss, "0", 0), CREAL("springlength", 1, 2, "-1 -1", 0),
  REAL("springyield", mjsTendon, springyield, "0", 0),
  REAL("margin", mjsTendon, margin, "0", 0), UPTO("stiffness", 1 + mjNPOLY, mjsTendon, stiffness, "0 0 0", 0),
  UPTO("damping", 1 + mjNPOLY, mjsTendon, damping, "0 0 0", 0), REAL("armature", mjsTendon, armature, "0", 0),
  VECTOR("user", ATTR_REALS, mjsTendon, userdata, 0),
  END};
static const SchemaRow tendon_visual_rows[] = {
  REAL("width", mjsTendon, width, "0.003", 0), REF("material", mjOBJ_MATERIAL, mjsTendon, material, 0),
  REALN("rgba", 4, mjsTendon, rgba, "0.5 0.5 0.5 1", 0), END};
static const SchemaRow wrap_site_rows[] = {CREF("site", mjOBJ_SITE, ROW_REQUIRED), END};
static const SchemaRow wrap_geom_rows[] = {CREF("geom", mjOBJ_GEOM, ROW_REQUIRED), CREF("sidesite", mjOBJ_SITE, 0), END};
static const SchemaRow wrap_pulley_rows[] = {CREAL("divisor", 1, 1, NULL, ROW_REQUIRED), END};
static const SchemaRow wrap_joint_rows[] = {
  CREF("joint", mjOBJ_JOINT, ROW_REQUIRED), CREAL("coef", 1, 1, NULL, ROW_REQUIRED), END};

// actuator [theory/smooth/actuation.md, Actuator shortcuts]

static const SchemaRow actuator_rows[] = {
  NAME, CLASS,
  INT("nsample", mjsActuator, nsample, "0", 0), KEY("interp", interpolations, mjsActuator, interp, "zoh", 0),
  REAL("delay", mjsActuator, delay, "0", 0),
  INT("group", mjsActuator, group, "0", 0), VECTOR("user", ATTR_REALS, mjsActuator, userdata, 0),
  KEY("forcelimited", trivalue, mjsActuator, forcelimited, "auto", 0),
  REALN("forcerange", 2, mjsActuator, forcerange, "0 0", 0), REALN("ctrlrange", 2, mjsActuator, ctrlrange, "0 0", 0), END};
static const SchemaRow actuator_input_rows[] = {CVECTOR("input", ATTR_TEXTS, 0), END};
static const SchemaRow actuator_ranges_rows[] = {
  REALN("velrange", 2, mjsActuator, velrange, "0 0", 0), REALN("ffrange", 2, mjsActuator, ffrange, "0 0", 0),
  REAL("inheritrange", mjsActuator, inheritrange, "0", 0), CVECTOR("input", ATTR_TEXTS, 0), END};
static const SchemaRow actuator_ctrllimited_rows[] = {KEY("ctrllimited", trivalue, mjsActuator, ctrllimited, "auto", 0), END};
static const SchemaRow actuator_actlimited_rows[] = {KEY("actlimited", trivalue, mjsActuator, actlimited, "auto", 0), END};
static const SchemaRow actuator_actrange_rows[] = {REALN("actrange", 2, mjsActuator, actrange, "0 0", 0), END};
static const SchemaRow actuator_gear_rows[] = {
  UPTO("gear", 6, mjsActuator, gear, "1 0 0 0 0 0", 0), REAL("cranklength", mjsActuator, cranklength, "0", 0),
  REALN("lengthrange", 2, mjsActuator, lengthrange, "0 0", ROW_OWN),
  CREF("joint", mjOBJ_JOINT, ROW_OWN), CREF("jointinparent", mjOBJ_JOINT, ROW_OWN), CREF("tendon", mjOBJ_TENDON, ROW_OWN),
  CREF("cranksite", mjOBJ_SITE, ROW_OWN), CREF("slidersite", mjOBJ_SITE, ROW_OWN), END};
static const SchemaRow actuator_motor_rows[] = {
  UPTO("damping", 1 + mjNPOLY, mjsActuator, damping, "0 0 0", 0), REAL("armature", mjsActuator, armature, "0", 0), END};
static const SchemaRow actuator_joint_rows[] = {CREF("joint", mjOBJ_JOINT, ROW_OWN), END};
static const SchemaRow actuator_site_rows[] = {CREF("site", mjOBJ_SITE, ROW_OWN), END};
static const SchemaRow actuator_refsite_rows[] = {CREF("refsite", mjOBJ_SITE, ROW_OWN), END};
static const SchemaRow actuator_body_rows[] = {CREF("body", mjOBJ_BODY, ROW_OWN), END};
static const SchemaRow actuator_act_rows[] = {
  INT("actdim", mjsActuator, actdim, "-1", 0), KEY("dyntype", dyntypes, mjsActuator, dyntype, "none", 0),
  UPTO("dynprm", mjNDYN, mjsActuator, dynprm, "1 0 0 0 0 0 0 0 0 0", 0),
  KEY("actearly", bools, mjsActuator, actearly, "false", 0), END};
static const SchemaRow general_rows[] = {
  KEY("gaintype", gaintypes, mjsActuator, gaintype, "fixed", 0), KEY("biastype", biastypes, mjsActuator, biastype, "none", 0),
  UPTO("gainprm", mjNGAIN, mjsActuator, gainprm, "1 0 0 0 0 0 0 0 0 0", 0),
  UPTO("biasprm", mjNBIAS, mjsActuator, biasprm, "0 0 0 0 0 0 0 0 0 0", 0),
  END};
static const SchemaRow servo_rows[] = {
  CREAL("kp", 1, 1, "1", 0), CREAL("kv", 1, 1, "0", 0), CREAL("dampratio", 1, 1, "0", 0),
  REAL("inheritrange", mjsActuator, inheritrange, "0", 0), END};
static const SchemaRow position_rows[] = {CREAL("timeconst", 1, 1, "0", 0), END};
static const SchemaRow velocity_rows[] = {CREAL("kv", 1, 1, "1", 0), END};
static const SchemaRow damper_rows[] = {CREAL("kv", 1, 1, "0", 0), END};
static const SchemaRow cylinder_rows[] = {
  CREAL("timeconst", 1, 1, "1", 0), CREAL("area", 1, 1, "1", 0), CREAL("diameter", 1, 1, "-1", 0),
  CREAL("bias", 3, 3, "0 0 0", 0), END};
static const SchemaRow muscle_rows[] = {
  CREAL("timeconst", 2, 2, "0.01 0.04", 0), CREAL("tausmooth", 1, 1, "0", ROW_OWN), CREAL("range", 2, 2, "0.75 1.05", 0),
  CREAL("force", 1, 1, "-1", 0), CREAL("scale", 1, 1, "200", 0), CREAL("lmin", 1, 1, "0.5", 0), CREAL("lmax", 1, 1, "1.6", 0),
  CREAL("vmax", 1, 1, "1.5", 0), CREAL("fpmax", 1, 1, "1.3", 0), CREAL("fvmax", 1, 1, "1.2", 0), END};
static const SchemaRow pid_rows[] = {
  CREAL("kp", 1, 1, "1", 0), CREAL("kv", 1, 1, "0", 0), CREAL("dampratio", 1, 1, "0", 0), CREAL("ki", 1, 1, "0", 0),
  CREAL("imax", 1, 1, "0", 0), CREAL("slewmax", 1, 1, "0", 0), CREAL("posrange", 2, 2, "0 0", 0), END};
static const SchemaRow orientation_rows[] = {
  CREAL("kp", 1, 1, "1", 0), CREAL("kv", 1, 1, "0", 0), CREAL("dampratio", 1, 1, "0", 0), END};
static const SchemaRow motor_base_rows[] = {
  NAME, CLASS,
  INT("nsample", mjsActuator, nsample, "0", 0), KEY("interp", interpolations, mjsActuator, interp, "zoh", 0),
  REAL("delay", mjsActuator, delay, "0", 0),
  INT("group", mjsActuator, group, "0", 0), VECTOR("user", ATTR_REALS, mjsActuator, userdata, 0),
  REALN("ctrlrange", 2, mjsActuator, ctrlrange, "0 0", 0), END};
static const SchemaRow dcmotor_rows[] = {
  CREAL("motorconst", 1, 2, "0 0", 0), CREAL("resistance", 1, 1, "0", 0), CREAL("nominal", 1, 3, "0 0 0", 0),
  CREAL("saturation", 1, 3, "0 0 0", 0), CREAL("inductance", 1, 2, "0 0", 0), CREAL("cogging", 1, 3, "0 0 0", 0),
  CREAL("controller", 1, 6, "0 0 0 0 0 0", 0), CREAL("thermal", 1, 6, "0 0 0 0 0 0", 0),
  CREAL("lugre", 1, 5, "0 0 0 0 0", 0), CVECTOR("input", ATTR_TEXTS, 0), END};
static const SchemaRow adhesion_rows[] = {CREAL("gain", 1, 1, "1", 0), END};

// sensor [theory/time/sensors.md, Types of sensors]

static const SchemaRow sensor_name_rows[] = {NAME, END};
static const SchemaRow sensor_cutoff_rows[] = {REAL("cutoff", mjsSensor, cutoff, "0", 0), END};
static const SchemaRow sensor_history_rows[] = {
  INT("nsample", mjsSensor, nsample, "0", 0), KEY("interp", interpolations, mjsSensor, interp, "zoh", 0),
  REAL("delay", mjsSensor, delay, "0", 0), UPTO("interval", 2, mjsSensor, interval, "0 0", 0), END};
static const SchemaRow sensor_noise_rows[] = {REAL("noise", mjsSensor, noise, "0", 0), END};
static const SchemaRow sensor_user_rows[] = {VECTOR("user", ATTR_REALS, mjsSensor, userdata, 0), END};
#define SENSOR_OBJECT(n, obj) {REF(n, obj, mjsSensor, objname, ROW_REQUIRED), END}
static const SchemaRow sensor_site_rows[] = SENSOR_OBJECT("site", mjOBJ_SITE);
static const SchemaRow sensor_ray_rows[] = {
  REF("site", mjOBJ_SITE, mjsSensor, objname, 0), REF("camera", mjOBJ_CAMERA, mjsSensor, objname, 0),
  CVECTOR("data", ATTR_TEXTS, 0), END};
static const SchemaRow sensor_joint_rows[] = SENSOR_OBJECT("joint", mjOBJ_JOINT);
static const SchemaRow sensor_tendon_rows[] = SENSOR_OBJECT("tendon", mjOBJ_TENDON);
static const SchemaRow sensor_actuator_rows[] = SENSOR_OBJECT("actuator", mjOBJ_ACTUATOR);
static const SchemaRow sensor_body_rows[] = SENSOR_OBJECT("body", mjOBJ_BODY);
static const SchemaRow sensor_mesh_rows[] = SENSOR_OBJECT("mesh", mjOBJ_MESH);
static const SchemaRow sensor_frame_rows[] = {
  CKEY("objtype", object_types, NULL, ROW_REQUIRED),
  TEXT("objname", mjsSensor, objname, NULL, ROW_REQUIRED), END};
static const SchemaRow sensor_any_rows[] = {
  CKEY("objtype", object_types, NULL, 0), TEXT("objname", mjsSensor, objname, NULL, 0), END};
static const SchemaRow sensor_ref_rows[] = {
  CKEY("reftype", object_types, NULL, 0), TEXT("refname", mjsSensor, refname, NULL, 0), END};
static const SchemaRow sensor_camera_rows[] = {REF("camera", mjOBJ_CAMERA, mjsSensor, refname, ROW_REQUIRED), END};
static const SchemaRow sensor_insidesite_rows[] = {
  REF("site", mjOBJ_SITE, mjsSensor, refname, ROW_REQUIRED), KEY("enclosed", bools, mjsSensor, intprm[0], "false", 0), END};
static const SchemaRow sensor_geom_rows[] = {REF("geom", mjOBJ_GEOM, mjsSensor, refname, ROW_REQUIRED), END};
static const SchemaRow sensor_distance_rows[] = {
  CREF("geom1", mjOBJ_GEOM, 0), CREF("geom2", mjOBJ_GEOM, 0), CREF("body1", mjOBJ_BODY, 0), CREF("body2", mjOBJ_BODY, 0), END};
static const SchemaRow sensor_contact_rows[] = {
  CREF("site", mjOBJ_SITE, 0), CREF("subtree1", mjOBJ_BODY, 0), CREF("subtree2", mjOBJ_BODY, 0),
  CVECTOR("data", ATTR_TEXTS, 0), CKEY("reduce", reductions, "none", 0), CINT("num", "1", 0), END};
static const SchemaRow sensor_user_type_rows[] = {
  INT("dim", mjsSensor, dim, NULL, ROW_REQUIRED), KEY("datatype", datatypes, mjsSensor, datatype, "real", 0),
  KEY("needstage", stages, mjsSensor, needstage, "acc", 0), END};

// keyframe [theory/model/model.md, Keyframes]

static const SchemaRow key_rows[] = {
  NAME, REAL("time", mjsKey, time, "0", 0),
  VECTOR("qpos", ATTR_REALS, mjsKey, qpos, 0), VECTOR("qvel", ATTR_REALS, mjsKey, qvel, 0),
  VECTOR("act", ATTR_REALS, mjsKey, act, 0), VECTOR("ctrl", ATTR_REALS, mjsKey, ctrl, 0),
  VECTOR("mpos", ATTR_REALS, mjsKey, mpos, 0), VECTOR("mquat", ATTR_REALS, mjsKey, mquat, 0),
  VECTOR("plastic", ATTR_REALS, mjsKey, plastic, 0),
  END};

// elements [theory/model/format.md, Schema]

#define GROUPS(...) {__VA_ARGS__}
#define CONTAINER(n, rule_, flags_, children_) {n, rule_, flags_, 0, children_, {0}}

static const SchemaElement compiler_children[] = {{"lengthrange", '?', 0, 0, NULL, GROUPS(lengthrange_rows)}, END};
static const SchemaElement option_children[] = {
  {"flag", '?', 0, 0, NULL, GROUPS(flag_rows)}, {"behaviour", '?', 0, 0, NULL, GROUPS(behaviour_rows)}, END};
static const SchemaElement visual_children[] = {
  {"global", '?', 0, 0, NULL, GROUPS(visual_global_rows)}, {"quality", '?', 0, 0, NULL, GROUPS(visual_quality_rows)},
  {"headlight", '?', 0, 0, NULL, GROUPS(visual_headlight_rows)}, {"map", '?', 0, 0, NULL, GROUPS(visual_map_rows)},
  {"scale", '?', 0, 0, NULL, GROUPS(visual_scale_rows)}, {"rgba", '?', 0, 0, NULL, GROUPS(visual_rgba_rows)}, END};

static const SchemaElement config_children[] = {{"config", '*', 0, 0, NULL, GROUPS(config_rows)}, END};
static const SchemaElement instance_children[] = {{"instance", '*', 0, 0, config_children, GROUPS(instance_rows)}, END};
static const SchemaElement extension_children[] = {
  {"plugin", '*', 0, 0, instance_children, GROUPS(extension_plugin_rows)}, END};
#define PLUGIN {"plugin", '*', 0, 0, config_children, GROUPS(plugin_rows)}
static const SchemaElement plugin_children[] = {PLUGIN, END};

static const SchemaElement tuple_children[] = {{"element", '*', 0, 0, NULL, GROUPS(tuple_element_rows)}, END};
static const SchemaElement custom_children[] = {
  {"numeric", '*', 0, 0, NULL, GROUPS(numeric_rows)}, {"text", '*', 0, 0, NULL, GROUPS(text_rows)},
  {"tuple", '*', 0, 0, tuple_children, GROUPS(tuple_rows)}, END};

static const SchemaElement skin_children[] = {{"bone", '*', 0, 0, NULL, GROUPS(bone_rows)}, END};
static const SchemaElement material_children[] = {{"layer", '*', 0, 0, NULL, GROUPS(layer_rows)}, END};
static const SchemaElement asset_children[] = {
  {"mesh", '*', 0, 0, plugin_children, GROUPS(mesh_rows)}, {"hfield", '*', 0, 0, NULL, GROUPS(hfield_rows)},
  {"skin", '*', 0, 0, skin_children, GROUPS(skin_rows)}, {"texture", '*', 0, 0, NULL, GROUPS(texture_rows)},
  {"material", '*', 0, 0, material_children, GROUPS(material_rows)}, {"model", '*', 0, 0, NULL, GROUPS(model_rows)}, END};

static const SchemaElement composite_children[] = {
  {"joint", '*', 0, 0, NULL, GROUPS(composite_joint_rows)}, {"skin", '?', 0, 0, NULL, GROUPS(composite_skin_rows)},
  {"geom", '?', 0, 0, NULL, GROUPS(composite_geom_rows)}, {"site", '?', 0, 0, NULL, GROUPS(composite_site_rows)}, PLUGIN, END};
static const SchemaElement flexcomp_children[] = {
  {"edge", '?', 0, 0, NULL, GROUPS(flexcomp_edge_rows, flex_edge_rows)},
  {"elasticity", '?', 0, 0, NULL, GROUPS(flex_elasticity_rows)}, {"contact", '?', 0, 0, NULL, GROUPS(flex_contact_rows)},
  {"pin", '*', 0, 0, NULL, GROUPS(flexcomp_pin_rows)}, PLUGIN, END};
static const SchemaElement flex_children[] = {
  {"contact", '?', 0, 0, NULL, GROUPS(flex_contact_rows)}, {"edge", '?', 0, 0, NULL, GROUPS(flex_edge_rows)},
  {"elasticity", '?', 0, 0, NULL, GROUPS(flex_elasticity_rows)}, END};

// a body may hold bodies; frame and replicate may hold what their body may hold
static const SchemaElement body_children[15] = {
  {"inertial", '?', 0, 0, NULL, GROUPS(inertial_rows)}, {"joint", '*', 0, 0, NULL, GROUPS(joint_rows)},
  {"freejoint", '*', 0, 0, NULL, GROUPS(freejoint_rows)}, {"geom", '*', 0, 0, plugin_children, GROUPS(geom_rows)},
  {"attach", '*', 0, 0, NULL, GROUPS(attach_rows)}, {"site", '*', 0, 0, NULL, GROUPS(site_rows)},
  {"camera", '*', 0, 0, NULL, GROUPS(camera_rows)}, {"light", '*', 0, 0, NULL, GROUPS(light_rows)}, PLUGIN,
  {"composite", '*', 0, 0, composite_children, GROUPS(composite_rows)},
  {"flexcomp", '*', 0, 0, flexcomp_children, GROUPS(flexcomp_rows)},
  {"body", 'R', 0, 0, body_children, GROUPS(body_rows)},
  {"frame", 'R', ELEMENT_UNCHECKED, 0, body_children, GROUPS(frame_rows)},
  {"replicate", 'R', ELEMENT_UNCHECKED, 0, body_children, GROUPS(replicate_rows)}, END};

static const SchemaElement deformable_children[] = {
  {"flex", '*', 0, 0, flex_children, GROUPS(flex_rows)}, {"skin", '*', 0, 0, skin_children, GROUPS(skin_rows)}, END};
static const SchemaElement contact_children[] = {
  {"pair", '*', 0, 0, NULL, GROUPS(pair_rows)}, {"exclude", '*', 0, 0, NULL, GROUPS(exclude_rows)}, END};
static const SchemaElement equality_children[] = {
  {"connect", '*', 0, mjEQ_CONNECT, NULL, GROUPS(equality_rows, equality_bodies_rows)},
  {"weld", '*', 0, mjEQ_WELD, NULL, GROUPS(equality_rows, equality_bodies_rows, weld_rows)},
  {"joint", '*', 0, mjEQ_JOINT, NULL, GROUPS(equality_rows, equality_joint_rows)},
  {"tendon", '*', 0, mjEQ_TENDON, NULL, GROUPS(equality_rows, equality_tendon_rows)},
  {"flex", '*', 0, mjEQ_FLEX, NULL, GROUPS(equality_rows, equality_flex_rows)},
  {"flexstrain", '*', 0, mjEQ_FLEXSTRAIN, NULL, GROUPS(equality_rows, equality_flex_rows, equality_cell_rows)}, END};

static const SchemaElement spatial_children[] = {
  {"site", '*', 0, 0, NULL, GROUPS(wrap_site_rows)}, {"geom", '*', 0, 0, NULL, GROUPS(wrap_geom_rows)},
  {"pulley", '*', 0, 0, NULL, GROUPS(wrap_pulley_rows)}, END};
static const SchemaElement fixed_children[] = {{"joint", '*', 0, 0, NULL, GROUPS(wrap_joint_rows)}, END};
static const SchemaElement tendon_children[] = {
  {"spatial", '*', 0, 0, spatial_children, GROUPS(tendon_rows, tendon_visual_rows)},
  {"fixed", '*', 0, 0, fixed_children, GROUPS(tendon_rows)}, END};

// the actuators, in <actuator> and in a class, where each kind may occur once
#define LIMITED actuator_rows, actuator_ctrllimited_rows
#define TARGET actuator_gear_rows, actuator_motor_rows, actuator_site_rows, actuator_refsite_rows
#define ACTUATORS(rule_, flags_)                                                                                             \
  {"general", rule_, flags_, mjACTUATOR_GENERAL, NULL, GROUPS(LIMITED, actuator_actlimited_rows, actuator_actrange_rows, actuator_gear_rows,  \
                                             actuator_motor_rows, actuator_transmission_rows, actuator_act_rows, general_rows,     \
                                             actuator_ranges_rows)},                                                        \
  {"motor", rule_, flags_, mjACTUATOR_MOTOR, NULL, GROUPS(LIMITED, TARGET)},                                                                \
  {"position", rule_, flags_, mjACTUATOR_POSITION, NULL, GROUPS(LIMITED, TARGET, servo_rows, position_rows)},                                  \
  {"velocity", rule_, flags_, mjACTUATOR_VELOCITY, NULL, GROUPS(LIMITED, TARGET, velocity_rows)},                                              \
  {"intvelocity", rule_, flags_, mjACTUATOR_INTVELOCITY, NULL, GROUPS(LIMITED, TARGET, actuator_actlimited_rows, actuator_actrange_rows, servo_rows)},                      \
  {"damper", rule_, flags_, mjACTUATOR_DAMPER, NULL, GROUPS(actuator_rows, TARGET, damper_rows)},                                            \
  {"cylinder", rule_, flags_, mjACTUATOR_CYLINDER, NULL, GROUPS(LIMITED, TARGET, cylinder_rows)},                                   \
  {"muscle", rule_, flags_, mjACTUATOR_MUSCLE, NULL, GROUPS(LIMITED, actuator_gear_rows, actuator_motor_rows, muscle_rows)},      \
  {"adhesion", rule_, flags_, mjACTUATOR_ADHESION, NULL, GROUPS(actuator_rows, actuator_body_rows, adhesion_rows)},                 \
  {"pid", rule_, flags_, mjACTUATOR_PID, NULL, GROUPS(LIMITED, TARGET, pid_rows, actuator_ranges_rows)},                                  \
  {"orientation", rule_, flags_, mjACTUATOR_ORIENTATION, NULL, GROUPS(actuator_rows, actuator_joint_rows, actuator_site_rows,                     \
                                                 actuator_refsite_rows, orientation_rows, actuator_input_rows)},             \
  {"dcmotor", rule_, flags_, mjACTUATOR_DCMOTOR, NULL, GROUPS(motor_base_rows, actuator_ctrllimited_rows, TARGET, dcmotor_rows)}
static const SchemaRow actuator_transmission_rows[] = {
  CREF("site", mjOBJ_SITE, ROW_OWN), CREF("refsite", mjOBJ_SITE, ROW_OWN), CREF("body", mjOBJ_BODY, ROW_OWN), END};
static const SchemaElement actuator_children[] = {
  ACTUATORS('*', 0),
  {"plugin", '*', 0, 0, config_children, GROUPS(LIMITED, actuator_actlimited_rows, actuator_actrange_rows,
                                                actuator_gear_rows, actuator_motor_rows, actuator_site_rows, actuator_act_rows,
                                                plugin_rows)},
  END};

#define SENSOR_COMMON sensor_name_rows, sensor_cutoff_rows, sensor_noise_rows, sensor_user_rows
#define SENSOR_KEPT SENSOR_COMMON, sensor_history_rows
#define SENSOR(n, type_, ...) {n, '*', 0, type_, NULL, GROUPS(SENSOR_KEPT, __VA_ARGS__)}
static const SchemaElement sensor_children[] = {
  SENSOR("touch", mjSENS_TOUCH, sensor_site_rows),
  SENSOR("accelerometer", mjSENS_ACCELEROMETER, sensor_site_rows),
  SENSOR("velocimeter", mjSENS_VELOCIMETER, sensor_site_rows),
  SENSOR("gyro", mjSENS_GYRO, sensor_site_rows),
  SENSOR("force", mjSENS_FORCE, sensor_site_rows),
  SENSOR("torque", mjSENS_TORQUE, sensor_site_rows),
  SENSOR("magnetometer", mjSENS_MAGNETOMETER, sensor_site_rows),
  SENSOR("camprojection", mjSENS_CAMPROJECTION, sensor_site_rows, sensor_camera_rows),
  SENSOR("rangefinder", mjSENS_RANGEFINDER, sensor_ray_rows),
  SENSOR("jointpos", mjSENS_JOINTPOS, sensor_joint_rows),
  SENSOR("jointvel", mjSENS_JOINTVEL, sensor_joint_rows),
  SENSOR("tendonpos", mjSENS_TENDONPOS, sensor_tendon_rows),
  SENSOR("tendonvel", mjSENS_TENDONVEL, sensor_tendon_rows),
  SENSOR("actuatorpos", mjSENS_ACTUATORPOS, sensor_actuator_rows),
  SENSOR("actuatorvel", mjSENS_ACTUATORVEL, sensor_actuator_rows),
  SENSOR("actuatorfrc", mjSENS_ACTUATORFRC, sensor_actuator_rows),
  SENSOR("jointactuatorfrc", mjSENS_JOINTACTFRC, sensor_joint_rows),
  SENSOR("tendonactuatorfrc", mjSENS_TENDONACTFRC, sensor_tendon_rows),
  SENSOR("ballquat", mjSENS_BALLQUAT, sensor_joint_rows),
  SENSOR("ballangvel", mjSENS_BALLANGVEL, sensor_joint_rows),
  SENSOR("jointlimitpos", mjSENS_JOINTLIMITPOS, sensor_joint_rows),
  SENSOR("jointlimitvel", mjSENS_JOINTLIMITVEL, sensor_joint_rows),
  SENSOR("jointlimitfrc", mjSENS_JOINTLIMITFRC, sensor_joint_rows),
  SENSOR("tendonlimitpos", mjSENS_TENDONLIMITPOS, sensor_tendon_rows),
  SENSOR("tendonlimitvel", mjSENS_TENDONLIMITVEL, sensor_tendon_rows),
  SENSOR("tendonlimitfrc", mjSENS_TENDONLIMITFRC, sensor_tendon_rows),
  SENSOR("framepos", mjSENS_FRAMEPOS, sensor_frame_rows, sensor_ref_rows),
  SENSOR("framequat", mjSENS_FRAMEQUAT, sensor_frame_rows, sensor_ref_rows),
  SENSOR("framexaxis", mjSENS_FRAMEXAXIS, sensor_frame_rows, sensor_ref_rows),
  SENSOR("frameyaxis", mjSENS_FRAMEYAXIS, sensor_frame_rows, sensor_ref_rows),
  SENSOR("framezaxis", mjSENS_FRAMEZAXIS, sensor_frame_rows, sensor_ref_rows),
  SENSOR("framelinvel", mjSENS_FRAMELINVEL, sensor_frame_rows, sensor_ref_rows),
  SENSOR("frameangvel", mjSENS_FRAMEANGVEL, sensor_frame_rows, sensor_ref_rows),
  SENSOR("framelinacc", mjSENS_FRAMELINACC, sensor_frame_rows),
  SENSOR("frameangacc", mjSENS_FRAMEANGACC, sensor_frame_rows),
  SENSOR("subtreecom", mjSENS_SUBTREECOM, sensor_body_rows),
  SENSOR("subtreelinvel", mjSENS_SUBTREELINVEL, sensor_body_rows),
  SENSOR("subtreeangmom", mjSENS_SUBTREEANGMOM, sensor_body_rows),
  SENSOR("insidesite", mjSENS_INSIDESITE, sensor_frame_rows, sensor_insidesite_rows),
  SENSOR("distance", mjSENS_GEOMDIST, sensor_distance_rows),
  SENSOR("normal", mjSENS_GEOMNORMAL, sensor_distance_rows),
  SENSOR("fromto", mjSENS_GEOMFROMTO, sensor_distance_rows),
  {"contact", '*', 0, mjSENS_CONTACT, NULL,
   GROUPS(SENSOR_KEPT, sensor_distance_rows, sensor_contact_rows)},
  SENSOR("e_potential", mjSENS_E_POTENTIAL, NULL),
  SENSOR("e_kinetic", mjSENS_E_KINETIC, NULL),
  SENSOR("clock", mjSENS_CLOCK, NULL),
  {"user", '*', 0, mjSENS_USER, NULL, GROUPS(SENSOR_COMMON, sensor_any_rows, sensor_user_type_rows)},
  {"tactile", '*', 0, mjSENS_TACTILE, NULL, GROUPS(sensor_name_rows, sensor_cutoff_rows, sensor_user_rows, sensor_history_rows, sensor_mesh_rows, sensor_geom_rows)},
  {"plugin", '*', 0, mjSENS_PLUGIN, config_children,
   GROUPS(sensor_name_rows, sensor_cutoff_rows, sensor_user_rows, sensor_any_rows, sensor_ref_rows, plugin_rows)},
  END};

static const SchemaElement keyframe_children[] = {{"key", '*', 0, 0, NULL, GROUPS(key_rows)}, END};

// a class holds one prototype of each kind, and subclasses
static const SchemaRow default_rows[] = {{.name = "class", .kind = ATTR_CLASS, .fallback = "main"}, END};
#define PROTOTYPE(n, ...) {n, '?', ELEMENT_CLASS, 0, NULL, GROUPS(__VA_ARGS__)}
static const SchemaElement default_children[25] = {
  PROTOTYPE("mesh", mesh_rows), PROTOTYPE("texture", texture_rows),
  {"material", '?', ELEMENT_CLASS, 0, material_children, GROUPS(material_rows)},
  PROTOTYPE("joint", joint_rows), PROTOTYPE("geom", geom_rows), PROTOTYPE("site", site_rows),
  PROTOTYPE("camera", camera_rows), PROTOTYPE("light", light_rows), PROTOTYPE("pair", pair_rows),
  PROTOTYPE("equality", equality_rows), PROTOTYPE("tendon", tendon_rows, tendon_visual_rows),
  ACTUATORS('?', ELEMENT_CLASS),
  {"default", 'R', 0, 0, default_children, GROUPS(default_rows)}, END};

static const SchemaElement mujoco_children[] = {
  {"compiler", '*', 0, 0, compiler_children, GROUPS(compiler_rows)},
  {"option", '*', 0, 0, option_children, GROUPS(option_rows)},
  {"size", '*', 0, 0, NULL, GROUPS(size_rows)},
  CONTAINER("visual", '*', 0, visual_children),
  {"statistic", '*', 0, 0, NULL, GROUPS(statistic_rows)},
  {"default", 'R', 0, 0, default_children, GROUPS(default_rows)},
  CONTAINER("extension", '*', 0, extension_children),
  CONTAINER("custom", '*', 0, custom_children),
  CONTAINER("asset", '*', 0, asset_children),
  {"worldbody", '*', 0, 0, body_children, GROUPS(body_rows)},
  CONTAINER("deformable", '*', 0, deformable_children),
  CONTAINER("contact", '*', 0, contact_children),
  CONTAINER("equality", '*', 0, equality_children),
  CONTAINER("tendon", '*', 0, tendon_children),
  CONTAINER("actuator", '*', 0, actuator_children),
  CONTAINER("sensor", '*', 0, sensor_children),
  CONTAINER("keyframe", '*', 0, keyframe_children),
  {"body", 'R', ELEMENT_IGNORED, 0, body_children, GROUPS(body_rows)},
  {"frame", 'R', ELEMENT_IGNORED, 0, body_children, GROUPS(frame_rows)},
  {"replicate", 'R', ELEMENT_IGNORED, 0, body_children, GROUPS(replicate_rows)},
  END};

static const SchemaElement root = {"mujoco", '!', 0, 0, mujoco_children, GROUPS(mujoco_rows)};

const SchemaElement* schema_root(void) {
  return &root;
}

// clang-format on
