// linear.h: linear equations between the forces of some constraints.

#ifndef CONDYLE_CONSTRAINT_HARD_LINEAR_H_
#define CONDYLE_CONSTRAINT_HARD_LINEAR_H_

#include "constraint/hard/problem.h"

// A[place[i] * ld + place[j]] = K_ij for the rows of the listed blocks that have a place; -1 is
// none. place (nrow) is -1 for all other rows; entries between blocks that don't act on each other
// stay as they are.
void linear_gather(mjtNum* A, int ld, const int* place, const HardProblem* p, const int* list,
                   int nlist);

// Solves A x = x, n equations, by Gaussian elimination with partial pivoting, which destroys A.
// Returns 0 if A is singular or the solution is not finite.
int linear_solve(mjtNum* A, int ld, mjtNum* x, int n);

#endif  // CONDYLE_CONSTRAINT_HARD_LINEAR_H_
