// reduce.c: tools for removing bodies and geoms while masses stay.

#include "compile/tree/reduce.h"

#include <math.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "compile/derive/inertia.h"
#include "spec/reference.h"

typedef struct Marking_ {
  SpecTree* tree;
  mjtObj type;
} Marking;

static int mark(const NameUse* use, void* context) {
  const Marking* marking = context;
  mjtObj type = use->type == mjOBJ_XBODY ? mjOBJ_BODY : use->type;
  if (type == marking->type) {
    SpecObject* object = spec_find(marking->tree, type, string_text(use->name));
    if (object) {
      object->copy = object;
    }
  }
  return 1;
}

void reduce_mark(SpecTree* tree, mjtObj type, const mjtObj* by, int count) {
  Marking marking = {tree, type};
  for (int i = 0; i < count; i++) {
    for (SPEC_EACH(it, tree, by[i])) {
      reference_visit(it, mark, &marking);
    }
  }
}

void reduce_markbodies(SpecTree* tree) {
  REDUCE_MARK(tree, mjOBJ_BODY, mjOBJ_CAMERA, mjOBJ_LIGHT, mjOBJ_SKIN, mjOBJ_PAIR, mjOBJ_EXCLUDE,
              mjOBJ_EQUALITY, mjOBJ_TENDON, mjOBJ_ACTUATOR, mjOBJ_SENSOR, mjOBJ_TUPLE);
  for (SPEC_EACH(it, tree, mjOBJ_SENSOR)) {
    const mjsSensor* sensor = &it->as.sensor;
    SpecObject* site = NULL;
    if (sensor->type == mjSENS_FORCE || sensor->type == mjSENS_TORQUE) {
      site = spec_find(tree, mjOBJ_SITE, string_text(sensor->objname));
    }
    if (site && !site->parent->copy) {
      site->parent->copy = site;
    }
  }
}

void reduce_addmass(BodyWork* parent, const BodyWork* body, int isright, InertiaAxes exact) {
  double center[3], mass = parent->mass + body->mass, full[6] = {0}, offset[3];
  Pose inertial;
  pose_compose(&inertial, &body->pose, &body->inertial);
  const double* axes = isright ? inertial.quat : body->inertial.quat;
  pose_rotate(center, body->pose.pos, body->inertial.quat);
  double common[3];
  for (int i = 0; i < 3; i++) {
    center[i] = isright ? inertial.pos[i] : center[i] + body->inertial.pos[i];
    common[i] = (parent->mass * parent->inertial.pos[i] + body->mass * center[i]) / mass;
    offset[i] = parent->inertial.pos[i] - common[i];
  }
  inertia_accumulate(full, parent->mass, offset, parent->inertial.quat, parent->inertia);
  for (int i = 0; i < 3; i++) {
    offset[i] = center[i] - common[i];
  }
  inertia_accumulate(full, body->mass, offset, axes, body->inertia);
  parent->mass = mass;
  memcpy(parent->inertial.pos, common, sizeof(common));
  inertia_eigen3(parent->inertia, parent->inertial.quat, full, exact);
}

static int in_fluid(const SpecTree* tree) {
  return tree->spec.option.density > 0 || tree->spec.option.viscosity > 0;
}

static int has_ellipsoid(const SpecObject* body) {
  for (SPEC_EACH_CHILD(geom, body, mjOBJ_GEOM)) {
    if (geom->as.geom.fluid_ellipsoid > 0) {
      return 1;
    }
  }
  return 0;
}

int reduce_feels_other(const SpecObject* body, const SpecObject* parent, double mass) {
  int ground = parent == body->tree->world;
  return (mass > 0 && body->as.body.gravcomp != parent->as.body.gravcomp && !ground) ||
         (in_fluid(body->tree) && !ground && (mass > 0 || has_ellipsoid(body)));
}

void reduce_freeze(mjsBody* body, const BodyWork* work) {
  Pose inertial = work->inertial;
  if (work->aligned) {
    pose_inverse(&inertial, &work->unalign);
  }
  memcpy(body->ipos, inertial.pos, sizeof(body->ipos));
  memcpy(body->iquat, inertial.quat, sizeof(body->iquat));
  memcpy(body->inertia, work->inertia, sizeof(body->inertia));
  body->mass = work->mass;
  body->fullinertia[0] = NAN;
  mjs_defaultOrientation(&body->ialt);
  body->explicitinertial = 1;
}
