// passive.h: displacements of springs, and whether there is gravity compensation.

#pragma once

#include <mujoco/mjmodel.h>

#include "base/algebra/rotation.h"
#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

// Whether qfrc_gravcomp is computed: some body has gravcomp and there is gravity.
//                                                    theory/smooth/passive.md, Gravity compensation
int passive_has_gravcomp(const mjModel* m);

// Displacement of a ball joint from its spring's rest, rest^-1 q / |q|. A zero quaternion counts as
// the identity.                                                   theory/smooth/passive.md, Springs
INLINE void passive_difference(mjtNum out[4], const mjtNum q[4], const mjtNum rest[4]) {
  mjtNum inverse[4], unit[4];
  q_conj(inverse, rest);
  q_unit(unit, q);
  q_mul(out, inverse, unit);
}

// The same displacement as a rotation vector.
INLINE void passive_turn(mjtNum out[3], const mjtNum q[4], const mjtNum rest[4]) {
  mjtNum difference[4];
  passive_difference(difference, q, rest);
  q_torotvec(out, difference);
}

// The force of the spring and the damper along a tendon, positive where it lengthens.
mjtNum passive_tendon_force(const mjModel* m, const mjData* d, int tendon);
