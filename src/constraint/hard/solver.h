// solver.h: forces of hard constraints.
//
// Projected Gauss-Seidel: constraint after constraint finds its forces, those of the others being
// as they are. It starts with plain sweeps, row by row, and goes on with whole blocks, an
// extrapolation from sweep to sweep, and Newton's steps. What goes in circles is smoothed, and what
// would add energy in the end is replaced by impulses that can't.
//                                                                   theory/hard-contacts.md, Sweeps

#ifndef CONDYLE_CONSTRAINT_HARD_SOLVER_H_
#define CONDYLE_CONSTRAINT_HARD_SOLVER_H_

#include "constraint/hard/problem.h"

typedef struct HardEnd_ {
  int sweeps;
  mjtNum residual;
  int failed;  // the residual is above the tolerance, and above what rounding excuses
} HardEnd;

// Improves f and w of the listed blocks, which must be all that act on each other, until the
// residual is below the tolerance or the sweeps are used up. stat: nstat records of sweeps, may be
// none.
HardEnd hard_solve(HardProblem* p, const int* list, int nlist, int iterations, mjtNum tolerance,
                   mjSolverStat* stat, int nstat);

#endif  // CONDYLE_CONSTRAINT_HARD_SOLVER_H_
