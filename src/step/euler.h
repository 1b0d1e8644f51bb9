// euler.h: when joint damping is integrated implicitly.

#ifndef CONDYLE_STEP_EULER_H_
#define CONDYLE_STEP_EULER_H_

#include <mujoco/mjmodel.h>

// Some dof has positive damping and implicit Euler damping is not switched off (the flag of the
// damping itself is not asked).
int euler_hasDamping(const mjModel* m);

#endif  // CONDYLE_STEP_EULER_H_
