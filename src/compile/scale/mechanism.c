// mechanism.c: scales what refers to scaled elements: pairs, equalities, tendons and sensors.
//                                                        theory/model/scaling.md, References
//
// Between two objects the geometric mean of their factors counts.

#include <math.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/scale/steps.h"

static void scale_all(double* v, int n, double factor) {
  for (int i = 0; i < n; i++) {
    v[i] *= factor;
  }
}

static void scale_pair(Scaling* s, SpecObject* object) {
  mjsPair* pair = &object->as.pair;
  Scale by = factor_mean(factor_named(s, object, mjOBJ_GEOM, pair->geomname1),
                         factor_named(s, object, mjOBJ_GEOM, pair->geomname2));
  pair->margin *= by.length;
  pair->gap *= by.length;
  pair->adhesion *= factor_force(by, 1);
  pair->solimp[2] *= (mjtNum)by.length;
  scale_all(pair->friction + 2, 3, by.length);
}

// equality

// Length factor of a joint's coordinate: 1 if it turns.
static double joint_factor(const Scaling* s, const SpecObject* user, const mjString* name) {
  const SpecObject* joint = spec_find(user->tree, mjOBJ_JOINT, string_text(name));
  return joint ? s->joint[joint->id] : 1;
}

static double tendon_factor(const Scaling* s, const SpecObject* user, const mjString* name) {
  const SpecObject* tendon = spec_find(user->tree, mjOBJ_TENDON, string_text(name));
  int linear = 0;
  double length = tendon ? scale_oftendon(s, tendon, &linear).length : 1;
  return linear ? length : 1;
}

// y1 = sum_k c_k y2^k stays true for s1 y1 and s2 y2.
static void scale_polynomial(mjsEquality* equality, double first, double second) {
  for (int k = 0; k < 5; k++) {
    equality->data[k] *= first;
    first /= second;
  }
}

static void map_body(const Scaling* s, const SpecObject* user, const mjString* name, double v[3]) {
  const SpecObject* body = spec_find(user->tree, mjOBJ_BODY, string_text(name));
  if (body) {
    factor_map(v, s->body[body->id].map, v);
  }
}

static void scale_equality(Scaling* s, SpecObject* object) {
  mjsEquality* equality = &object->as.equality;
  mjtObj type = equality->objtype;
  double width = 1;
  if (equality->type == mjEQ_CONNECT || equality->type == mjEQ_WELD) {
    Scale first = factor_named(s, object, type, equality->name1);
    Scale mean = factor_mean(first, factor_named(s, object, type, equality->name2));
    int weld = equality->type == mjEQ_WELD;
    if (type != mjOBJ_SITE) {
      map_body(s, object, weld ? equality->name2 : equality->name1, equality->data);
    }
    if (weld) {
      map_body(s, object, equality->name1, equality->data + 3);
      equality->data[10] *= mean.length;
    }
    width = weld || type == mjOBJ_SITE ? mean.length : first.length;
  } else if (equality->type == mjEQ_JOINT) {
    width = joint_factor(s, object, equality->name1);
    scale_polynomial(equality, width, joint_factor(s, object, equality->name2));
  } else if (equality->type == mjEQ_TENDON) {
    width = tendon_factor(s, object, equality->name1);
    scale_polynomial(equality, width, tendon_factor(s, object, equality->name2));
  }
  equality->solimp[2] *= (mjtNum)width;
}

// tendon

static void scale_tendon(Scaling* s, SpecObject* object) {
  mjsTendon* tendon = &object->as.tendon;
  int linear;
  Scale by = scale_oftendon(s, object, &linear);
  double length = linear ? by.length : 1, stiff = factor_stiffness(by, linear);
  scale_all(tendon->range, 2, length);
  for (int k = 0; k < 2; k++) {
    tendon->springlength[k] *= tendon->springlength[k] > 0 ? length : 1;
  }
  tendon->springyield *= length;
  tendon->margin *= length;
  tendon->width *= by.length;
  tendon->solimp_limit[2] *= (mjtNum)length;
  tendon->solimp_friction[2] *= (mjtNum)length;
  tendon->armature *= stiff;
  tendon->stiffness *= stiff;
  tendon->damping *= stiff;
  for (int k = 0; k < mjNPOLY; k++) {
    stiff /= linear ? by.unit_length : 1;
    tendon->stiffnesspoly[k] *= stiff;
    tendon->dampingpoly[k] *= stiff;
  }
  tendon->frictionloss *= factor_force(by, linear);
  scale_all(tendon->actfrcrange, 2, factor_force(by, linear));
  for (SPEC_EACH_CHILD(it, object, mjOBJ_UNKNOWN)) {
    if (it->as.wrap.pub.type == mjWRAP_JOINT) {
      it->as.wrap.prm *= length / joint_factor(s, object, &it->as.wrap.target);
    }
  }
}

// sensor

typedef enum Dimension_ {
  NONE,
  LENGTH,  // also velocity and acceleration
  FORCE,
  TORQUE,
  MOMENTUM,     // angular
  OF_JOINT,     // coordinate of a joint
  OF_TENDON,    // of a tendon
  OF_ACTUATOR,  // length of an actuator
  JOINT_FORCE,
  TENDON_FORCE,
  ACTUATOR_FORCE,
} Dimension;

static Dimension dimension(mjtSensor type) {
  switch (type) {
    case mjSENS_ACCELEROMETER:
    case mjSENS_VELOCIMETER:
    case mjSENS_RANGEFINDER:
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMELINACC:
    case mjSENS_SUBTREECOM:
    case mjSENS_SUBTREELINVEL:
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
    case mjSENS_INSIDESITE:
      return LENGTH;
    case mjSENS_TOUCH:
    case mjSENS_FORCE:
      return FORCE;
    case mjSENS_TORQUE:
      return TORQUE;
    case mjSENS_SUBTREEANGMOM:
      return MOMENTUM;
    case mjSENS_JOINTPOS:
    case mjSENS_JOINTVEL:
    case mjSENS_JOINTLIMITPOS:
    case mjSENS_JOINTLIMITVEL:
      return OF_JOINT;
    case mjSENS_TENDONPOS:
    case mjSENS_TENDONVEL:
    case mjSENS_TENDONLIMITPOS:
    case mjSENS_TENDONLIMITVEL:
      return OF_TENDON;
    case mjSENS_ACTUATORPOS:
    case mjSENS_ACTUATORVEL:
      return OF_ACTUATOR;
    case mjSENS_JOINTACTFRC:
    case mjSENS_JOINTLIMITFRC:
      return JOINT_FORCE;
    case mjSENS_TENDONACTFRC:
    case mjSENS_TENDONLIMITFRC:
      return TENDON_FORCE;
    case mjSENS_ACTUATORFRC:
      return ACTUATOR_FORCE;
    default:
      return NONE;
  }
}

// What a mechanism that moves something does to lengths and forces along it.
static void mechanism_factors(const Scaling* s, const SpecObject* user, Dimension of,
                              const mjString* name, double length[1], double force[1]) {
  Scale by = {1, 1, 1, 1};
  int linear = 0;
  if (of == OF_JOINT || of == JOINT_FORCE) {
    const SpecObject* joint = spec_find(user->tree, mjOBJ_JOINT, string_text(name));
    by = joint ? factor_of(s, joint)->scale : by;
    linear = joint && joint->as.joint.type == mjJNT_SLIDE;
  } else if (of == OF_TENDON || of == TENDON_FORCE) {
    const SpecObject* tendon = spec_find(user->tree, mjOBJ_TENDON, string_text(name));
    by = tendon ? scale_oftendon(s, tendon, &linear) : by;
  } else {
    const SpecObject* actuator = spec_find(user->tree, mjOBJ_ACTUATOR, string_text(name));
    by = actuator ? scale_ofactuator(s, actuator, &linear) : by;
  }
  *length = linear ? by.length : 1;
  *force = factor_force(by, linear);
}

static void scale_sensor(Scaling* s, SpecObject* object) {
  mjsSensor* sensor = &object->as.sensor;
  Dimension of = dimension(sensor->type);
  double length, force;
  if (of == NONE) {
    return;
  }
  if (of >= OF_JOINT) {
    mechanism_factors(s, object, of, sensor->objname, &length, &force);
    sensor->cutoff *= of >= JOINT_FORCE ? force : length;
    return;
  }
  Scale by = factor_named(s, object, sensor->objtype, sensor->objname);
  if (sensor->type == mjSENS_GEOMDIST || sensor->type == mjSENS_GEOMNORMAL ||
      sensor->type == mjSENS_GEOMFROMTO) {
    by = factor_mean(by, factor_named(s, object, sensor->reftype, sensor->refname));
  }
  sensor->cutoff *= of == LENGTH   ? by.length
                    : of == FORCE  ? factor_force(by, 1)
                    : of == TORQUE ? factor_force(by, 0)
                                   : by.mass * by.length * by.length;
}

// Tactile sensors measure by the vertices of a mesh, in the frame of a site.
static void check_tactile(Scaling* s, SpecObject* object) {
  mjsSensor* sensor = &object->as.sensor;
  const SpecObject* geom = spec_find(object->tree, mjOBJ_GEOM, string_text(sensor->refname));
  if (geom && factor_of(s, geom)->scaled) {
    compile_error(s->c, object, "tactile sensors cannot be scaled: sensor '%s'", spec_name(object));
  }
}

void scale_mechanism(Scaling* s) {
  SpecTree* tree = s->c->tree;
  for (SPEC_EACH(pair, tree, mjOBJ_PAIR)) {
    scale_pair(s, pair);
  }
  for (SPEC_EACH(equality, tree, mjOBJ_EQUALITY)) {
    scale_equality(s, equality);
  }
  for (SPEC_EACH(sensor, tree, mjOBJ_SENSOR)) {
    if (sensor->as.sensor.type == mjSENS_TACTILE) {
      check_tactile(s, sensor);
    } else {
      scale_sensor(s, sensor);
    }
  }
  for (SPEC_EACH(tendon, tree, mjOBJ_TENDON)) {
    scale_tendon(s, tendon);
  }
}
