// law.c: chooses the law of an actuator, by its gain.

#include "smooth/drive/drive.h"

#include "base/algebra/vec.h"
#include "smooth/drive/laws.h"

void law_rates(const mjModel* m, mjData* d, int i, const mjtNum* u) {
  switch (m->actuator_gaintype[i]) {
    case mjGAIN_PID:
      pid_rates(m, d, i, u);
      break;
    case mjGAIN_SO3:
      orientation_rates(m, d, i, u);
      break;
    case mjGAIN_DCMOTOR:
      motor_rates(m, d, i, u);
      break;
    default:
      break;
  }
}

void law_forces(mjtNum* force, const mjModel* m, const mjData* d, int i, const mjtNum* u) {
  switch (m->actuator_gaintype[i]) {
    case mjGAIN_PID:
      *force = pid_force(m, d, i, u);
      break;
    case mjGAIN_SO3:
      orientation_forces(force, m, d, i, u);
      break;
    case mjGAIN_DCMOTOR:
      *force = motor_force(m, d, i, u);
      break;
    default:
      break;
  }
}

int law_clamps(const mjModel* m, int i, const mjtNum* force) {
  const mjtNum* range = m->actuator_forcerange + 2 * i;
  if (!m->actuator_forcelimited[i]) {
    return 0;
  }
  return m->actuator_gaintype[i] == mjGAIN_SO3 ? v3_norm(force) > range[1]
                                               : force[0] < range[0] || force[0] > range[1];
}

mjtNum law_by_length(const mjModel* m, const mjData* d, int i, const mjtNum* u, int is_saturated) {
  if (m->actuator_gaintype[i] == mjGAIN_DCMOTOR) {
    return motor_by_length(m, d, i, u, is_saturated);
  }
  return is_saturated ? 0 : m->actuator_biasprm[mjNBIAS * i + 1];
}

mjtNum law_by_velocity(const mjModel* m, const mjData* d, int i, const mjtNum* u,
                       int is_saturated) {
  if (m->actuator_gaintype[i] == mjGAIN_DCMOTOR) {
    return motor_by_velocity(m, d, i, u, is_saturated);
  }
  return is_saturated ? 0 : m->actuator_biasprm[mjNBIAS * i + 2];
}
