// support.h: forces that the user applies to bodies; copies of vectors that may be empty.

#ifndef CONDYLE_SMOOTH_SUPPORT_H_
#define CONDYLE_SMOOTH_SUPPORT_H_

#include <mujoco/mujoco.h>
#include <string.h>

// Adds the generalized force of all xfrc_applied, each (force, torque) acting at the com of its body.
void xfrc_accumulate(mjtNum* qfrc, const mjModel* m, const mjData* d);

// Copies n numbers. An empty vector may be NULL, as temporaries of no size are, which memcpy would not take.
static inline void copy_numbers(mjtNum* out, const mjtNum* in, int n) {
  if (n) {
    memcpy(out, in, n * sizeof(mjtNum));
  }
}

#endif  // CONDYLE_SMOOTH_SUPPORT_H_
