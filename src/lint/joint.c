// joint.c: checks of joints that contradict each other, their class, their unit or their limits.

#include <math.h>
#include <mujoco/mjspec.h>
#include <stdlib.h>

#include "base/joint.h"
#include "lint/checks.h"

// Do two joints of a body allow the same motion? Hinges must share their axis, slides only its
// direction.
static int same_motion(const mjModel* m, int a, int b) {
  const mjtNum parallel = (mjtNum)(1 - 1e-6), near = (mjtNum)1e-6;
  if (m->jnt_type[a] != m->jnt_type[b] || joint_has_quat(m->jnt_type[a])) {
    return 0;
  }
  const mjtNum* axis = m->jnt_axis + 3 * a;
  if (fabs(v3_dot(axis, m->jnt_axis + 3 * b)) < parallel) {
    return 0;
  }
  mjtNum offset[3], along;
  v3_sub(offset, m->jnt_pos + 3 * b, m->jnt_pos + 3 * a);
  along = v3_dot(offset, axis);
  v3_addtoscl(offset, axis, -along);
  return m->jnt_type[a] == mjJNT_SLIDE || v3_norm(offset) < near;
}

void check_parallel_joints(Lint* l) {
  const mjModel* m = l->m;
  for (int b = 1; b < m->njnt; b++) {
    for (int a = m->body_jntadr[m->jnt_bodyid[b]]; a < b; a++) {
      if (same_motion(m, a, b)) {
        const mjtNum* axis = m->jnt_axis + 3 * b;
        lint_warn(l, lint_id(l, mjOBJ_JOINT, b), "remove one of them, or turn its axis",
                  "it moves its body along the axis (%.3g %.3g %.3g) of %s: only their sum means "
                  "something",
                  axis[0], axis[1], axis[2], lint_name(l, mjOBJ_JOINT, a).text);
        break;
      }
    }
  }
}

static void warn_negative(Lint* l, mjtObj type, int id, const char* what, mjtNum value) {
  if (value < 0) {
    lint_warn(l, lint_id(l, type, id), lint_hint(l, "%s=\"%.4g\"", what, (double)-value),
              "%s %.4g is negative: it feeds energy into the motion", what, value);
  }
}

void check_negative_loss(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->njnt; i++) {
    int dof = m->jnt_dofadr[i];
    warn_negative(l, mjOBJ_JOINT, i, "stiffness", m->jnt_stiffness[i]);
    warn_negative(l, mjOBJ_JOINT, i, "damping", m->dof_damping[dof]);
    warn_negative(l, mjOBJ_JOINT, i, "armature", m->dof_armature[dof]);
  }
  for (int i = 0; i < m->ntendon; i++) {
    warn_negative(l, mjOBJ_TENDON, i, "stiffness", m->tendon_stiffness[i]);
    warn_negative(l, mjOBJ_TENDON, i, "damping", m->tendon_damping[i]);
  }
}

// Finds values that <joint type="free"> takes from its class and <freejoint/> would not.
void check_inherited_free(Lint* l) {
  for (SPEC_EACH(object, l->tree, mjOBJ_JOINT)) {
    const mjsJoint* joint = &object->as.joint;
    const SpecObject* values = lint_inherited(object);
    if (joint->type != mjJNT_FREE || !values) {
      continue;
    }
    const mjsJoint* from = &values->as.joint;
    const struct {
      const char* name;
      double own, class;
    } losses[] = {{"stiffness", joint->stiffness, from->stiffness},
                  {"damping", joint->damping, from->damping},
                  {"armature", joint->armature, from->armature},
                  {"frictionloss", joint->frictionloss, from->frictionloss}};
    for (int i = 0; i < 4; i++) {
      if (losses[i].own != 0 && losses[i].own == losses[i].class) {
        lint_warn(l, lint_object(object), "write <freejoint/>, which takes nothing from classes",
                  "the free joint takes %s %.4g from class '%s': the body is held back in mid-air",
                  losses[i].name, losses[i].own, object->classname);
        break;
      }
    }
  }
}

static void warn_narrow(Lint* l, mjtObj type, int id, const char* what, int limited,
                        const mjtNum range[2]) {
  const mjtNum narrow = (mjtNum)1e-6;
  if (limited && range[1] - range[0] < narrow) {
    lint_warn(l, lint_id(l, type, id), "widen it, or remove what it holds still",
              "%s %.6g .. %.6g has no width", what, range[0], range[1]);
  }
}

void check_narrow_range(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->njnt; i++) {
    warn_narrow(l, mjOBJ_JOINT, i, "range", m->jnt_limited[i], m->jnt_range + 2 * i);
  }
  for (int i = 0; i < m->ntendon; i++) {
    warn_narrow(l, mjOBJ_TENDON, i, "range", m->tendon_limited[i], m->tendon_range + 2 * i);
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    for (int k = 0; k < m->actuator_ctrlnum[i]; k++) {
      int control = m->actuator_ctrladr[i] + k;
      warn_narrow(l, mjOBJ_ACTUATOR, i, "ctrlrange", m->actuator_ctrllimited[control],
                  m->actuator_ctrlrange + 2 * control);
    }
    warn_narrow(l, mjOBJ_ACTUATOR, i, "forcerange", m->actuator_forcelimited[i],
                m->actuator_forcerange + 2 * i);
  }
}

// Is it a multiple of pi/12 to three digits: 1.57, 3.14, 0.785, ...?
static int looks_radian(double x) {
  double twelfths = fabs(x) * 12 / mjPI, nearest = round(twelfths);
  return nearest >= 1 && nearest <= 24 && fabs(twelfths - nearest) < 1e-3 * nearest;
}

// Is it a multiple of five that would be more than four turns in radians?
static int looks_degree(double x) {
  return fabs(x) > 8 * mjPI && fmod(x, 5) == 0;
}

void check_angle_units(Lint* l) {
  for (SPEC_EACH(object, l->tree, mjOBJ_JOINT)) {
    const mjsJoint* joint = &object->as.joint;
    const double* range = joint->range;
    if ((joint->type != mjJNT_HINGE && joint->type != mjJNT_BALL) ||
        joint->limited == mjLIMITED_FALSE || (range[0] == 0 && range[1] == 0)) {
      continue;
    }
    int degree = lint_options(object)->degree;
    double largest = fmax(fabs(range[0]), fabs(range[1]));
    if (degree && largest < 6.3 && (looks_radian(range[0]) || looks_radian(range[1]))) {
      lint_warn(l, lint_object(object),
                lint_hint(l, "range=\"%.4g %.4g\", or <compiler angle=\"radian\"/>",
                          range[0] * 180 / mjPI, range[1] * 180 / mjPI),
                "range %.5g .. %.5g is in degrees here, but looks like radians", range[0],
                range[1]);
    } else if (!degree && (looks_degree(range[0]) || looks_degree(range[1]))) {
      lint_warn(l, lint_object(object),
                lint_hint(l, "range=\"%.4g %.4g\", or <compiler angle=\"degree\"/>",
                          range[0] * mjPI / 180, range[1] * mjPI / 180),
                "range %.5g .. %.5g is in radians here, %.1f turns, but looks like degrees",
                range[0], range[1], (range[1] - range[0]) / (2 * mjPI));
    }
  }
}

// Distance of a scalar joint from its range, negative inside.
static mjtNum violation(const mjModel* m, int joint, const mjtNum* qpos) {
  mjtNum q = qpos[m->jnt_qposadr[joint]];
  const mjtNum* range = m->jnt_range + 2 * joint;
  return num_max(range[0] - q, q - range[1]);
}

// Models with keyframes are left out, because they may have any zero pose.
void check_initial_limit(Lint* l) {
  const mjtNum slack = (mjtNum)1e-2;  // rounding, relative to the width of the range
  const mjModel* m = l->m;
  for (int i = 0; i < m->njnt; i++) {
    const mjtNum* range = m->jnt_range + 2 * i;
    mjtNum allowed = slack * (range[1] - range[0]);
    if (joint_has_quat(m->jnt_type[i]) || !m->jnt_limited[i] ||
        violation(m, i, m->qpos0) <= allowed) {
      continue;
    }
    int respected = 0;
    for (int k = 0; k < m->nkey; k++) {
      respected |= violation(m, i, m->key_qpos + (size_t)k * (size_t)m->nq) <= allowed;
    }
    if (!respected) {
      lint_warn(l, lint_id(l, mjOBJ_JOINT, i),
                "set ref to the joint's value in the drawn pose, widen the range, or add a "
                "<key> that respects it",
                "it starts at %.4g, outside of its range %.4g .. %.4g%s: the limit pushes it from "
                "the first step on",
                m->qpos0[m->jnt_qposadr[i]], range[0], range[1],
                m->jnt_type[i] == mjJNT_HINGE ? " rad" : " m");
    }
  }
}
