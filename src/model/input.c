// input.c: what the controls of an actuator stand for, and where they are. Actuators of several
// inputs say so in their element, others may. Else it is inferred from the force law:
//
//   force = gain u - k length - b velocity     gain  k   b   activation
//     position                                  k    k   *   none or a filter
//     velocity                                  b    0   b   none
//     intvelocity                               k    k   *   integrator: u is the target's rate
//     cylinder                                  *    *   *   filter, of first order

#include "model/input.h"

#include <mujoco/api/model.h>

#include "base/actuator.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"

int input_of_law(const mjModel* m, int actuator) {
  const mjtNum* gain = m->actuator_gainprm + mjNGAIN * actuator;
  const mjtNum* bias = m->actuator_biasprm + mjNBIAS * actuator;
  int dynamics = m->actuator_dyntype[actuator];
  if (m->actuator_gaintype[actuator] != mjGAIN_FIXED ||
      m->actuator_biastype[actuator] != mjBIAS_AFFINE) {
    return input_default(m->actuator_gaintype[actuator]);
  }
  int is_servo = gain[0] > 0 && bias[0] == 0 && bias[1] == -gain[0];
  int is_damped = gain[0] > 0 && bias[0] == 0 && bias[1] == 0 && bias[2] == -gain[0];
  int is_filter = dynamics == mjDYN_FILTER || dynamics == mjDYN_FILTEREXACT;
  if (is_servo && (dynamics == mjDYN_NONE || is_filter)) {
    return mjINPUT_POS;
  }
  if ((is_servo && dynamics == mjDYN_INTEGRATOR) || (is_damped && dynamics == mjDYN_NONE)) {
    return mjINPUT_VEL;
  }
  return dynamics == mjDYN_FILTER ? mjINPUT_PRESSURE : 0;
}

void inputs_infer(mjModel* m) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    m->actuator_ctrlspec[i] = input_of_law(m, i);
  }
}

// Sums may wrap around in a hostile file, which inputs_invalid finds.
void inputs_place(mjModel* m) {
  unsigned ctrl = 0, out = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    m->actuator_ctrladr[i] = (int)ctrl;
    m->actuator_outadr[i] = (int)out;
    ctrl += (unsigned)m->actuator_ctrlnum[i];
    out += (unsigned)m->actuator_outnum[i];
  }
}

// The least number of activations that the law of an actuator reads. Those of a pid and of a motor
// are there as far as there are any.
static int least_activations(int gain, int dyn) {
  if (dyn == mjDYN_NONE || dyn == mjDYN_PID || dyn == mjDYN_DCMOTOR) {
    return 0;
  }
  return gain == mjGAIN_SO3 && dyn == mjDYN_INTEGRATOR ? 3 : !gain_has_law(gain);
}

static int counts_fit(const mjModel* m, int i) {
  int gain = m->actuator_gaintype[i], least = least_activations(gain, m->actuator_dyntype[i]);
  if ((gain == mjGAIN_SO3) != (m->actuator_trntype[i] == mjTRN_SO3)) {
    return 0;
  }
  return m->actuator_ctrlnum[i] == input_count(gain, m->actuator_ctrlspec[i]) &&
         m->actuator_outnum[i] == output_count(gain) && m->actuator_actnum[i] >= least;
}

int inputs_invalid(const mjModel* m) {
  int64_t ctrl = 0, out = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (!counts_fit(m, i)) {
      return i;
    }
    ctrl += m->actuator_ctrlnum[i];
    out += m->actuator_outnum[i];
  }
  return ctrl == m->nu && out == (int64_t)m->nout ? -1 : (int)m->nactuator;
}

void input_neutral(mjtNum* ctrl, const mjModel* m, int i) {
  mju_zero(ctrl, m->actuator_ctrlnum[i]);
  if (m->actuator_gaintype[i] == mjGAIN_SO3 && m->actuator_ctrlnum[i] == 4) {
    ctrl[0] = 1;
  }
}

void inputs_reset(const mjModel* m, mjData* d) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    input_neutral(d->ctrl + m->actuator_ctrladr[i], m, i);
  }
}

// The name of the k-th of the bits that are set.
static const char* name_of_bit(int bits, int k) {
  static const char* const names[] = {"pos", "vel", "ff", "voltage", NULL, "pressure"};
  for (int bit = 0; bit < 6; bit++) {
    if (bits & (1 << bit) && k-- == 0) {
      return names[bit];
    }
  }
  return NULL;
}

const char* mj_actuatorInputName(const mjModel* m, int id, int input) {
  static const char* const turn[] = {"rx", "ry", "rz"};
  static const char* const quat[] = {"qw", "qx", "qy", "qz"};
  check_given(m);
  check_index("mj_actuatorInputName", "actuator", id, (int)m->nactuator);
  if (input < 0 || input >= m->actuator_ctrlnum[id]) {
    return NULL;
  }
  if (m->actuator_gaintype[id] == mjGAIN_SO3) {
    return m->actuator_ctrlnum[id] == 4 ? quat[input] : turn[input];
  }
  return name_of_bit(m->actuator_ctrlspec[id], input);
}
