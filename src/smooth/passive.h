// passive.h: what actuation must know about passive forces.

#ifndef CONDYLE_SMOOTH_PASSIVE_H_
#define CONDYLE_SMOOTH_PASSIVE_H_

#include <mujoco/mujoco.h>

// Whether qfrc_gravcomp is computed at all: some body asks for it and there is gravity.
//                                                                              spec 04, section 9.2
int passive_hasGravcomp(const mjModel* m);

#endif  // CONDYLE_SMOOTH_PASSIVE_H_
