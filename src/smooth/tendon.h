// tendon.h: rows of the tendon Jacobian, stored dense or sparse, and the inertia of tendons.

#pragma once

#include <mujoco/api/model.h>

#include "base/algebra/simd.h"

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

// Writes the entries of a row at n dofs, which ascend and have all that the row has. A dof that is
// named again has its entry at the first place alone.
INLINE void row_fit(mjtNum* out, const int* dof, int n, const TendonRow* row) {
  for (int k = 0; !row->colind && k < n; k++) {
    out[k] = k && dof[k] == dof[k - 1] ? 0 : row->val[dof[k]];
  }
  for (int k = 0, at = 0; row->colind && k < n; k++) {
    while (at < row->n && row->colind[at] < dof[k]) {
      at++;
    }
    out[k] = at < row->n && row->colind[at] == dof[k] ? row->val[at++] : 0;
  }
}

// Writes a row of the Jacobian in dense form, with nv numbers.
void tendon_row(mjtNum* out, const mjModel* m, const mjData* d, int tendon);

// row . vec
mjtNum tendon_dot(const TendonRow* row, const mjtNum* vec);

// out += scale row
void tendon_add_to(mjtNum* out, const TendonRow* row, mjtNum scale);

// Displacement of the length from the rest range of the tendon's spring: positive if shorter than
// the range, negative if longer, 0 inside. The spring force is the stiffness times this.
//                                                theory/smooth/tendons.md, Springs with a dead band
mjtNum tendon_displacement(const mjModel* m, int tendon, mjtNum length);

// The same of a spring that is slack between two lengths.
mjtNum tendon_excess(const mjtNum rest[2], mjtNum length);

// Bias force of tendon armature: qfrc += J' armature (J-dot qvel), summed over tendons.
//                               theory/smooth/inertia.md, Tendon armature bias
void tendon_add_bias(mjtNum* qfrc, const mjModel* m, const mjData* d);
