// mjxmacro.h: the fields of mjOption, mjModel and mjData as lists, for programs that treat all of
// them alike (copying, printing, binding to another language).
//
// Define X (and XNV, if it shall differ from X), use a list, undefine X:
//
//   #define X(type, name, nr, nc) printf("%s\n", #name);
//   MJMODEL_POINTERS
//   #undef X
//
// XNV marks arrays that drawing a scene can do without. Arguments of each list:
//   MJOPTION_FLOATS, _INTS, _SCALARS, MJDATA_SCALAR   X(type, name)
//   MJOPTION_VECTORS                                  X(name, length)
//   MJMODEL_INTS                                      X(name)
//   all _POINTERS, MJDATA_VECTOR                      X(type, name, rows, columns)
//
// If the program asks for the generation of 4.0.0 (mujoco/mjversion.h), the lists have what later
// releases added, too, and there are more of them: MJMODEL_SIZES, X(name), is MJMODEL_INTS;
// MJOPTION_FIELDS and MJVISUAL_..._FIELDS, X(type, name, 1) and XVEC(type, name, length);
// MJSTATISTIC_FIELDS, X(name, 1) and XVEC(name, length).
//
// The fields themselves are written in condyle/model_table.h and condyle/data_table.h.

#ifndef MUJOCO_MJXMACRO_H_
#define MUJOCO_MJXMACRO_H_

#include <condyle/data_table.h>
#include <condyle/model_table.h>
#include <mujoco/mjversion.h>

// from a line of a table to the program's X
#define CND_X_SIZE(type, name, meaning) X(name)
#define CND_X_SCALAR(type, name, meaning) X(type, name)
#define CND_X_BYTES(name, meaning) X(size_t, name)
#define CND_X_OPTION_VECTOR(name, length, meaning) X(name, length)
#define CND_X_VECTOR(type, name, n1, n2, meaning) X(type, name, n1, n2)
#define CND_X_BYTES_VECTOR(name, n1, n2, meaning) X(size_t, name, n1, n2)
#define CND_X_ARRAY(type, name, rows, columns, meaning) X(type, name, rows, columns)
#define CND_X_HEAVY(type, name, rows, columns, meaning) XNV(type, name, rows, columns)
#define CND_X_SIZE_SINCE(release, type, name, meaning) X(name)
#define CND_X_SCALAR_SINCE(release, type, name, meaning) X(type, name)
#define CND_X_SINCE(release, absent, type, name, rows, columns, meaning) \
  X(type, name, rows, columns)

// a list of later releases, for programs that ask for them
#if mjVERSION_API >= 400
#define CND_LATER(list, line) list(line)
#else
#define CND_LATER(list, line)
#endif

// a size n that belongs to mjModel or mjData; redefine as m->n or d->n to get its value
#define MJ_M(n) n
#define MJ_D(n) n

// mjOption
#define MJOPTION_FLOATS               \
  CND_OPTION_TOLERANCES(CND_X_SCALAR) \
  CND_OPTION_MEDIUM(CND_X_SCALAR)
#define MJOPTION_INTS CND_OPTION_INTS(CND_X_SCALAR)
#define MJOPTION_SCALARS \
  MJOPTION_FLOATS        \
  MJOPTION_INTS
#define MJOPTION_VECTORS                 \
  CND_OPTION_FIELDS(CND_X_OPTION_VECTOR) \
  CND_OPTION_OVERRIDES(CND_X_OPTION_VECTOR)

#if mjVERSION_API >= 400
#define CND_X_ONE(type, name, meaning) X(type, name, 1)
#define CND_X_XVEC(name, length, meaning) XVEC(mjtNum, name, length)
#define CND_X_ONE_SINCE(release, type, name, meaning) X(type, name, 1)
#define MJOPTION_FIELDS            \
  CND_OPTION_TOLERANCES(CND_X_ONE) \
  CND_OPTION_FIELDS(CND_X_XVEC)    \
  CND_OPTION_MEDIUM(CND_X_ONE)     \
  CND_OPTION_OVERRIDES(CND_X_XVEC) \
  CND_OPTION_INTS(CND_X_ONE)       \
  CND_OPTION_SINCE(CND_X_ONE_SINCE)

// mjStatistic
#define MJSTATISTIC_FIELDS \
  X(meaninertia, 1)        \
  X(meanmass, 1)           \
  X(meansize, 1)           \
  X(extent, 1)             \
  XVEC(center, 3)

// mjVisual, struct by struct
#define MJVISUAL_GLOBAL_FIELDS \
  X(int, cameraid, 1)          \
  X(int, orthographic, 1)      \
  X(float, fovy, 1)            \
  X(float, ipd, 1)             \
  X(float, azimuth, 1)         \
  X(float, elevation, 1)       \
  X(float, linewidth, 1)       \
  X(float, glow, 1)            \
  X(float, realtime, 1)        \
  X(int, offwidth, 1)          \
  X(int, offheight, 1)         \
  X(int, ellipsoidinertia, 1)  \
  X(int, bvactive, 1)
#define MJVISUAL_QUALITY_FIELDS \
  X(int, shadowsize, 1)         \
  X(int, offsamples, 1)         \
  X(int, numslices, 1)          \
  X(int, numstacks, 1)          \
  X(int, numquads, 1)
#define MJVISUAL_HEADLIGHT_FIELDS \
  XVEC(float, ambient, 3)         \
  XVEC(float, diffuse, 3)         \
  XVEC(float, specular, 3)        \
  X(int, active, 1)
#define MJVISUAL_MAP_FIELDS \
  X(float, stiffness, 1)    \
  X(float, stiffnessrot, 1) \
  X(float, force, 1)        \
  X(float, torque, 1)       \
  X(float, alpha, 1)        \
  X(float, fogstart, 1)     \
  X(float, fogend, 1)       \
  X(float, znear, 1)        \
  X(float, zfar, 1)         \
  X(float, haze, 1)         \
  X(float, shadowclip, 1)   \
  X(float, shadowscale, 1)  \
  X(float, actuatortendon, 1)
#define MJVISUAL_SCALE_FIELDS \
  X(float, forcewidth, 1)     \
  X(float, contactwidth, 1)   \
  X(float, contactheight, 1)  \
  X(float, connect, 1)        \
  X(float, com, 1)            \
  X(float, camera, 1)         \
  X(float, light, 1)          \
  X(float, selectpoint, 1)    \
  X(float, jointlength, 1)    \
  X(float, jointwidth, 1)     \
  X(float, actuatorlength, 1) \
  X(float, actuatorwidth, 1)  \
  X(float, framelength, 1)    \
  X(float, framewidth, 1)     \
  X(float, constraint, 1)     \
  X(float, slidercrank, 1)    \
  X(float, frustum, 1)
#define MJVISUAL_RGBA_FIELDS       \
  XVEC(float, fog, 4)              \
  XVEC(float, haze, 4)             \
  XVEC(float, force, 4)            \
  XVEC(float, inertia, 4)          \
  XVEC(float, joint, 4)            \
  XVEC(float, actuator, 4)         \
  XVEC(float, actuatornegative, 4) \
  XVEC(float, actuatorpositive, 4) \
  XVEC(float, com, 4)              \
  XVEC(float, camera, 4)           \
  XVEC(float, light, 4)            \
  XVEC(float, selectpoint, 4)      \
  XVEC(float, connect, 4)          \
  XVEC(float, contactpoint, 4)     \
  XVEC(float, contactforce, 4)     \
  XVEC(float, contactfriction, 4)  \
  XVEC(float, contacttorque, 4)    \
  XVEC(float, contactgap, 4)       \
  XVEC(float, rangefinder, 4)      \
  XVEC(float, constraint, 4)       \
  XVEC(float, slidercrank, 4)      \
  XVEC(float, crankbroken, 4)      \
  XVEC(float, frustum, 4)          \
  XVEC(float, bv, 4)               \
  XVEC(float, bvactive, 4)
#endif

// mjModel: sizes, nbuffer last
#define MJMODEL_INTS                                 \
  CND_LATER(CND_MODEL_SIZES_LATER, CND_X_SIZE_SINCE) \
  CND_MODEL_SIZES(CND_X_SIZE)
#if mjVERSION_API >= 400
#define MJMODEL_SIZES MJMODEL_INTS
#endif

// local variables for the column counts that are sizes of the model m
#define MJMODEL_POINTERS_PREAMBLE(m)      \
  int nuser_body = m->nuser_body;         \
  int nuser_jnt = m->nuser_jnt;           \
  int nuser_geom = m->nuser_geom;         \
  int nuser_site = m->nuser_site;         \
  int nuser_cam = m->nuser_cam;           \
  int nuser_tendon = m->nuser_tendon;     \
  int nuser_actuator = m->nuser_actuator; \
  int nuser_sensor = m->nuser_sensor;     \
  int nq = m->nq;                         \
  int nv = m->nv;                         \
  int na = m->na;                         \
  int nu = m->nu;                         \
  int nmocap = m->nmocap;                 \
  CND_PREAMBLE_SINCE(m)
#if mjVERSION_API >= 400
#define CND_PREAMBLE_SINCE(m) int nplastic = (int)m->nplastic;
#else
#define CND_PREAMBLE_SINCE(m)
#endif

// mjModel: arrays by kind of object
#define MJMODEL_POINTERS_BODY CND_MODEL_BODY(CND_X_ARRAY, CND_X_HEAVY)
#define MJMODEL_POINTERS_JOINT              \
  CND_MODEL_JOINT(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_JOINT_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_DOF              \
  CND_MODEL_DOF(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_DOF_SINCE, CND_X_SINCE)
#if mjVERSION_API >= 400
#define MJMODEL_POINTERS_TREE CND_MODEL_KINEMATIC_SINCE(CND_X_SINCE)
#endif
#define MJMODEL_POINTERS_GEOM              \
  CND_MODEL_GEOM(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_GEOM_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_SITE              \
  CND_MODEL_SITE(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_SITE_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_CAMERA              \
  CND_MODEL_CAMERA(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_CAMERA_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_LIGHT              \
  CND_MODEL_LIGHT(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_LIGHT_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_FLEX              \
  CND_MODEL_FLEX(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_FLEX_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_MESH              \
  CND_MODEL_MESH(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_MESH_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_SKIN CND_MODEL_SKIN(CND_X_ARRAY, CND_X_HEAVY)
#define MJMODEL_POINTERS_HFIELD CND_MODEL_HFIELD(CND_X_ARRAY, CND_X_HEAVY)
#define MJMODEL_POINTERS_TEXTURE              \
  CND_MODEL_TEXTURE(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_TEXTURE_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_MATERIAL CND_MODEL_MATERIAL(CND_X_ARRAY, CND_X_HEAVY)
#define MJMODEL_POINTERS_PAIR              \
  CND_MODEL_PAIR(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_PAIR_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_EXCLUDE CND_MODEL_EXCLUDE(CND_X_ARRAY, CND_X_HEAVY)
#define MJMODEL_POINTERS_EQUALITY CND_MODEL_EQUALITY(CND_X_ARRAY, CND_X_HEAVY)
#define MJMODEL_POINTERS_TENDON              \
  CND_MODEL_TENDON(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_TENDON_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_ACTUATOR              \
  CND_MODEL_ACTUATOR(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_ACTUATOR_SINCE, CND_X_SINCE)
#define MJMODEL_POINTERS_SENSOR              \
  CND_MODEL_SENSOR(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_SENSOR_SINCE, CND_X_SINCE)

// mjModel: all arrays, in the order of the buffer
#define MJMODEL_POINTERS                     \
  CND_MODEL_ARRAYS(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_MODEL_ARRAYS_LATER, CND_X_SINCE)

// how mj_setConst uses the arrays
#if mjVERSION_API >= 400
#include <mujoco/mjsetconst.h>
#endif

// local variables for the column counts of MJDATA_POINTERS
#define MJDATA_POINTERS_PREAMBLE(m) int nv = m->nv;

// mjData: arrays of the buffer
#define MJDATA_POINTERS                         \
  CND_DATA_ARRAYS(CND_X_ARRAY, CND_X_HEAVY)     \
  CND_LATER(CND_DATA_ARRAYS_SINCE, CND_X_SINCE) \
  CND_LATER(CND_DATA_ARRAYS_RESHAPED, CND_X_SINCE)

// mjData: arrays of the arena
#define MJDATA_ARENA_POINTERS_CONTACT CND_DATA_ARENA_CONTACT(CND_X_ARRAY, CND_X_HEAVY)
#define MJDATA_ARENA_POINTERS_SOLVER CND_DATA_ARENA_SOLVER(CND_X_ARRAY, CND_X_HEAVY)
#define MJDATA_ARENA_POINTERS_DUAL              \
  CND_DATA_ARENA_DUAL(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_DATA_ARENA_DUAL_SINCE, CND_X_SINCE)
#define MJDATA_ARENA_POINTERS_ISLAND              \
  CND_DATA_ARENA_ISLAND(CND_X_ARRAY, CND_X_HEAVY) \
  CND_LATER(CND_DATA_ARENA_ISLAND_SINCE, CND_X_SINCE)
#if mjVERSION_API >= 400
#define MJDATA_ARENA_POINTERS_EFM CND_DATA_ARENA_EFM_SINCE(CND_X_SINCE)
#endif
#define MJDATA_ARENA_POINTERS   \
  MJDATA_ARENA_POINTERS_CONTACT \
  MJDATA_ARENA_POINTERS_SOLVER  \
  MJDATA_ARENA_POINTERS_DUAL    \
  MJDATA_ARENA_POINTERS_ISLAND  \
  CND_LATER(CND_DATA_ARENA_EFM_SINCE, CND_X_SINCE)

// mjData: numbers and small arrays inside the struct
#define MJDATA_SCALAR                         \
  CND_DATA_SCALARS(CND_X_BYTES, CND_X_SCALAR) \
  CND_LATER(CND_DATA_SCALARS_SINCE, CND_X_SCALAR_SINCE)
#define MJDATA_VECTOR CND_DATA_VECTORS(CND_X_BYTES_VECTOR, CND_X_VECTOR)

// unless a program wants to tell them apart
#define XNV X

#endif  // MUJOCO_MJXMACRO_H_
