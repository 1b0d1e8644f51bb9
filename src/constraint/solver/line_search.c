// Newton's method on the derivative along the line, with a bracket.
//                                                                    theory/solvers.md, Line search

#include "constraint/solver/line_search.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "constraint/law.h"
#include "model/arena.h"

// phi and its derivatives at alpha.
typedef struct {
  mjtNum alpha;
  LawPoint phi;
} Point;

typedef struct {
  const Line* line;
  mjtNum quadratic[3];  // everything that is quadratic on the whole line: Gauss term, equalities
  int neval;
} Search;

Line line_make(mjData* d, const Rows* rows, const mjtNum* jar, Trouble* trouble) {
  Line line = {.trouble = trouble, .rows = rows, .jar = jar};
  int n = SIMD_PADDED(rows->nefc), first = rows->ne + rows->nf;
  line.Jv = arena_take(d, n * sizeof(mjtNum), 64);
  line.D_onesided = arena_take(d, n * sizeof(mjtNum), 64);
  line.first_onesided = first / SIMD_N * SIMD_N;
  memset(line.Jv + rows->nefc, 0, (n - rows->nefc) * sizeof(mjtNum));
  memset(line.D_onesided, 0, n * sizeof(mjtNum));
  memcpy(line.D_onesided + first, rows->D + first, (rows->nefc - first) * sizeof(mjtNum));
  if (rows->elliptic) {
    line.cone = arena_int(d, rows->nefc);
    for (int i = first; i < rows->nefc; i += law_rows(rows, i)) {
      if (rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
        line.cone[line.ncone++] = i;
        memset(line.D_onesided + i, 0, law_rows(rows, i) * sizeof(mjtNum));
      }
    }
  }
  return line;
}

// one-sided rows at x = jar + alpha Jv, in vector lanes:
//
//   phi += s(x)    phi' += s'(x) v    phi'' += s''(x) v^2,    s = 1/2 D min(0, x)^2
KERNEL
static void add_onesided(Point* point, const mjtNum* jar, const mjtNum* Jv, const mjtNum* D,
                         int n) {
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
KERNEL
static void add_equalities(mjtNum quadratic[3], const mjtNum* jar, const mjtNum* Jv,
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

static void add_frictionloss(Point* point, const Line* line) {
  const Rows* rows = line->rows;
  for (int i = rows->ne; i < rows->ne + rows->nf; i++) {
    mjtNum v = line->Jv[i], x = line->jar[i] + point->alpha * v;
    LawPoint at = law_frictionloss(rows->D[i], rows->R[i], rows->frictionloss[i], x);
    point->phi.cost += at.cost;
    point->phi.slope += at.slope * v;
    point->phi.curvature += at.curvature * v * v;
  }
}

static void add_cone(Point* point, const Line* line, int row) {
  const Rows* rows = line->rows;
  const mjContact* contact = rows->contact + rows->id[row];
  mjtNum x[6];
  for (int j = 0; j < contact->dim; j++) {
    x[j] = line->jar[row + j] + point->alpha * line->Jv[row + j];
  }
  cone_line(&point->phi, contact, rows->D + row, x, line->Jv + row);
}

static Point evaluate(Search* search, mjtNum alpha) {
  const Line* line = search->line;
  const mjtNum* q = search->quadratic;
  Point point = {alpha,
                 {q[0] + alpha * (q[1] + alpha * q[2]), q[1] + 2 * alpha * q[2], 2 * q[2], 0}};
  add_frictionloss(&point, line);
  int from = line->first_onesided;
  add_onesided(&point, line->jar + from, line->Jv + from, line->D_onesided + from,
               SIMD_PADDED(line->rows->nefc) - from);
  for (int i = 0; i < line->ncone; i++) {
    add_cone(&point, line, line->cone[i]);
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

static Point newton_point(Search* search, const Point* from) {
  return evaluate(search, from->alpha - from->phi.slope / from->phi.curvature);
}

static LineMinimum result(const Search* search, const Point* point) {
  return (LineMinimum){point->alpha, mju_abs(point->phi.slope), search->neval};
}

// Moves one end of a bracket to the candidate nearest the root on the same side. next becomes the
// end's Newton point.
static int tighten(Search* search, Point* end, Point* next, const Point candidate[3]) {
  int moved = 0;
  for (int i = 0; i < 3; i++) {
    mjtNum slope = candidate[i].phi.slope;
    mjtNum at = end->phi.slope;
    if (at < 0 ? (slope < 0 && slope > at) : (at > 0 && slope > 0 && slope < at)) {
      *end = candidate[i];
      moved = 1;
    }
  }
  if (moved) {
    *next = newton_point(search, end);
  }
  return moved;
}

// The gain may be below the rounding of costs, so equal costs are compared by their slopes.
static int is_better(const Point* a, const Point* b) {
  return a->phi.cost < b->phi.cost ||
         (a->phi.cost == b->phi.cost && mju_abs(a->phi.slope) < mju_abs(b->phi.slope));
}

// x1 and x2 have slopes of opposite sign; y1, y2 are candidates for them.
static LineMinimum bracket(Search* search, const Point* x0, Point x1, Point x2, mjtNum gtol,
                           int limit) {
  Point y1 = newton_point(search, &x1), y2 = x1;
  while (search->neval < limit) {
    Point middle = evaluate(search, (x1.alpha + x2.alpha) / 2);
    const Point candidate[3] = {y1, y2, middle};
    const Point* best = NULL;
    for (int i = 0; i < 3; i++) {
      if (mju_abs(candidate[i].phi.slope) < gtol &&
          (!best || candidate[i].phi.cost < best->phi.cost)) {
        best = candidate + i;
      }
    }
    if (best) {
      return result(search, best);
    }
    int moved1 = tighten(search, &x1, &y1, candidate);
    int moved2 = tighten(search, &x2, &y2, candidate);
    if (!moved1 && !moved2) {
      return result(search, &middle);
    }
  }

  // out of evaluations: the better end, if it is better than not moving at all
  const Point* end = is_better(&x2, &x1) ? &x2 : &x1;
  if (is_better(end, x0)) {
    return result(search, end);
  }
  return (LineMinimum){0, mju_abs(x0->phi.slope), search->neval};
}

LineMinimum line_minimum(const Line* line, const mjtNum gauss[3], mjtNum gtol, int limit) {
  Search search = {.line = line, .quadratic = {gauss[0], gauss[1], gauss[2]}};
  add_equalities(search.quadratic, line->jar, line->Jv, line->rows->D, line->rows->ne);

  Point x0 = evaluate(&search, 0), x1 = newton_point(&search, &x0);
  if (x0.phi.cost < x1.phi.cost) {
    x1 = x0;
  }
  if (mju_abs(x1.phi.slope) < gtol) {
    return result(&search, &x1);
  }

  // step along the descent until the slope changes sign
  mjtNum direction = x1.phi.slope < 0 ? 1 : -1;
  Point x2 = x1;
  while (direction * x1.phi.slope <= -gtol && search.neval < limit) {
    x2 = x1;
    x1 = newton_point(&search, &x1);
    if (mju_abs(x1.phi.slope) < gtol) {
      return result(&search, &x1);
    }
  }
  if (search.neval >= limit) {
    return result(&search, &x1);
  }
  return bracket(&search, &x0, x1, x2, gtol, limit);
}
