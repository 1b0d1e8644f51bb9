// euler.h: semi-implicit Euler, and when it takes joint damping at the end of the step.

#ifndef CONDYLE_STEP_EULER_H_
#define CONDYLE_STEP_EULER_H_

#include <mujoco/mjdata.h>

// Some dof has positive damping and implicit Euler damping is not switched off (the flag of the
// damping itself is not asked).
int euler_hasDamping(const mjModel* m);

// mj_Euler; with keep the factor of the last step is taken, which the same M has.
void euler_integrate(const mjModel* m, mjData* d, int keep);

#endif  // CONDYLE_STEP_EULER_H_
