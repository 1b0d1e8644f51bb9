// laws.h: the laws of controllers (pid), orientations and motors, one file each; u are controls.
//                                                    theory/smooth/actuation.md, Several inputs

#pragma once

#include <mujoco/mjdata.h>

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
mjtNum motor_by_velocity(const mjModel* m, const mjData* d, int actuator, const mjtNum* u,
                         int is_saturated);

// Cogging and friction, which no range clamps.
mjtNum motor_friction(const mjModel* m, const mjData* d, int actuator);

// Activation j one timestep ahead.
mjtNum motor_next_activation(const mjModel* m, const mjData* d, int actuator, int j,
                             mjtNum act_dot);
