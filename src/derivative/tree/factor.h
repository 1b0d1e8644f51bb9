// factor.h: factorization of dense systems that have many right-hand sides.
//
// Elimination runs from the last row to the first. Entries between dofs of different branches stay
// zero, and zeros are skipped. There is no pivoting, as in the factorization of the inertia matrix.
//
//   A = (1 + U) L        U strictly upper, L lower triangular; both overwrite A

#pragma once

#include <mujoco/mjdata.h>

// Factors A (n x n, row-major) in place. Only the lower triangle of a symmetric matrix is read.
// Returns 0 if a pivot is zero or not a number.
int factor_make(mjtNum* A, int n, int symmetric);

// X = A^-1 X for X (n x columns, row stride ld).
void factor_solve(mjtNum* X, int columns, int ld, const mjtNum* factor, int n);

// The same on the threads of the pool of d.
void factor_solve_shared(mjtNum* X, mjData* d, int columns, int ld, const mjtNum* factor, int n);

// x = A^-1 x for one right-hand side.
void factor_solve_one(mjtNum* x, const mjtNum* factor, int n);

// Y += scale A X with A (n x inner, row-major); X and Y have `columns` columns and row stride ld.
void multiply_add(mjtNum* Y, const mjtNum* A, const mjtNum* X, int n, int inner, int columns,
                  int ld, mjtNum scale);

// The same on the threads of the pool of d.
void multiply_add_shared(mjtNum* Y, mjData* d, const mjtNum* A, const mjtNum* X, int n, int inner,
                         int columns, int ld, mjtNum scale);
