// line_search.h: the exact minimum of the cost along a line.
//
// phi(alpha) = cost(a + alpha s) is convex, once differentiable and, but for the middle zone of
// cones, piecewise quadratic. So Newton steps on phi' find its root in a few evaluations; a bracket
// guarantees convergence. Each evaluation costs one pass over the rows and none over the dofs.
//                                                                    theory/solvers.md, Line search

#pragma once

#include <mujoco/mjdata.h>

#include "constraint/solver/problem.h"

// Rows along the line, prepared once per solve.
typedef struct {
  Trouble* trouble;
  const Rows* rows;
  const mjtNum* jar;   // SIMD_PADDED(nefc)
  mjtNum* Jv;          // SIMD_PADDED(nefc), zeros at the end
  mjtNum* D_onesided;  // D of one-sided rows, else 0; SIMD_PADDED(nefc), zeros
  int first_onesided;  // one-sided rows begin in the vector at this multiple of SIMD_N
  int* cone;           // first rows of elliptic contacts
  int ncone;
} Line;

typedef struct {
  mjtNum alpha;
  mjtNum slope;  // |phi'| at alpha
  int neval;
} LineMinimum;

// Prepares a line; Jv, D_onesided and cone are on the stack of d.
Line line_make(mjData* d, const Rows* rows, const mjtNum* jar, Trouble* trouble);

// Minimum along a line with line->Jv = J s. gauss: coefficients of the Gauss term, g0 + g1 alpha +
// g2 alpha^2. It stops where |phi'| < gtol, after at most `limit` evaluations. alpha = 0: no
// progress is possible.
LineMinimum line_minimum(const Line* line, const mjtNum gauss[3], mjtNum gtol, int limit);
