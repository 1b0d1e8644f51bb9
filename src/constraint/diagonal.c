// The diagonal of J M^-1 J', as the squares of the half rows (rows/half_rows.h), and the parameters
// that follow from it.                       theory/contact/constraints.md, Exact diagonal

#include "constraint/diagonal.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "constraint/metric/metric.h"
#include "constraint/rows/half_rows.h"
#include "constraint/rows/parameters.h"
#include "constraint/rows/row_blocks.h"
#include "constraint/rows/storage.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"

// The square of each half row of a panel.
static void squares(mjtNum* diagonal, const HalfPanel* panel) {
  SimdN sum = {0};
  for (int k = 0; k < panel->ndof; k++) {
    SimdN lanes = SIMD_READ(SimdN, panel->value + k * SIMD_N);
    sum += lanes * lanes;
  }
  for (int r = 0; r < panel->n; r++) {
    diagonal[panel->row + r] = sum[r];
  }
}

// Copies of what has changed, in the order of islands.
static void refresh_islands(mjData* d) {
  for (int i = 0; d->nisland && d->iefc_R != d->efc_R && i < d->nefc; i++) {
    int row = d->map_iefc2efc[i];
    d->iefc_R[i] = d->efc_R[row];
    d->iefc_D[i] = d->efc_D[row];
  }
}

static void make_diagonal(const mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* diagonal = mj_stackAllocNum(d, d->nefc);
  const RowBlocks blocks = row_blocks(m, d);
  const HalfSource source = half_source(m, d);
  const HalfRows half = half_rows(d, &source, &blocks);
  for (int p = 0; p < half.first[blocks.n]; p++) {
    squares(diagonal, half.panel + p);
  }
  rows_parameters(m, d, diagonal);
  if (d->efm_active) {
    metric_rows(m, d, 1);
  }
  refresh_islands(d);
  mj_freeStack(d);
}

void diagonal_exact(const mjModel* m, mjData* d) {
  if (d->nefc && !arena_attempt(make_diagonal, m, d)) {
    storage_full(d);
  }
}

static void make_discrete(const mjModel* m, mjData* d) {
  rows_parameters(m, d, NULL);
  metric_rows(m, d, 0);
  refresh_islands(d);
}

void diagonal_discrete(const mjModel* m, mjData* d) {
  if (d->nefc && !arena_attempt(make_discrete, m, d)) {
    storage_full(d);
  }
}
