// input.c: what the control of an actuator stands for. In later releases of the interface the
// actuator's element in the model file decides that. Here it is inferred from the force law:
//
//   force = gain u - k length - b velocity     gain  k   b   activation
//     position                                  k    k   *   none or a filter
//     velocity                                  b    0   b   none
//     intvelocity                               k    k   *   integrator: u is the target's rate
//     cylinder                                  *    *   *   filter, of first order

#include "model/data/input.h"

#include <mujoco/api/model.h>

#include "base/memory/check.h"

int actuator_input(const mjModel* m, int actuator) {
  const mjtNum* gain = m->actuator_gainprm + mjNGAIN * actuator;
  const mjtNum* bias = m->actuator_biasprm + mjNBIAS * actuator;
  int dynamics = m->actuator_dyntype[actuator];
  if (m->actuator_gaintype[actuator] != mjGAIN_FIXED ||
      m->actuator_biastype[actuator] != mjBIAS_AFFINE) {
    return INPUT_PLAIN;
  }
  int is_servo = gain[0] > 0 && bias[0] == 0 && bias[1] == -gain[0];
  int is_damped = gain[0] > 0 && bias[0] == 0 && bias[1] == 0 && bias[2] == -gain[0];
  int is_filter = dynamics == mjDYN_FILTER || dynamics == mjDYN_FILTEREXACT;
  if (is_servo && (dynamics == mjDYN_NONE || is_filter)) {
    return INPUT_POSITION;
  }
  if ((is_servo && dynamics == mjDYN_INTEGRATOR) || (is_damped && dynamics == mjDYN_NONE)) {
    return INPUT_VELOCITY;
  }
  return dynamics == mjDYN_FILTER ? INPUT_PRESSURE : INPUT_PLAIN;
}

const char* mj_actuatorInputName(const mjModel* m, int id, int input) {
  check_given(m);
  check_index("mj_actuatorInputName", "actuator", id, m->nu);
  if (input != 0) {
    return NULL;
  }
  switch (actuator_input(m, id)) {
    case INPUT_POSITION:
      return "pos";
    case INPUT_VELOCITY:
      return "vel";
    case INPUT_PRESSURE:
      return "pressure";
    default:
      return NULL;
  }
}
