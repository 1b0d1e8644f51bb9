// solver.h: forces of hard constraints.
//
// Projected Gauss-Seidel: a sweep solves one constraint after the other, with the forces of the
// others fixed. It starts with plain sweeps, row by row. It continues with sweeps over blocks,
// extrapolation between sweeps, and Newton's steps. If sweeps cycle, interior points (interior.h)
// and smoothed laws (smoothing.h) follow. Forces that are no solution and would add energy are
// replaced by impulses that don't.
//                                                           theory/contact/hard-contacts.md, Sweeps

#pragma once

#include "constraint/hard/problem.h"

typedef struct HardEnd_ {
  int sweeps;
  mjtNum residual;
  int failed;       // the residual is above the tolerance, and above rounding errors,
  int contradicts;  // because there is no solution: that is proved
} HardEnd;

// Improves f and w of the listed blocks, until the residual is below the tolerance or after
// `iterations` sweeps. No other block may act on these. stat: records of the first nstat sweeps.
HardEnd hard_solve(HardProblem* p, const int* list, int nlist, int iterations, mjtNum tolerance,
                   mjSolverStat* stat, int nstat);
