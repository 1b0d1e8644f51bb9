// laws.h: the laws of controllers (pid), orientations and motors, one file each; u are controls.
//                                                    theory/smooth/actuation.md, Several inputs

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/vec.h"

// Rate of an integral of errors, which grows no further beyond a bound; bound 0: none.
static inline mjtNum integral_rate(mjtNum error, mjtNum integral, mjtNum bound) {
  if (!(bound > 0)) {
    return error;
  }
  return integral >= bound ? num_min(error, 0) : integral <= -bound ? num_max(error, 0) : error;
}

// controllers

void pid_rates(const mjModel* m, mjData* d, int actuator, const mjtNum* u);
mjtNum pid_force(const mjModel* m, const mjData* d, int actuator, const mjtNum* u);

// orientations

void orientation_rates(const mjModel* m, mjData* d, int actuator, const mjtNum* u);
void orientation_forces(mjtNum force[3], const mjModel* m, const mjData* d, int actuator,
                        const mjtNum* u);

// Makes a torque as long as its bound, if it is longer.
void orientation_clamp(mjtNum force[3], mjtNum most);

// Replaces a rotation vector by the shortest one of the same rotation.
void orientation_wrap(mjtNum turn[3]);

// motors

void motor_rates(const mjModel* m, mjData* d, int actuator, const mjtNum* u);
mjtNum motor_force(const mjModel* m, const mjData* d, int actuator, const mjtNum* u);
mjtNum motor_by_length(const mjModel* m, const mjData* d, int actuator, const mjtNum* u,
                       int is_saturated);
mjtNum motor_by_velocity(const mjModel* m, const mjData* d, int actuator, const mjtNum* u,
                         int is_saturated);

// Cogging and friction, which no range clamps.
mjtNum motor_friction(const mjModel* m, const mjData* d, int actuator);

// Activation j one timestep ahead.
mjtNum motor_next_activation(const mjModel* m, const mjData* d, int actuator, int j,
                             mjtNum act_dot);
