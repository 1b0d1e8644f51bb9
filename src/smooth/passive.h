// passive.h: what others must know about springs and lift against gravity.

#ifndef CONDYLE_SMOOTH_PASSIVE_H_
#define CONDYLE_SMOOTH_PASSIVE_H_

#include <mujoco/mujoco.h>

// Whether qfrc_gravcomp is computed at all: some body asks for it and there is gravity.
//                                                                              spec 04, section 9.2
int passive_hasGravcomp(const mjModel* m);

// Displacement of a ball or free joint from the rest of its spring, one number per dof: differences
// of coordinates, rotation vectors for quaternions. Returns how many.
int passive_displacement(mjtNum out[6], const mjModel* m, const mjData* d, int joint);

#endif  // CONDYLE_SMOOTH_PASSIVE_H_
