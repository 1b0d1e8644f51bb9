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
// All rows of a panel are of one block (row_blocks.h).         theory/constraints.md, Dual matrix

#pragma once

#include <mujoco/mjdata.h>

#include "base/simd.h"
#include "constraint/row_blocks.h"

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

// The half rows of all rows of d, on its stack.
HalfRows half_rows(const mjModel* m, mjData* d, const RowBlocks* blocks);
