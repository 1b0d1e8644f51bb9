// tendon.h: rows of the tendon Jacobian, stored dense or sparse, and the inertia of tendons.

#ifndef CONDYLE_SMOOTH_TENDON_H_
#define CONDYLE_SMOOTH_TENDON_H_

#include <mujoco/api/model.h>

#include "base/simd.h"

// A row of d->ten_J. In a dense row colind is NULL and n is nv.
typedef struct {
  const mjtNum* val;
  const int* colind;
  int n;
} TendonRow;

INLINE TendonRow tendon_view(const mjModel* m, const mjData* d, int tendon) {
  if (!mj_isSparse(m)) {
    return (TendonRow){d->ten_J + (size_t)tendon * m->nv, NULL, m->nv};
  }
  int adr = d->ten_J_rowadr[tendon];
  return (TendonRow){d->ten_J + adr, d->ten_J_colind + adr, d->ten_J_rownnz[tendon]};
}

// Row as nv numbers.
void tendon_row(mjtNum* out, const mjModel* m, const mjData* d, int tendon);

// row . vec
mjtNum tendon_dot(const TendonRow* row, const mjtNum* vec);

// out += scale row
void tendon_add_to(mjtNum* out, const TendonRow* row, mjtNum scale);

// Displacement of a length from the rest range of the tendon's spring: positive when too short,
// negative when too long, 0 inside. The spring force is the stiffness times this.
//                                                       theory/tendons.md, Springs with a dead band
mjtNum tendon_stretch(const mjModel* m, int tendon, mjtNum length);

// The part of the bias force that tendon armature adds: qfrc += J' armature (J-dot qvel), for
// every tendon that has some.                               theory/inertia.md, Tendon armature bias
void tendon_add_bias(mjtNum* qfrc, const mjModel* m, const mjData* d);

#endif  // CONDYLE_SMOOTH_TENDON_H_
