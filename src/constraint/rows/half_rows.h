// half_rows.h: half of M^-1 applied to the rows of the Jacobian, so that J M^-1 J' is a product of
// two equal factors.
//
//   M = L'DL      h_i = D^-1/2 L^-T J_i'      (J M^-1 J')_ij = h_i . h_j
//
// h_i has entries at the dofs of J_i and their ancestors only. Rows are taken by panels of as many
// as a vector has lanes, each a list of dofs with a vector for each:
//
//                    row 4 5 6 7
//      dof 8       ( x x x x )     dofs descend: the elimination goes from leaves to the root,
//      dof 5       ( x x x x )     and products of two panels meet in the ends of their lists
//      dof 2, 1, 0 ...
//
// All rows of a panel are of one block (row_blocks.h).   theory/contact/constraints.md, Dual matrix

#pragma once

#include <mujoco/mjdata.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "constraint/law/problem.h"
#include "constraint/rows/row_blocks.h"
#include "smooth/ldl.h"

typedef struct HalfPanel_ {
  int row, n;           // rows row .. row + n - 1, the first lanes; the others are zero
  int ndof;             // dofs at which h has entries
  const int* dof;       // descending
  const mjtNum* value;  // ndof vectors of SIMD_N
} HalfPanel;

typedef struct HalfRows_ {
  const int* first;  // panels of block b: panel[first[b]] .. panel[first[b + 1] - 1]
  const HalfPanel* panel;
} HalfRows;

// Rows, and M's factor L'DL with 1/D.
typedef struct HalfSource_ {
  Matrix J;
  TreePattern tree;
  const mjtNum *LD, *DInv;
} HalfSource;

// All rows of d, with the factor of M, or of the backbone of a discrete step's metric.
HalfSource half_source(const mjModel* m, const mjData* d);

// The half rows of all rows, on the stack of d.
HalfRows half_rows(mjData* d, const HalfSource* of, const RowBlocks* blocks);

// Products of two panels, for kernels. spread: the vectors of a panel by dof, zero elsewhere.

INLINE void half_spread(mjtNum* spread, const HalfPanel* panel) {
  for (int k = 0; k < panel->ndof; k++) {
    SIMD_AT(SimdN, spread + panel->dof[k] * SIMD_N) = SIMD_READ(SimdN, panel->value + k * SIMD_N);
  }
}

INLINE void half_clear(mjtNum* spread, const HalfPanel* panel) {
  for (int k = 0; k < panel->ndof; k++) {
    SIMD_AT(SimdN, spread + panel->dof[k] * SIMD_N) = (SimdN){0};
  }
}

// tile_rc = h_r . h_c for the rows r that are spread, none of which reaches beyond dof `top`, and
// the rows c of a panel
INLINE void half_product(SimdN tile[SIMD_N], const mjtNum* spread, int top,
                         const HalfPanel* panel) {
  for (int r = 0; r < SIMD_N; r++) {
    tile[r] = (SimdN){0};
  }
  for (int k = panel->ndof - 1; k >= 0 && panel->dof[k] <= top; k--) {
    SimdN lanes = SIMD_READ(SimdN, panel->value + k * SIMD_N);
    const mjtNum* factor = spread + panel->dof[k] * SIMD_N;
    for (int r = 0; r < SIMD_N; r++) {
      tile[r] += factor[r] * lanes;
    }
  }
}

INLINE void half_transpose(SimdN tile[SIMD_N]) {
#ifdef mjUSESINGLE
  SimdN from[SIMD_N];
  memcpy(from, tile, sizeof from);
  for (int r = 0; r < SIMD_N; r++) {
    for (int c = 0; c < SIMD_N; c++) {
      tile[r][c] = from[c][r];
    }
  }
#else
  simd4_transpose(tile);
#endif
}
