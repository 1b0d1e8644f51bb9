// linear.h: linear equations between the forces of some constraints.

#ifndef CONDYLE_CONSTRAINT_HARD_LINEAR_H_
#define CONDYLE_CONSTRAINT_HARD_LINEAR_H_

#include "constraint/hard/problem.h"

// A[place[i] * ld + place[j]] = K_ij for rows i, j of the listed blocks with a place >= 0. place
// (nrow) is -1 for rows of other blocks. Entries of blocks that are not neighbours are not written.
void linear_gather(mjtNum* A, int ld, const int* place, const HardProblem* p, const int* list,
                   int nlist);

// Solves A x = x, n equations, by Gaussian elimination with partial pivoting, which destroys A.
// Returns 0 if A is singular or the solution is not finite.
int linear_solve(mjtNum* A, int ld, mjtNum* x, int n);

#endif  // CONDYLE_CONSTRAINT_HARD_LINEAR_H_
