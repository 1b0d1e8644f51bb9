// actuation.h: what the integrators must know about actuators.

#pragma once

#include <mujoco/mjdata.h>

// Whether the actuator's group is switched off; only groups 0 to 30 can be.
//                                                    theory/smooth/actuation.md, Disabled actuators
int actuator_is_disabled(const mjModel* m, int actuator);

// Value of activation variable j of an actuator one timestep ahead, given its
// rate; clamped to actrange.                            theory/smooth/actuation.md, Next activation
mjtNum actuator_next_activation(const mjModel* m, const mjData* d, int actuator, int j,
                                mjtNum act_dot);
