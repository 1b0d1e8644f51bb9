// euler.h: semi-implicit Euler.

#ifndef CONDYLE_STEP_EULER_H_
#define CONDYLE_STEP_EULER_H_

#include <mujoco/mjdata.h>

// mj_Euler. keep: the factor of the last step is used again, because M is the same.
void euler_integrate(const mjModel* m, mjData* d, int keep);

#endif  // CONDYLE_STEP_EULER_H_
