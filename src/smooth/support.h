// support.h: forces that the user applies to bodies.

#ifndef CONDYLE_SMOOTH_SUPPORT_H_
#define CONDYLE_SMOOTH_SUPPORT_H_

#include <mujoco/mujoco.h>

// Adds the generalized force of all xfrc_applied, each (force, torque) acting at the com of its body.
void xfrc_accumulate(mjtNum* qfrc, const mjModel* m, const mjData* d);

#endif  // CONDYLE_SMOOTH_SUPPORT_H_
