// edges.h: products with rows of J that are edges of flexes, packed for vector lanes.
//
// An edge has six numbers, three for the dofs of either end, and a large model has thousands of
// edges. A product by rows reads lists of columns and waits for what the row before has just
// stored. Packed ends have four numbers, one of them zero, and are stored by rows for J x and by
// ends for J'f:
//
//   row i:  a a a 0 | b b b 0        end v:  sum over its edges of f_i (v v v 0)
//
// Packing pays from the third product on.                 theory/contact/solvers.md, Primal descent

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "constraint/law/problem.h"

// Rows first to first + n, the longest run from the first edge on; n = 0: none.
typedef struct {
  int first, n;
  Simd4* value;  // 2 n
  int* column;   // 2 n, first column of each value
  int nend;
  int *end, *adr;  // first column of each; its edges are [adr[i], adr[i + 1])
  int* row;        // rows of these edges, counted from `first`
  Simd4* of_end;   // numbers of these edges
} EdgeRows;

// Packs the edges of J, in compressed rows; n is 0 if the stack has no room for them.
void edges_make(EdgeRows* edges, mjData* d, const Matrix* J);

// res = J x, res = J' x, using the packed rows. edges_mulv reads one number of x beyond the columns
// of J, which must not be NaN.
void edges_mulv(mjtNum* res, const EdgeRows* edges, const Matrix* J, const mjtNum* x);
void edges_tmulv(mjtNum* res, const EdgeRows* edges, const Matrix* J, const mjtNum* x);
