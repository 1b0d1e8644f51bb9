// euler.h: semi-implicit Euler.

#pragma once

#include <mujoco/mjdata.h>

// mj_Euler. keep: the factor of the last step is used again, because M is the same.
void euler_integrate(const mjModel* m, mjData* d, int keep);
