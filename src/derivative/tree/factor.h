// factor.h: factors of dense systems with many right sides.
//
// Matrices of a tree are eliminated from the last row up: entries between dofs of different
// branches stay zero, and zeros are skipped. There is no pivoting, as in the engine's own factors.
//
//   A = (E + U) L        U above the diagonal, L on it and below, both in the place of A

#ifndef CONDYLE_DERIVATIVE_TREE_FACTOR_H_
#define CONDYLE_DERIVATIVE_TREE_FACTOR_H_

#include <mujoco/mjtnum.h>

// Factors A in place, n x n by rows. Only the lower triangle of a symmetric matrix is read. Returns
// 0 if a pivot is zero or not a number.
int factor_make(mjtNum* A, int n, int symmetric);

// X = A^-1 X for the n x columns matrix X, whose rows are ld numbers apart.
void factor_solve(mjtNum* X, int columns, int ld, const mjtNum* factor, int n);

// x = A^-1 x for one right side.
void factor_solve_one(mjtNum* x, const mjtNum* factor, int n);

// Y += scale A X with A n x inner by rows. X and Y have `columns` columns, rows ld numbers apart.
void multiply_add(mjtNum* Y, const mjtNum* A, const mjtNum* X, int n, int inner, int columns,
                  int ld, mjtNum scale);

#endif  // CONDYLE_DERIVATIVE_TREE_FACTOR_H_
