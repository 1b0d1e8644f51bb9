// euler.h: semi-implicit Euler.

#pragma once

#include <mujoco/mjdata.h>

// mj_Euler. keep: reuse the factor of the last step, because M is unchanged.
void euler_integrate(const mjModel* m, mjData* d, int keep);
