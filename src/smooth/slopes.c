// slopes.c: slopes of gain times input plus bias, and the clamps that make them zero.

#include "smooth/slopes.h"

#include <mujoco/api/base.h>

#include "base/actuator.h"
#include "base/transmission.h"
#include "smooth/actuation.h"
#include "smooth/drive/drive.h"

// What the gain is multiplied by.
// Also implicit_input in lanes/integrate.h.
static mjtNum input_of(const mjModel* m, const mjData* d, int i, mjtNum u, int early) {
  int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  return m->actuator_dyntype[i] == mjDYN_NONE ? u
         : m->actuator_actearly[i] && early
             ? actuator_next_activation(m, d, i, last, d->act_dot[last])
             : d->act[last];
}

// d force / d velocity = bias velocity term + gain velocity term * input
// Also actuator_forces in smooth/actuation.c.
mjtNum actuator_by_velocity(const mjModel* m, const mjData* d, int i, mjtNum u, int early) {
  mjtNum slope = actuator_bias_by_velocity(m, i), gain = actuator_gain_by_velocity(m, d, i);
  return gain != 0 ? slope + gain * input_of(m, d, i, u, early) : slope;
}

// d force / d length = bias length term + gain length term * input
// Also actuator_forces in smooth/actuation.c.
mjtNum actuator_by_length(const mjModel* m, const mjData* d, int i, mjtNum u, int early) {
  mjtNum slope = actuator_bias_by_length(m, d, i), gain = actuator_gain_by_length(m, d, i);
  return gain != 0 ? slope + gain * input_of(m, d, i, u, early) : slope;
}

// Is a sum of forces at an end of its range, but for rounding?
static int is_at(mjtNum x, const mjtNum range[2]) {
  const mjtNum slack = (mjtNum)1e-12;
  return x <= range[0] + slack * mju_abs(range[0]) || x >= range[1] - slack * mju_abs(range[1]);
}

// Also lane_is_saturated in lanes/dynamics/forces.h.
int actuator_is_saturated(const mjModel* m, const mjData* d, int i, const mjtNum* force) {
  int joint = actuator_joint(m, i), tendon = actuator_tendon(m, i);
  if (tendon >= 0 && m->tendon_actfrclimited[tendon]) {
    mjtNum total = 0;
    for (int k = 0; k < (int)m->nactuator; k++) {
      total += actuator_tendon(m, k) == tendon ? d->actuator_force[m->actuator_outadr[k]] : 0;
    }
    if (is_at(total, m->tendon_actfrcrange + 2 * tendon)) {
      return 1;
    }
  }
  if (joint >= 0 && m->jnt_actfrclimited[joint] &&
      is_at(d->qfrc_actuator[m->jnt_dofadr[joint]], m->jnt_actfrcrange + 2 * joint)) {
    return 1;
  }
  return gain_has_law(m->actuator_gaintype[i])
             ? law_clamps(m, i, force)
             : m->actuator_forcelimited[i] && (force[0] <= m->actuator_forcerange[2 * i] ||
                                               force[0] >= m->actuator_forcerange[2 * i + 1]);
}
