// actuator.c: checks of actuators without bounds, without effect, or with targets in another unit.

#include <mujoco/api/base.h>

#include "base/actuator.h"
#include "base/transmission.h"
#include "lint/checks.h"

// Does the joint or tendon of the actuator limit its force?
static int target_limited(const mjModel* m, int i) {
  int joint = actuator_joint(m, i), tendon = actuator_tendon(m, i);
  return (joint >= 0 && m->jnt_actfrclimited[joint]) ||
         (tendon >= 0 && m->tendon_actfrclimited[tendon]);
}

// Muscles are left out, because they clamp their control themselves.
void check_no_ctrlrange(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (!m->actuator_ctrlnum[i]) {
      continue;
    }
    int limited = m->actuator_ctrllimited[m->actuator_ctrladr[i]] || m->actuator_forcelimited[i] ||
                  m->actuator_actlimited[i];
    if (limited || gain_has_law(m->actuator_gaintype[i]) ||
        m->actuator_dyntype[i] == mjDYN_MUSCLE || m->actuator_plugin[i] >= 0 ||
        target_limited(m, i)) {
      continue;
    }
    lint_warn(l, lint_id(l, mjOBJ_ACTUATOR, i),
              "ctrlrange=\"-1 1\", or what the real one can do, or a forcerange",
              "nothing bounds its control or its force: a controller can ask for any of it (gain "
              "%.4g, gear %.4g)",
              m->actuator_gainprm[mjNGAIN * i], m->actuator_gear[6 * m->actuator_outadr[i]]);
  }
}

// Is it a position servo, with gain kp and bias -kp q?
static int is_servo(const mjModel* m, int i) {
  mjtNum kp = m->actuator_gainprm[mjNGAIN * i];
  return m->actuator_gaintype[i] == mjGAIN_FIXED && m->actuator_biastype[i] == mjBIAS_AFFINE &&
         kp > 0 && m->actuator_biasprm[mjNBIAS * i + 1] == -kp;
}

void check_ctrlrange_units(Lint* l) {
  const mjtNum factor = 10;  // a range in degrees is 57 times as wide
  const mjModel* m = l->m;
  for (int i = 0; i < (int)m->nactuator; i++) {
    int joint = m->actuator_trnid[2 * i];
    if (m->actuator_trntype[i] != mjTRN_JOINT || m->jnt_type[joint] != mjJNT_HINGE ||
        !m->jnt_limited[joint] || !is_servo(m, i) ||
        !m->actuator_ctrllimited[m->actuator_ctrladr[i]]) {
      continue;
    }
    const mjtNum *ctrl = m->actuator_ctrlrange + 2 * m->actuator_ctrladr[i],
                 *range = m->jnt_range + 2 * joint;
    mjtNum gear = mju_abs(m->actuator_gear[6 * m->actuator_outadr[i]]);
    if (gear > mjMINVAL && ctrl[1] - ctrl[0] > factor * gear * (range[1] - range[0])) {
      lint_warn(l, lint_id(l, mjOBJ_ACTUATOR, i),
                lint_hint(l,
                          "ctrlrange=\"%.4g %.4g\"; ctrlrange is in radians, whatever the "
                          "compiler's angle",
                          (double)ctrl[0] * mjPI / 180, (double)ctrl[1] * mjPI / 180),
                "its targets %.4g .. %.4g rad go far beyond the range %.4g .. %.4g rad of %s: "
                "degrees?",
                ctrl[0], ctrl[1], range[0], range[1], lint_name(l, mjOBJ_JOINT, joint).text);
    }
  }
}

void check_dead_actuator(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < (int)m->nactuator; i++) {
    int no_gain =
        (m->actuator_gaintype[i] == mjGAIN_FIXED || m->actuator_gaintype[i] == mjGAIN_AFFINE) &&
        mju_isZero(m->actuator_gainprm + mjNGAIN * i, 3);
    int no_bias = m->actuator_biastype[i] == mjBIAS_NONE ||
                  (m->actuator_biastype[i] == mjBIAS_AFFINE &&
                   mju_isZero(m->actuator_biasprm + mjNBIAS * i, 3));
    int no_gear = mju_isZero(m->actuator_gear + 6 * m->actuator_outadr[i], 6) &&
                  m->actuator_trntype[i] != mjTRN_BODY;
    if (no_gear) {
      lint_warn(l, lint_id(l, mjOBJ_ACTUATOR, i), "gear=\"1\"",
                "its gear is 0: its force reaches nothing");
    } else if (no_gain && no_bias) {
      lint_warn(l, lint_id(l, mjOBJ_ACTUATOR, i), "a gain other than 0, or no actuator",
                "its gain and its bias are 0: its force is always 0");
    }
  }
}
