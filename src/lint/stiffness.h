// stiffness.h: what a timestep can follow.

#ifndef CONDYLE_LINT_STIFFNESS_H_
#define CONDYLE_LINT_STIFFNESS_H_

#include <mujoco/mjtnum.h>

// Greatest s of lint_stability that is not reported.
#define LINT_FOLLOWED ((mjtNum)0.25)

// How far a timestep h is from following a spring and an explicit damper, both by unit of mass: 1
// blows up. limit is the greatest timestep that follows.
mjtNum lint_stability(mjtNum limit[1], mjtNum h, mjtNum stiffness, mjtNum damping);

#endif  // CONDYLE_LINT_STIFFNESS_H_
