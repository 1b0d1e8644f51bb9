// ldl.h: L'DL factors of matrices on the pattern of the joint-space inertia M.
//
// Row i of M holds the dofs that are ancestors of i, ascending, and i itself last. Dofs are
// numbered depth first, so
//   - row i without its diagonal is the beginning of row i - 1 (of its columns),
//   - the descendants of i are the rows right after it that are longer than row i.
//
//   row a   a                one path from the root, a b c, is open at a time; what belongs to its
//   row b   a b              dofs stands in a short array by depth, and every row meets the
//   row c   a b c            beginning of it: contiguous runs, no column is looked up
//   row e   a b e            c's place has become e's
//
// Any matrix on this pattern (M, M plus damping) is factored and solved by the same two functions.
// So is the matrix of a run of whole trees, or of an island: its rows, with columns counted from
// its first dof.
//                                                             theory/smooth/inertia.md, Sparse L'DL

#pragma once

#include <mujoco/mjmodel.h>

#include "base/algebra/simd.h"

// The compressed rows [begin, n) as above; row i has its columns from colind[rowadr[i]] on, its
// diagonal last. Rows before `begin` are other trees, which are left alone. is_cut: rows are only
// the ends of their paths, those of ancestors in a row no shorter than it needs; only
// ldl_cut_factor, ldl_solve and products know them.
typedef struct {
  int n;
  const int *rownnz, *rowadr, *colind;
  int begin;
  int is_cut;
} TreePattern;

enum {
  TREE_RUN = SIMD_N
};

// Whether the TREE_RUN rows from i on are diagonal, as those of dofs that only slide are. Every row
// has at least one element, so their addresses tell.
static inline int tree_is_diagonal(TreePattern tree, int i) {
  int last = i + TREE_RUN - 1;
  return last < tree.n && tree.rownnz[last] == 1 && tree.rowadr[last] - tree.rowadr[i] == last - i;
}

static inline TreePattern tree_pattern(const mjModel* m) {
  return (TreePattern){m->nv, m->M_rownnz, m->M_rowadr, m->M_colind, 0, 0};
}

// The rows of the dofs [begin, end) of whole trees.
static inline TreePattern tree_part(const mjModel* m, int begin, int end) {
  return (TreePattern){end, m->M_rownnz, m->M_rowadr, m->M_colind, begin, 0};
}

// Factors M + scale diag(shift) into LD (as M): L strictly below the diagonal, D on it, and
// diaginv = 1 / D (n). M may be LD itself; shift (n) may be NULL. No pivot is checked.
void ldl_factor(mjtNum* LD, mjtNum* diaginv, TreePattern tree, const mjtNum* M, const mjtNum* shift,
                mjtNum scale);

// Factors LD in place on a pattern that is cut.
void ldl_cut_factor(mjtNum* LD, mjtNum* diaginv, TreePattern tree);

// Solves L'DL x = b in place: x holds b on entry. path: scratch, n numbers.
void ldl_solve(mjtNum* x, TreePattern tree, const mjtNum* LD, const mjtNum* diaginv, mjtNum* path);

// Solves L' y = b in place: the first half of ldl_solve.
void ldl_solve_upper(mjtNum* x, TreePattern tree, const mjtNum* LD, mjtNum* path);

// One step of ldl_solve_upper, for right-hand sides with few nonzeros: y_i = x_i is final, and is
// eliminated from its ancestors. The caller goes from the last nonzero dof up.
static inline void ldl_eliminate(mjtNum* x, TreePattern tree, const mjtNum* LD, int i) {
  const mjtNum* row = LD + tree.rowadr[i];
  const int* column = tree.colind + tree.rowadr[i];
  for (int k = 0; k < tree.rownnz[i] - 1; k++) {
    x[column[k]] -= row[k] * x[i];
  }
}
