// options.h: what the options of a model say about its integrator.

#ifndef CONDYLE_MODEL_OPTIONS_H_
#define CONDYLE_MODEL_OPTIONS_H_

#include <mujoco/mjmodel.h>

// Some dof has positive damping and implicit Euler damping is not switched off (the flag of the
// damping itself is not asked).
int options_has_euler_damping(const mjModel* m);

// The same, and damping is not switched off: Euler takes it at the end of the step.
int options_euler_damps(const mjModel* m);

// implicit or implicitfast
int options_is_implicit(const mjModel* m);

#endif  // CONDYLE_MODEL_OPTIONS_H_
