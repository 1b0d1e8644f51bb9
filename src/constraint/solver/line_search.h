// line_search.h: the exact minimum of the cost along a line.
//
// phi(alpha) = cost(a + alpha s) is convex, once differentiable and, but for the middle zone of
// cones, piecewise quadratic. So Newton steps on phi' find its root in a few evaluations; a bracket
// guarantees convergence. Each evaluation costs one pass over the rows and none over the dofs.
// Newton's direction has its first Newton point at 1, so the search begins there.
//                                                            theory/contact/solvers.md, Line search

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/vec.h"
#include "constraint/law/law.h"
#include "constraint/law/problem.h"
#include "constraint/solver/cone_lines.h"

// Rows along the line, prepared once per solve.
typedef struct {
  Trouble* trouble;
  const Rows* rows;
  const mjtNum* jar;   // SIMD_PADDED(nefc)
  mjtNum* Jv;          // SIMD_PADDED(nefc), zeros at the end
  mjtNum* D_onesided;  // D of one-sided rows, else 0; SIMD_PADDED(nefc), zeros
  int first_onesided;  // one-sided rows begin in the vector at this multiple of SIMD_N
  ConeRows* cone;      // elliptic contacts
  ConeLines* cones;    // the same along the line
  int ncone;
} Line;

typedef struct {
  mjtNum alpha;
  mjtNum slope;  // |phi'| at alpha
  int neval;
} LineMinimum;

// Prepares a line; its arrays are on the stack of d.
Line line_make(mjData* d, const Rows* rows, const mjtNum* jar, Trouble* trouble);

// The slope |phi'| at which the search along a step of this length ends:
//
//   tolerance ls_tolerance |s| / scale                      theory/contact/solvers.md, Line search
static inline mjtNum line_tolerance(const mjOption* opt, mjtNum length, mjtNum scale) {
  return opt->tolerance * opt->ls_tolerance * length / scale;
}

// Minimum along a line with line->Jv = J s, phi'(0) < 0. gauss: coefficients of the Gauss term,
// g0 + g1 alpha + g2 alpha^2. It stops where |phi'| < gtol, after at most `limit` evaluations.
// alpha = 0: no progress is possible.
LineMinimum line_minimum(const Line* line, const mjtNum gauss[3], mjtNum gtol, int limit);

// for kernels

// phi and its derivatives at alpha.
typedef struct {
  mjtNum alpha;
  LawPoint phi;
} LinePoint;

typedef struct {
  const Line* line;
  mjtNum quadratic[3];  // everything that is quadratic on the whole line: Gauss term, equalities
  int neval;
} LineSearch;

// Prepares a line in given room.
INLINE void line_fill(Line* line, const Rows* rows, const mjtNum* jar, Trouble* trouble, mjtNum* Jv,
                      mjtNum* D_onesided, ConeRows* cone, ConeLines* cones) {
  int nefc = rows->nefc, first = rows->ne + rows->nf;
  *line = (Line){trouble, rows, jar, Jv, D_onesided, first / SIMD_N * SIMD_N, cone, cones, 0};
  for (int i = line->first_onesided; i < SIMD_PADDED(nefc); i++) {
    D_onesided[i] = i >= first && i < nefc ? rows->D[i] : 0;
  }
  for (int i = nefc; i < SIMD_PADDED(nefc); i++) {
    Jv[i] = 0;
  }
  for (int i = first, dim; rows->elliptic && i < nefc; i += dim) {
    dim = law_rows(rows, i);
    if (rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      const mjContact* contact = rows->contact + rows->id[i];
      ConeRows* at = cone + line->ncone++;
      *at = (ConeRows){i, dim, {contact->mu}};
      for (int k = 1; k < dim; k++) {
        at->sigma[k] = contact->friction[k - 1];
      }
      for (int k = 0; k < dim; k++) {
        D_onesided[i + k] = 0;
      }
    }
  }
  cone_lines_make(cones, cone, line->ncone, rows->D);
}

// one-sided rows at x = jar + alpha Jv, in vector lanes:
//
//   phi += s(x)    phi' += s'(x) v    phi'' += s''(x) v^2,    s = 1/2 D min(0, x)^2
INLINE void line_add_onesided(LinePoint* point, const mjtNum* jar, const mjtNum* Jv,
                              const mjtNum* D, int n) {
  SimdN cost = {0}, slope = {0}, curvature = {0};
  for (int i = 0; i < n; i += SIMD_N) {
    SimdN v = SIMD_READ(SimdN, Jv + i);
    SimdN x = SIMD_READ(SimdN, jar + i) + point->alpha * v;
    SimdN stiffness = SIMD_READ(SimdN, D + i);
    law_below_stiffness(&stiffness, &x);
    SimdN pull = stiffness * x, push = stiffness * v;
    cost += pull * x;
    slope += pull * v;
    curvature += push * v;
  }
  point->phi.cost += simdn_sum(&cost) / 2;
  point->phi.slope += simdn_sum(&slope);
  point->phi.curvature += simdn_sum(&curvature);
}

// equalities along x + alpha v, in vector lanes:
//
//   q0 += s(x)    q1 += s'(x) v    q2 += 1/2 s'' v^2,    s = 1/2 D x^2
INLINE void line_add_equalities(mjtNum quadratic[3], const mjtNum* jar, const mjtNum* Jv,
                                const mjtNum* D, int n) {
  SimdN cost = {0}, slope = {0}, curvature = {0};
  int i = 0;
  for (; i + SIMD_N <= n; i += SIMD_N) {
    SimdN x = SIMD_READ(SimdN, jar + i), v = SIMD_READ(SimdN, Jv + i);
    SimdN stiffness = SIMD_READ(SimdN, D + i), pull = stiffness * x;
    cost += pull * x;
    slope += pull * v;
    curvature += stiffness * v * v;
  }
  quadratic[0] += simdn_sum(&cost) / 2;
  quadratic[1] += simdn_sum(&slope);
  quadratic[2] += simdn_sum(&curvature) / 2;
  for (; i < n; i++) {
    LawPoint at = law_equality(D[i], jar[i]);
    quadratic[0] += at.cost;
    quadratic[1] += at.slope * Jv[i];
    quadratic[2] += at.curvature * Jv[i] * Jv[i] / 2;
  }
}

INLINE void line_add_frictionloss(LinePoint* point, const Line* line) {
  const Rows* rows = line->rows;
  for (int i = rows->ne; i < rows->ne + rows->nf; i++) {
    mjtNum v = line->Jv[i], x = line->jar[i] + point->alpha * v;
    LawPoint at = law_frictionloss(rows->D[i], rows->R[i], rows->frictionloss[i], x);
    point->phi.cost += at.cost;
    point->phi.slope += at.slope * v;
    point->phi.curvature += at.curvature * v * v;
  }
}

// Inlined, unless the library is optimised for size.
#ifdef CONDYLE_SMALL
static __attribute__((noinline, unused))
#else
INLINE
#endif
LinePoint
line_evaluate(LineSearch* search, mjtNum alpha) {
  const Line* line = search->line;
  const mjtNum* q = search->quadratic;
  LinePoint point = {alpha,
                     {q[0] + alpha * (q[1] + alpha * q[2]), q[1] + 2 * alpha * q[2], 2 * q[2], 0}};
  line_add_frictionloss(&point, line);
  int from = line->first_onesided;
  line_add_onesided(&point, line->jar + from, line->Jv + from, line->D_onesided + from,
                    SIMD_PADDED(line->rows->nefc) - from);
  if (line->ncone) {
    cone_lines_add(&point.phi, line->cones, line->ncone, alpha);
  }
  if (point.phi.curvature <= 0) {
    Trouble* trouble = line->trouble;
    trouble->first = trouble->count++ ? trouble->first : search->neval;
    trouble->last = search->neval;
    point.phi.curvature = mjMINVAL;
  }
  search->neval++;
  return point;
}

// A search along a line; gauss: coefficients of the Gauss term.
INLINE LineSearch line_begin(const Line* line, const mjtNum gauss[3]) {
  LineSearch search = {.line = line, .quadratic = {gauss[0], gauss[1], gauss[2]}};
  line_add_equalities(search.quadratic, line->jar, line->Jv, line->rows->D, line->rows->ne);
  cone_lines_turn(line->cones, line->cone, line->ncone, line->rows->D, line->jar, line->Jv);
  return search;
}

// Newton steps on phi', alpha - phi' / phi'', inside of an interval that is known to hold the root:
//
//   low    the last point with phi' < 0, 0 at first     high   the last one with phi' > 0
//
// A step out of the interval is replaced by its middle. The search ends at a step as small as
// rounding. If `limit` evaluations are used up, the last point is the result if it costs less than
// `low`; `low` always costs less than alpha = 0.
INLINE LineMinimum line_minimum_inline(const Line* line, const mjtNum gauss[3], mjtNum gtol,
                                       int limit) {
  const mjtNum rounding = sizeof(mjtNum) == 8 ? (mjtNum)1e-15 : (mjtNum)5e-7;
  LineSearch search = line_begin(line, gauss);
  LinePoint low = {0}, point = line_evaluate(&search, 1);
  mjtNum high = (mjtNum)INFINITY;
  int found = mju_abs(point.phi.slope) < gtol;
  while (!found && search.neval < limit) {
    mjtNum at = point.alpha, next = at - point.phi.slope / point.phi.curvature;
    if (point.phi.slope < 0) {
      low = point;
    } else {
      high = at;
    }
    if (!(next > low.alpha && next < high)) {
      next = high < (mjtNum)INFINITY ? (low.alpha + high) / 2 : at;
    }
    found = mju_abs(next - at) <= rounding * at;
    if (!found) {
      point = line_evaluate(&search, next);
      found = mju_abs(point.phi.slope) < gtol;
    }
  }
  if (!found && point.phi.slope > 0) {
    low = low.alpha > 0 ? low : line_evaluate(&search, 0);
    point = low.phi.cost < point.phi.cost ? low : point;
  }
  return (LineMinimum){point.alpha, mju_abs(point.phi.slope), search.neval};
}
