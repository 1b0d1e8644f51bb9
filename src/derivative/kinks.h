// kinks.h: kinks that depend on the state alone, not on forces.
//                                                           theory/time/exact-derivatives.md, Kinks

#pragma once

#include <mujoco/mjdata.h>

// Number of limits, contacts, impedances and tendon springs at a kink, where a row or a force
// begins or ends. d is that after mj_forward.
int position_kinks(const mjModel* m, const mjData* d);
