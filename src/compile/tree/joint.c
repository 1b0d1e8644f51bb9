// joint.c: compiles joints: axes, limits, springs.
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/joint.h"
#include "compile/context.h"
#include "compile/derive/inertia.h"
#include "compile/limit.h"
#include "compile/tree/frame.h"
#include "compile/tree/tree.h"

// Computes axis and anchor in the body. Free and ball joints have no axis, free joints no anchor.
static void place(Compile* c, const SpecObject* object, double axis[3], double pos[3]) {
  const mjsJoint* spec = &object->as.joint;
  const Pose* frame = frame_of(c, object);
  Pose anchor = POSE_IDENTITY;
  memcpy(anchor.pos, spec->pos, sizeof(anchor.pos));
  pose_compose(&anchor, frame, &anchor);
  memcpy(pos, anchor.pos, sizeof(anchor.pos));
  pose_rotate(axis, spec->axis, frame->quat);

  if (joint_has_quat(spec->type)) {
    axis[0] = axis[1] = 0;
    axis[2] = 1;
  }
  if (spec->type == mjJNT_FREE) {
    pos[0] = pos[1] = pos[2] = 0;
  }
  if (pose_normalize(axis, 3) < COMPILE_EPS) {
    compile_error(c, object, "axis too small in joint: %g %g %g is shorter than %g", spec->axis[0],
                  spec->axis[1], spec->axis[2], COMPILE_EPS);
  }
}

// Resolves the position limit. Degrees become radians only if it applies.
static int position_limit(Compile* c, const SpecObject* object, double range[2]) {
  const mjsJoint* spec = &object->as.joint;
  memcpy(range, spec->range, sizeof(spec->range));
  if (spec->type == mjJNT_FREE) {
    return 0;
  }
  int ball = spec->type == mjJNT_BALL;
  int active = limit_active(c, object, "", spec->limited, range,
                            ball ? NULL : "range[0] should be smaller than range[1] in joint");
  if (active && ball && range[0] != 0) {
    compile_error(c, object, "range[0] should be 0 in ball joint: it is %g", range[0]);
  }
  if (active && compile_options(object)->degree && (ball || spec->type == mjJNT_HINGE)) {
    range[0] *= mjPI / 180;
    range[1] *= mjPI / 180;
  }
  return active;
}

static int force_limit(Compile* c, const SpecObject* object) {
  const mjsJoint* spec = &object->as.joint;
  return !joint_has_quat(spec->type) &&
         limit_active(c, object, "", spec->actfrclimited, spec->actfrcrange,
                      "actfrcrange[0] should be smaller than actfrcrange[1] in joint");
}

// Sets qpos0 and qpos_spring. A free joint starts at the body's pose, a ball joint at the identity.
static void reference(const Compile* c, const SpecObject* object, mjtNum* qpos0, mjtNum* qspring) {
  const mjsJoint* spec = &object->as.joint;
  const BodyWork* body = &c->body[object->parent->id];
  double scale = spec->type == mjJNT_HINGE && compile_options(object)->degree ? mjPI / 180 : 1;
  switch (spec->type) {
    case mjJNT_FREE:
      compile_store(qpos0, body->pose.pos, 3);
      compile_store(qpos0 + 3, body->pose.quat, 4);
      mju_copy(qspring, qpos0, 7);
      break;
    case mjJNT_BALL:
      mju_zero(qpos0, 4);
      mju_zero(qspring, 4);
      qpos0[0] = qspring[0] = 1;
      break;
    default:
      qpos0[0] = (mjtNum)(spec->ref * scale);
      qspring[0] = (mjtNum)(spec->springref * scale);
  }
}

void compile_joint(Compile* c, SpecObject* object) {
  mjModel* m = c->m;
  const mjsJoint* spec = &object->as.joint;
  int i = object->id;
  double axis[3], pos[3], range[2];
  place(c, object, axis, pos);
  int limited = position_limit(c, object, range);

  double timeconst = spec->springdamper[0], dampratio = spec->springdamper[1];
  if ((timeconst != 0 || dampratio != 0) && (timeconst <= 0 || dampratio <= 0)) {
    compile_error(c, object,
                  "when defined, springdamper values must be positive in joint: they are %g %g",
                  timeconst, dampratio);
  }
  c->springdamper[2 * i] = (mjtNum)timeconst;
  c->springdamper[2 * i + 1] = (mjtNum)dampratio;

  m->jnt_type[i] = spec->type;
  m->jnt_bodyid[i] = object->parent->id;
  m->jnt_group[i] = spec->group;
  m->jnt_limited[i] = (mjtByte)limited;
  m->jnt_actfrclimited[i] = (mjtByte)force_limit(c, object);
  m->jnt_actgravcomp[i] = spec->actgravcomp;
  mju_copy(m->jnt_solref + mjNREF * i, spec->solref_limit, mjNREF);
  mju_copy(m->jnt_solimp + mjNIMP * i, spec->solimp_limit, mjNIMP);
  compile_store(m->jnt_pos + 3 * i, pos, 3);
  compile_store(m->jnt_axis + 3 * i, axis, 3);
  m->jnt_stiffness[i] = (mjtNum)spec->stiffness;
  compile_store(m->jnt_stiffnesspoly + mjNPOLY * i, spec->stiffnesspoly, mjNPOLY);
  compile_store(m->jnt_range + 2 * i, range, 2);
  compile_store(m->jnt_actfrcrange + 2 * i, spec->actfrcrange, 2);
  m->jnt_margin[i] = (mjtNum)spec->margin;
  reference(c, object, m->qpos0 + m->jnt_qposadr[i], m->qpos_spring + m->jnt_qposadr[i]);

  int last = i + 1 < m->njnt ? m->jnt_dofadr[i + 1] : m->nv;
  for (int dof = m->jnt_dofadr[i]; dof < last; dof++) {
    m->dof_bodyid[dof] = object->parent->id;
    m->dof_jntid[dof] = i;
    mju_copy(m->dof_solref + mjNREF * dof, spec->solref_friction, mjNREF);
    mju_copy(m->dof_solimp + mjNIMP * dof, spec->solimp_friction, mjNIMP);
    m->dof_frictionloss[dof] = (mjtNum)spec->frictionloss;
    m->dof_armature[dof] = (mjtNum)spec->armature;
    m->dof_damping[dof] = (mjtNum)spec->damping;
    compile_store(m->dof_dampingpoly + mjNPOLY * dof, spec->dampingpoly, mjNPOLY);
  }
}
