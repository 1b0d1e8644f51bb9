// stiffness.h: whether a timestep is small enough for a spring and a damper.

#pragma once

#include <mujoco/mjtnum.h>

// Largest result of lint_stability that is not reported.
#define LINT_FOLLOWED ((mjtNum)0.25)

// The value s of stiffness.c for a spring and an explicit damper per unit of mass: 1 means that the
// motion blows up. limit is the largest timestep that is not reported.
mjtNum lint_stability(mjtNum limit[1], mjtNum h, mjtNum stiffness, mjtNum damping);
