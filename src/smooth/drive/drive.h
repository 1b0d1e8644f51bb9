// drive.h: actuators with a law of their own: controllers, orientations and motors. The conductor
// is smooth/actuation.c; which controls and activations they have: base/actuator.h.
//                                                    theory/smooth/actuation.md, Several inputs

#pragma once

#include <mujoco/mjdata.h>

// Writes act_dot of all activations of an actuator. u are its controls.
void law_rates(const mjModel* m, mjData* d, int actuator, const mjtNum* u);

// Its forces before they are clamped; rates must be there.
void law_forces(mjtNum* force, const mjModel* m, const mjData* d, int actuator, const mjtNum* u);

// Slope of each of its forces by its length and by its velocity. `is_saturated`: a clamp has
// reduced the force.
mjtNum law_by_length(const mjModel* m, const mjData* d, int actuator, const mjtNum* u,
                     int is_saturated);
mjtNum law_by_velocity(const mjModel* m, const mjData* d, int actuator, const mjtNum* u,
                       int is_saturated);

// Does the range of the actuator clamp these forces?
int law_clamps(const mjModel* m, int actuator, const mjtNum* force);
