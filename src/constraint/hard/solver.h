// solver.h: forces of hard constraints.
//
//   w = K f + b,   every block of f and w obeying its law       theory/hard-contacts.md, Conditions
//
//   HARD_FREE    w = 0
//   HARD_BOUND   w = 0 and |f| <= bound, or f = -bound sign(w)
//   HARD_PUSH    f >= 0, w >= 0, f w = 0
//   HARD_CONE    f in the cone |f_t| <= f_n;  w_n >= 0, w_n f_n = 0;
//                w_t = 0, or f_t = -f_n w_t / |w_t|
//
// Projected Gauss-Seidel: constraint after constraint finds its forces, those of the others being
// as they are. It starts with plain sweeps, row by row, and goes on with whole blocks, an
// extrapolation from sweep to sweep, and Newton's steps. What goes in circles is smoothed.
//                                                                   theory/hard-contacts.md, Sweeps

#ifndef CONDYLE_CONSTRAINT_HARD_SOLVER_H_
#define CONDYLE_CONSTRAINT_HARD_SOLVER_H_

#include "constraint/hard/matrix.h"

typedef struct HardProblem_ {
  mjData* d;  // its stack
  int nrow, nblock;
  const HardBlock* block;  // laws may differ from those of the matrix, and dims be smaller
  const HardMatrix* K;
  const mjtNum* b;
  mjtNum *f, *w;  // start and solution; w = K f + b
} HardProblem;

typedef struct HardEnd_ {
  int sweeps;
  mjtNum residual;
  int failed;  // nothing that was tried leads to a solution: perhaps there is none
} HardEnd;

// Improves f and w of the listed blocks, which must be all that act on each other, until the
// residual is below the tolerance or the sweeps are used up. stat: nstat records of sweeps, may be
// none.
HardEnd hard_solve(HardProblem* p, const int* list, int nlist, int iterations, mjtNum tolerance,
                   mjSolverStat* stat, int nstat);

// How far f is from a solution: max |f - P(f - u / k)| / (1 + max |f|), where P is the nearest
// force that the law allows, u = w but for cones, whose w_n has |w_t| added, and k the mean
// diagonal of the block. Rows that can't be moved are not asked.
mjtNum hard_residual(const HardProblem* p, const int* list, int nlist);

// The largest force of the listed blocks.
mjtNum hard_largest(const HardProblem* p, const int* list, int nlist);

// What forces of a solution stay below: 10^6 times what single constraints would need, or have now.
// Where constraints contradict each other forces grow without end, and any residual is small beside
// them.
mjtNum hard_bound(const HardProblem* p, const int* list, int nlist);

// The nearest forces f (dim) that the law of a block allows.
void hard_project(mjtNum* f, const HardBlock* block);

// w = K f + b
void hard_multiply(HardProblem* p);

#endif  // CONDYLE_CONSTRAINT_HARD_SOLVER_H_
