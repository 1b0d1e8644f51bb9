// newton.h: Newton's steps to a solution, after sweeps have found which contacts are open, stick or
// slide (the active set).
//
// Sweeps converge slowly where forces propagate through many bodies, as in a stack of boxes. For a
// fixed active set, the forces follow from linear equations:
//
//   stick, equality   w = 0
//   slide             w_n = 0,   f_t + f_n w_t / |w_t| = 0, linearized
//   open, at a bound  f stays
//
// They are solved by Gaussian elimination. A small multiple of K's diagonal is added (proximal
// regularization), so that forces which the motion does not determine stay near their values.
//                                                            theory/hard-contacts.md, Newton's step

#pragma once

#include "constraint/hard/problem.h"

// With more rows, elimination takes too long.
enum {
  NEWTON_MOST_ROWS = 400
};

// Moves f and w of the listed blocks by one step. residual: that of f. Returns 0, and changes
// nothing, if there are too many rows or the equations have no solution.
int newton_step(HardProblem* p, const int* list, int nlist, mjtNum residual);

// A[place[i] * ld + place[j]] = K_ij for rows i, j of the listed blocks with a place >= 0. place
// (nrow) is -1 for rows of other blocks. Entries of blocks that are not neighbours are not written.
void linear_gather(mjtNum* A, int ld, const int* place, const HardProblem* p, const int* list,
                   int nlist);

// Solves A x = x, n equations, by Gaussian elimination with partial pivoting, which destroys A.
// Returns 0 if A is singular or the solution is not finite.
int linear_solve(mjtNum* A, int ld, mjtNum* x, int n);
