// tree.c: scales bodies and what they hold.               theory/model/scaling.md, Elements

#include <math.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/joint.h"
#include "compile/derive/inertia.h"
#include "compile/derive/primitive.h"
#include "compile/scale/factor.h"
#include "compile/scale/steps.h"

// square of the cosine of the largest angle between an axis of a shape and one of the scale, 2
// degrees
#define ALIGNED 0.998782

static void scale_all(double* v, int n, double factor) {
  for (int i = 0; i < n; i++) {
    v[i] *= factor;
  }
}

static void scale_singles(float* v, int n, double factor) {
  for (int i = 0; i < n; i++) {
    v[i] = (float)(v[i] * factor);
  }
}

static void column(double out[3], const double map[9], int k) {
  for (int i = 0; i < 3; i++) {
    out[i] = map[3 * i + k];
  }
}

static double column_length(const double map[9], int k) {
  double v[3];
  column(v, map, k);
  return sqrt(pose_dot(v, v));
}

// Is a direction, to within 2 degrees, one that the map only lengthens? A maps v to a multiple of
// it if v is an eigenvector of A'A, or lies between some with the same eigenvalue.
static int is_principal(const double map[9], const double direction[3]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, other[6] = {0, 1, 2, 1, 2, 2};
  double square[6] = {0}, value[3], quat[4], axes[9], part[3];
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 3; k++) {
      square[i] += map[3 * k + row[i]] * map[3 * k + other[i]];
    }
  }
  inertia_eigen3(value, quat, square, INERTIA_EARLY);
  pose_matrix(axes, quat);
  for (int i = 0; i < 3; i++) {
    part[i] = axes[i] * direction[0] + axes[3 + i] * direction[1] + axes[6 + i] * direction[2];
  }
  double length = pose_dot(direction, direction), most = 0;
  for (int i = 0; i < 3; i++) {
    double within = 0;
    for (int k = 0; k < 3; k++) {
      within += fabs(value[i] - value[k]) <= 1e-9 * value[i] ? part[k] * part[k] : 0;
    }
    most = fmax(most, within);
  }
  return most >= ALIGNED * length;
}

static int keeps_axis(const double map[9], int k) {
  double axis[3] = {0, 0, 0};
  axis[k] = 1;
  return is_principal(map, axis);
}

// A pose's position, and the map in its axes.
static void place(double pos[3], double map[9], const Stretch* stretch, const double quat[4]) {
  factor_map(pos, stretch->map, pos);
  if (stretch->uniform) {
    memcpy(map, stretch->map, sizeof(stretch->map));
  } else {
    factor_turned(map, stretch->map, quat);
  }
}

void scale_orientation(const SpecObject* object, double quat[4], mjsOrientation* alt) {
  const mjsCompiler* options = compile_options(object);
  if (alt->type != mjORIENTATION_QUAT &&
      !mjs_resolveOrientation(quat, options->degree, options->eulerseq, alt)) {
    alt->type = mjORIENTATION_QUAT;
  }
}

// bodies

// With the second moments P = (tr I / 2) 1 - I of a mass distribution about its center,
// P' = m A P A' and I' = (tr P') 1 - P'.
static void scale_inertia(mjsBody* spec, const Stretch* stretch) {
  const double* map = stretch->map;
  double full[6], moments[9], right[9] = {0}, image[9] = {0};
  if (isnan(spec->fullinertia[0])) {
    double none[3] = {0, 0, 0}, quat[4];
    memset(full, 0, sizeof(full));
    memcpy(quat, spec->iquat, sizeof(quat));
    pose_normalize(quat, 4);
    inertia_accumulate(full, 0, none, quat, spec->inertia);
  } else {
    memcpy(full, spec->fullinertia, sizeof(full));
  }
  static const int entry[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  double half = (full[0] + full[1] + full[2]) / 2;
  for (int i = 0; i < 9; i++) {
    moments[i] = (i % 4 ? 0 : half) - full[entry[i]];
  }
  for (int i = 0; i < 9; i++) {
    for (int k = 0; k < 3; k++) {
      right[i] += moments[i / 3 * 3 + k] * map[i % 3 * 3 + k];
    }
  }
  for (int i = 0; i < 9; i++) {
    for (int k = 0; k < 3; k++) {
      image[i] += stretch->scale.mass * map[i / 3 * 3 + k] * right[3 * k + i % 3];
    }
  }
  double trace = image[0] + image[4] + image[8];
  for (int i = 0; i < 9; i++) {
    spec->fullinertia[entry[i]] = (i % 4 ? 0 : trace) - image[i];
  }
  memset(spec->inertia, 0, sizeof(spec->inertia));
  memset(spec->iquat, 0, sizeof(spec->iquat));
  spec->iquat[0] = 1;
  spec->ialt.type = mjORIENTATION_QUAT;
}

static void scale_body(Scaling* s, SpecObject* object) {
  mjsBody* spec = &object->as.body;
  const Stretch* inside = &s->body[object->id];
  if (!inside->scaled) {
    return;
  }
  factor_map(spec->pos, factor_of(s, object)->map, spec->pos);
  if (!isnan(spec->ipos[0])) {
    factor_map(spec->ipos, inside->map, spec->ipos);
  }
  spec->mass *= inside->scale.mass;
  if (inside->uniform) {
    double factor = inside->scale.mass * inside->scale.length * inside->scale.length;
    scale_all(spec->inertia, 3, factor);
    scale_all(spec->fullinertia, 6, factor);
  } else if (!isnan(spec->ipos[0])) {
    scale_orientation(object, spec->iquat, &spec->ialt);
    scale_inertia(spec, inside);
  }
  if (spec->plugin.active) {
    compile_error(s->c, object, "plugins cannot be scaled: body '%s'", spec_name(object));
  }
}

static void scale_joint(Scaling* s, SpecObject* object) {
  mjsJoint* spec = &object->as.joint;
  const Stretch* at = factor_of(s, object);
  s->joint[object->id] = 1;
  if (!at->scaled || spec->type == mjJNT_FREE) {
    return;
  }
  int linear = spec->type == mjJNT_SLIDE;
  if (!at->uniform && !joint_has_quat(spec->type) && !is_principal(at->map, spec->axis)) {
    compile_error(s->c, object,
                  "the axis of this joint is not aligned with the axes of the scale: joint '%s'",
                  spec_name(object));
  }
  factor_map(spec->pos, at->map, spec->pos);
  double force = factor_force(at->scale, linear), stiff = factor_stiffness(at->scale, linear);
  if (linear) {
    double along = factor_along(at, spec->axis);
    s->joint[object->id] = along;
    scale_all(spec->range, 2, along);
    spec->ref *= along;
    spec->springref *= along;
    spec->springyield *= along;
    spec->margin *= along;
    spec->solimp_limit[2] *= (mjtNum)along;
    spec->solimp_friction[2] *= (mjtNum)along;
  }
  double turn = linear ? at->scale.unit_length : 1;
  spec->stiffness *= stiff;
  spec->damping *= stiff;
  for (int k = 0; k < mjNPOLY; k++) {
    stiff /= turn;
    spec->stiffnesspoly[k] *= stiff;
    spec->dampingpoly[k] *= stiff;
  }
  spec->armature *= factor_stiffness(at->scale, linear);
  spec->frictionloss *= force;
  scale_all(spec->actfrcrange, 2, force);
}

// shapes

// Sizes of a shape that keeps its kind under the map.
static void stretch_size(Scaling* s, SpecObject* object, mjtGeom type, double size[3],
                         const double map[9]) {
  double along[3];
  int aligned = 1;
  for (int k = 0; k < 3; k++) {
    along[k] = column_length(map, k);
    aligned &= keeps_axis(map, k);
  }
  const char *name = spec_name(object), *problem = NULL;
  switch (type) {
    case mjGEOM_SPHERE:
      problem = "a sphere can only be scaled uniformly; use an ellipsoid instead";
      break;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      if (!keeps_axis(map, 2)) {
        problem = "the axis of this shape is not aligned with the axes of the scale";
      } else if (fabs(along[0] - along[1]) > 1e-6 * along[0]) {
        problem = "this shape can only be scaled equally across its axis";
      }
      size[0] *= along[0];
      size[1] *= along[2];
      break;
    default:
      problem = aligned ? NULL : "this shape is not aligned with the axes of the scale";
      for (int k = 0; k < 3; k++) {
        size[k] *= along[k];
      }
  }
  if (problem) {
    compile_error(s->c, object, "%s: %s '%s'", problem, spec_typename(object->element.elemtype),
                  name);
  }
}

// The turn that a shape between two points has.
static void turn_of(double quat[4], const double fromto[6]) {
  double axis[3];
  for (int k = 0; k < 3; k++) {
    axis[k] = fromto[k] - fromto[3 + k];
  }
  pose_normalize(axis, 3);
  pose_from_z(quat, axis);
}

// A shape between two points stays one if the map is uniform. Else it becomes one with a pose.
static void scale_ends(mjsGeom* spec, const Stretch* at) {
  double* ends = spec->fromto;
  if (isnan(ends[0])) {
    return;
  }
  if (at->uniform) {
    factor_map(ends, at->map, ends);
    factor_map(ends + 3, at->map, ends + 3);
    return;
  }
  int nsize = primitive(spec->type)->nsize;
  double half[3];
  turn_of(spec->quat, ends);
  for (int k = 0; k < 3; k++) {
    spec->pos[k] = (ends[k] + ends[3 + k]) / 2;
    half[k] = (ends[k] - ends[3 + k]) / 2;
  }
  if (nsize > 1) {
    spec->size[1] = spec->size[0];
    spec->size[nsize - 1] = sqrt(pose_dot(half, half));
  }
  ends[0] = NAN;
}

static void scale_geom(Scaling* s, SpecObject* object) {
  mjsGeom* spec = &object->as.geom;
  const Stretch* at = factor_of(s, object);
  int has_asset = !string_empty(spec->meshname) || spec->type == mjGEOM_HFIELD;
  if (!at->scaled) {
    if (has_asset) {
      scale_use(s, object, at, at->map);
    }
    return;
  }
  double length = at->scale.length, map[9];
  scale_orientation(object, spec->quat, &spec->alt);
  pose_normalize(spec->quat, 4);
  scale_ends(spec, at);
  place(spec->pos, map, at, spec->quat);
  if (has_asset) {
    scale_use(s, object, at, map);
  } else if (at->uniform) {
    scale_all(spec->size, 3, length);
  } else if (spec->type == mjGEOM_PLANE) {
    double spacing = spec->size[2] * length;
    stretch_size(s, object, spec->type, spec->size, map);
    spec->size[2] = spacing;
  } else {
    stretch_size(s, object, spec->type, spec->size, map);
  }
  spec->margin *= length;
  spec->gap *= length;
  factor_map(spec->surfacevel, map, spec->surfacevel);
  spec->adhesion *= factor_force(at->scale, 1);
  scale_all(spec->friction + 1, 2, length);
  spec->solimp[2] *= (mjtNum)length;
  spec->mass *= at->scale.mass;
  spec->density *= at->scale.mass / (length * length * length);
  if (spec->plugin.active) {
    compile_error(s->c, object, "plugins cannot be scaled: geom '%s'", spec_name(object));
  }
}

// Sites only mark places: they are stretched along their own axes, however they lie.
static void scale_site(Scaling* s, SpecObject* object) {
  mjsSite* spec = &object->as.site;
  const Stretch* at = factor_of(s, object);
  if (!at->scaled) {
    if (!string_empty(spec->meshname)) {
      scale_use(s, object, at, at->map);
    }
    return;
  }
  double map[9], turned[4];
  scale_orientation(object, spec->quat, &spec->alt);
  pose_normalize(spec->quat, 4);
  memcpy(turned, spec->quat, sizeof(turned));
  if (!isnan(spec->fromto[0])) {
    turn_of(turned, spec->fromto);
    factor_map(spec->fromto, at->map, spec->fromto);
    factor_map(spec->fromto + 3, at->map, spec->fromto + 3);
  }
  place(spec->pos, map, at, turned);
  if (!string_empty(spec->meshname)) {
    scale_use(s, object, at, map);
  } else if (spec->type == mjGEOM_SPHERE) {
    spec->size[0] *= at->scale.length;
  } else if (at->uniform) {
    scale_all(spec->size, 3, at->scale.length);
  } else if (spec->type == mjGEOM_CAPSULE || spec->type == mjGEOM_CYLINDER) {
    spec->size[0] *= sqrt(column_length(map, 0) * column_length(map, 1));
    spec->size[1] *= column_length(map, 2);
  } else {
    for (int k = 0; k < 3; k++) {
      spec->size[k] *= column_length(map, k);
    }
  }
}

static void scale_camera(Scaling* s, SpecObject* object) {
  mjsCamera* spec = &object->as.camera;
  const Stretch* at = factor_of(s, object);
  double length = at->scale.length;
  factor_map(spec->pos, at->map, spec->pos);
  spec->ipd *= length;
  scale_singles(spec->sensor_size, 2, length);
  scale_singles(spec->focal_length, 2, length);
  scale_singles(spec->principal_length, 2, length);
}

// 1 / (a0 + a1 d + a2 d^2) is the same at a distance s d.
static void scale_light(Scaling* s, SpecObject* object) {
  mjsLight* spec = &object->as.light;
  const Stretch* at = factor_of(s, object);
  double length = at->scale.length;
  factor_map(spec->pos, at->map, spec->pos);
  scale_singles(&spec->range, 1, length);
  scale_singles(&spec->bulbradius, 1, length);
  scale_singles(spec->attenuation + 1, 1, 1 / length);
  scale_singles(spec->attenuation + 2, 1, 1 / (length * length));
}

static void scale_frame(Scaling* s, SpecObject* object) {
  factor_map(object->as.frame.pos, factor_of(s, object)->map, object->as.frame.pos);
}

void scale_tree(Scaling* s) {
  static const struct {
    mjtObj type;
    void (*scale)(Scaling* s, SpecObject* object);
  } kinds[] = {
      {mjOBJ_BODY, scale_body},   {mjOBJ_FRAME, scale_frame}, {mjOBJ_JOINT, scale_joint},
      {mjOBJ_GEOM, scale_geom},   {mjOBJ_SITE, scale_site},   {mjOBJ_CAMERA, scale_camera},
      {mjOBJ_LIGHT, scale_light},
  };
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    for (SPEC_EACH(object, s->c->tree, kinds[k].type)) {
      kinds[k].scale(s, object);
    }
  }
}
