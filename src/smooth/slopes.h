// slopes.h: slopes of actuator forces by length and velocity, as integrators use them.
//
// Implicit integrators take those by velocity into their matrix, the discrete one both.
//                                                   theory/time/derivatives.md, Pattern of D

#pragma once

#include <mujoco/mjdata.h>

// Slope of the force of an actuator without a law of its own, by velocity and by length. u is its
// control, which counts if it has no activation. `early`: an actuator with actearly multiplies its
// gain by the next activation, else by the present one.
mjtNum actuator_by_velocity(const mjModel* m, const mjData* d, int actuator, mjtNum u, int early);
mjtNum actuator_by_length(const mjModel* m, const mjData* d, int actuator, mjtNum u, int early);

// Has a clamp of the actuator, of its joint or of its tendon reduced these forces? Those of an
// actuator without a law of its own are the clamped ones.
int actuator_is_saturated(const mjModel* m, const mjData* d, int actuator, const mjtNum* force);
