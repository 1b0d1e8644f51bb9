// keyframe.c: checks of keyframes that don't fit the model.

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>

#include "base/joint.h"
#include "base/memory/memory.h"
#include "lint/checks.h"
#include "spec/key.h"

// Checked in the spec, because compiling fills up short arrays.
void check_key_length(Lint* l) {
  static const char* const name[KEY_NFIELD] = {
      [KEY_QPOS] = "qpos", [KEY_QVEL] = "qvel",   [KEY_ACT] = "act",        [KEY_CTRL] = "ctrl",
      [KEY_MPOS] = "mpos", [KEY_MQUAT] = "mquat", [KEY_PLASTIC] = "plastic"};
  KeyLayout layout;
  if (!key_layout(&layout, l->tree)) {
    mju_error(MEMORY_OUT);
  }
  for (SPEC_EACH(key, l->tree, mjOBJ_KEY)) {
    for (int field = 0; field < KEY_NFIELD; field++) {
      size_t given = key_field(key, field)->num, needed = layout.size[field];
      if (given > 0 && given < needed) {
        lint_warn(l, lint_object(key), lint_hint(l, "give all %zu, or none", needed),
                  "%s has %zu numbers, the model has %zu: the rest is filled up", name[field],
                  given, needed);
      }
    }
  }
  heap_free(layout.slot);
}

// Reports a value outside of its range. An excess of a hundredth of the width counts as rounding.
static void warn_outside(Lint* l, int key, const char* what, LintName owner, mjtNum value,
                         const mjtNum range[2], const char* fate) {
  const mjtNum slack = (mjtNum)1e-2;
  mjtNum allowed = slack * (range[1] - range[0]);
  if (value < range[0] - allowed || value > range[1] + allowed) {
    lint_warn(l, lint_id(l, mjOBJ_KEY, key), lint_hint(l, "from %.4g to %.4g", range[0], range[1]),
              "the %s %.4g of %s is outside of its range %.4g .. %.4g: %s", what, value, owner.text,
              range[0], range[1], fate);
  }
}

static void check_joints(Lint* l, int key) {
  const char* fate = "the limit pushes it away in the first step";
  const mjModel* m = l->m;
  for (int i = 0; i < m->njnt; i++) {
    const mjtNum* q = l->d->qpos + m->jnt_qposadr[i];
    if (!m->jnt_limited[i] || m->jnt_type[i] == mjJNT_FREE) {
      continue;
    }
    mjtNum value = q[0];
    if (m->jnt_type[i] == mjJNT_BALL) {
      value = 2 * mju_atan2(mju_sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), mju_abs(q[0]));
    }
    warn_outside(l, key, m->jnt_type[i] == mjJNT_SLIDE ? "position" : "angle",
                 lint_name(l, mjOBJ_JOINT, i), value, m->jnt_range + 2 * i, fate);
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_limited[i]) {
      warn_outside(l, key, "length", lint_name(l, mjOBJ_TENDON, i), l->d->ten_length[i],
                   m->tendon_range + 2 * i, fate);
    }
  }
}

static void check_controls(Lint* l, int key) {
  const mjModel* m = l->m;
  const mjtNum* ctrl = m->key_ctrl + (size_t)key * (size_t)m->nu;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_ctrllimited[i]) {
      warn_outside(l, key, "control", lint_name(l, mjOBJ_ACTUATOR, i), ctrl[i],
                   m->actuator_ctrlrange + 2 * i, "it is clamped");
    }
  }
}

// Only the last activation of an actuator is limited.
static void check_activations(Lint* l, int key) {
  const mjModel* m = l->m;
  const mjtNum* act = m->key_act + (size_t)key * (size_t)m->na;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_actlimited[i] && m->actuator_actnum[i] > 0) {
      int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
      warn_outside(l, key, "activation", lint_name(l, mjOBJ_ACTUATOR, i), act[last],
                   m->actuator_actrange + 2 * i, "it is clamped");
    }
  }
}

// Only given arrays are checked: the others have the values of a reset.
void check_key_limit(Lint* l) {
  for (int i = 0; i < l->m->nkey; i++) {
    const SpecObject* object = lint_id(l, mjOBJ_KEY, i).object;
    const mjsKey* given = object ? &object->as.key : NULL;
    if (!given || given->qpos->num > 0) {
      lint_pose(l, i);
      check_joints(l, i);
    }
    if (!given || given->ctrl->num > 0) {
      check_controls(l, i);
    }
    if (!given || given->act->num > 0) {
      check_activations(l, i);
    }
  }
  lint_pose(l, -1);
}

static void warn_quaternion(Lint* l, int key, LintName owner, const double q[4]) {
  const double rounding = 2e-3, nothing = 1e-10;  // components may be rounded to three digits
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (fabs(length - 1) <= rounding || isnan(length)) {
    return;
  }
  if (length < nothing) {
    lint_warn(l, lint_id(l, mjOBJ_KEY, key), "1 0 0 0 is no rotation",
              "the quaternion of %s is zero: no rotation takes its place", owner.text);
    return;
  }
  lint_warn(l, lint_id(l, mjOBJ_KEY, key),
            lint_hint(l, "%.5g %.5g %.5g %.5g", q[0] / length, q[1] / length, q[2] / length,
                      q[3] / length),
            "the quaternion %.4g %.4g %.4g %.4g of %s has length %.4g, not 1: are the numbers "
            "where they belong?",
            q[0], q[1], q[2], q[3], owner.text, length);
}

// Checks quaternions of the spec, because those of the model are normalized.
void check_key_quaternion(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->nkey; i++) {
    const SpecObject* object = lint_id(l, mjOBJ_KEY, i).object;
    if (!object) {
      continue;
    }
    const mjDoubleVec *qpos = object->as.key.qpos, *mquat = object->as.key.mquat;
    for (int j = 0; j < m->njnt; j++) {
      int type = m->jnt_type[j], adr = m->jnt_qposadr[j] + joint_scalars(type);
      if (joint_has_quat(type) && (size_t)adr + 4 <= qpos->num) {
        warn_quaternion(l, i, lint_name(l, mjOBJ_JOINT, j), qpos->ptr + adr);
      }
    }
    for (int b = 0; b < m->nbody; b++) {
      size_t adr = 4 * (size_t)(m->body_mocapid[b] < 0 ? 0 : m->body_mocapid[b]);
      if (m->body_mocapid[b] >= 0 && adr + 4 <= mquat->num) {
        warn_quaternion(l, i, lint_name(l, mjOBJ_BODY, b), mquat->ptr + adr);
      }
    }
  }
}
