// support.h: forces that the user applies to bodies; copies of vectors that may be empty.

#ifndef CONDYLE_SMOOTH_SUPPORT_H_
#define CONDYLE_SMOOTH_SUPPORT_H_

#include <mujoco/mjdata.h>
#include <string.h>

// Adds the generalized force of all xfrc_applied, each (force, torque)
// acting at the com of its body.
void xfrc_accumulate(mjtNum* qfrc, const mjModel* m, const mjData* d);

// The body of an object, and its position and orientation in the world.
typedef struct {
  int body;
  const mjtNum* pos;
  const mjtNum* mat;
} ObjectFrame;

// Frame of a body (inertial), xbody, geom, site or camera; an error for other types.
ObjectFrame object_frame(const mjModel* m, const mjData* d, int type, int id);

// Copies n numbers. An empty vector may be NULL, as temporaries of no size are,
// which memcpy would not take.
static inline void copy_numbers(mjtNum* out, const mjtNum* in, int n) {
  if (n > 0) {
    memcpy(out, in, n * sizeof(mjtNum));
  }
}

#endif  // CONDYLE_SMOOTH_SUPPORT_H_
