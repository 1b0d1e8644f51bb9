// drive.h: actuators with a law of their own: controllers, orientations and motors. The conductor is
// smooth/actuation.c; which controls and activations they have: base/actuator.h.
//                                                    theory/smooth/actuation.md, Several inputs

#pragma once

#include <mujoco/mjdata.h>

// Writes act_dot of all activations of an actuator. u are its controls.
void law_rates(const mjModel* m, mjData* d, int actuator, const mjtNum* u);

// Its forces before they are clamped; rates must be there.
void law_forces(mjtNum* force, const mjModel* m, const mjData* d, int actuator, const mjtNum* u);

// Slope of each of its forces by its velocity. `is_saturated`: a clamp has reduced the force.
mjtNum law_by_velocity(const mjModel* m, const mjData* d, int actuator, const mjtNum* u,
                       int is_saturated);

// Does the range of the actuator clamp these forces?
int law_clamps(const mjModel* m, int actuator, const mjtNum* force);

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
