// hessian.h: the Newton matrix H = M + J' W J and its factor, updated while rows change state.
//
// W is D on rows in the quadratic zone and a small block on contacts in the middle of their cone.
// Between iterations only a few rows change, so H is updated in place by one outer product for each
// changed row, and then factored anew. One factorization costs about as much as two rank-one
// updates of a factor, which have a square root and a division in the critical path of every
// column.
//
// H = L' D L with L unit lower triangular, eliminated from the last dof to the first, children
// before parents. A tree of bodies alone has no fill-in. Contacts with the world add none, because
// the dofs of such a row are one chain of ancestors. Small matrices are dense (hessian_dense.c),
// large ones sparse (hessian_sparse.c), and those of a few dofs are made anew in each iteration
// (hessian_small.h).                                       theory/contact/solvers.md, Newton matrix

#pragma once

#include <mujoco/mjdata.h>
#include <stdint.h>

#include "constraint/law/problem.h"
#include "constraint/solver/pattern.h"

// dense

// Dense matrices; n is rounded up to whole blocks.
typedef struct {
  int n;
  ptrdiff_t ld;
  mjtNum* H;     // n x ld, lower triangle, without cones in their middle zone
  mjtNum* U;     // n x ld, laid out as H: L in the diagonal blocks, D L left of them
  mjtNum* DInv;  // ld
  mjtNum* y;     // ld, right-hand side after elimination
  mjtNum* WJ;    // weighted rows of cones, for a few cones
  int* column;   // n / DOF_BLOCK, scratch of the factorization
} DenseHessian;

void dense_make(DenseHessian* hessian, mjData* d, const Problem* p);

// Updates H from the states `before` (NULL: H is M) to those of the problem, and solves x = H^-1 x
// with SIMD_PADDED(n) numbers.
void dense_solve(DenseHessian* hessian, const Problem* p, const int* before, mjtNum* x);

// y = H^-1 y for n unknowns, a multiple of both DOF_BLOCK and SIMD_N. H (n x n, lower triangle)
// becomes its factor. DInv: scratch, n; block: scratch, n / DOF_BLOCK.
void dense_factor_solve(mjtNum* H, mjtNum* DInv, mjtNum* y, int* block, int n);

// sparse

// Consecutive rows of L with the same columns left of the first of them, such as a body's six dofs
// or a chain of joints. Their numbers are stored as one trapezoid: they are summed first and
// scattered once.
typedef struct {
  int first, last;  // rows
  int nouter;       // columns left of `first`
  int* outer;
} Supernode;

// The lists that have column i, in descending order, and its place in each: [adr[i], adr[i + 1]).
typedef struct {
  int *adr, *list, *place;
} ColumnLists;

typedef struct {
  int n;
  const Pattern* pattern;
  int* rowadr;  // of L, strictly lower triangle; row i has pattern->nnz[i] columns
  mjtNum *L, *D, *DInv;
  int nsuper;
  Supernode* super;
  int* super_of;          // supernode of each row
  ColumnLists below;      // supernodes by outer columns
  int ngroup;             // runs of rows of J with the same columns
  int *group, *groupnum;  // first row and number of rows of each
  ColumnLists touch;      // groups by columns
  int* stale;             // rows of L to be computed again
  mjtNum *work, *sum;     // n each
  mjtNum* scale;          // factors of the rows in a sum
  mjtByte* triple;        // whether row i is computed together with the two before it
  Simd4 *work3, *scale3;  // as work and scale, for three rows at once, one component each
  int* active;            // addresses of the rows of J with curvature
  mjtNum* pack[3];        // three rows by their columns, diagonal included
  const int* done;        // whether rows are computed, if several threads do that; else NULL
  int* stalled;           // becomes 1 if one of them had to wait for long
} SparseHessian;

void sparse_make(SparseHessian* hessian, mjData* d, const Problem* p);
void sparse_update(SparseHessian* hessian, const Problem* p, const int* before);
void sparse_solve(const SparseHessian* hessian, mjtNum* x);
