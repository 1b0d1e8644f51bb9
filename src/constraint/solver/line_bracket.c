// Newton steps along a line until its slope changes sign, then inside of a bracket.
//                                                    theory/contact/solvers.md, Search by a bracket

#include "constraint/solver/line_bracket.h"

#include "base/algebra/vec.h"

static LineMinimum result(const LineSearch* search, const LinePoint* point) {
  return (LineMinimum){point->alpha, mju_abs(point->phi.slope), search->neval};
}

INLINE LinePoint newton_point(LineSearch* search, const LinePoint* from) {
  return line_evaluate(search, from->alpha - from->phi.slope / from->phi.curvature);
}

// The candidate of least cost among those that are flat enough, or NULL.
static const LinePoint* find_flat(const LinePoint candidate[3], mjtNum gtol) {
  const LinePoint* best = NULL;
  for (int i = 0; i < 3; i++) {
    if (mju_abs(candidate[i].phi.slope) < gtol &&
        (!best || candidate[i].phi.cost < best->phi.cost)) {
      best = candidate + i;
    }
  }
  return best;
}

// Moves one end of a bracket to the candidate nearest to the root on its side; `next` becomes the
// Newton point of that end.
INLINE int tighten(LineSearch* search, LinePoint* end, LinePoint* next,
                   const LinePoint candidate[3]) {
  int moved = 0;
  for (int i = 0; i < 3; i++) {
    mjtNum slope = candidate[i].phi.slope, at = end->phi.slope;
    if (at < 0 ? slope < 0 && slope > at : at > 0 && slope > 0 && slope < at) {
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
static int is_better(const LinePoint* a, const LinePoint* b) {
  return a->phi.cost < b->phi.cost ||
         (a->phi.cost == b->phi.cost && mju_abs(a->phi.slope) < mju_abs(b->phi.slope));
}

// The search between x1 and x2, whose slopes have opposite signs. x0: the start of the line.
INLINE LineMinimum search_bracket(LineSearch* search, const LinePoint* x0, LinePoint x1,
                                  LinePoint x2, mjtNum gtol, int limit) {
  LinePoint y1 = newton_point(search, &x1), y2 = x1;
  while (search->neval < limit) {
    LinePoint middle = line_evaluate(search, (x1.alpha + x2.alpha) / 2);
    const LinePoint candidate[3] = {y1, y2, middle};
    const LinePoint* flat = find_flat(candidate, gtol);
    if (flat) {
      return result(search, flat);
    }
    int moved1 = tighten(search, &x1, &y1, candidate);
    int moved2 = tighten(search, &x2, &y2, candidate);
    if (!moved1 && !moved2) {
      return result(search, &middle);
    }
  }
  const LinePoint* end = is_better(&x2, &x1) ? &x2 : &x1;
  if (is_better(end, x0)) {
    return result(search, end);
  }
  return (LineMinimum){0, mju_abs(x0->phi.slope), search->neval};
}

// Also bracket_steps in lanes/solvers/bracket.h.
KERNEL LineMinimum line_bracket(const Line* line, const mjtNum gauss[3], mjtNum gtol, int limit,
                                int keeps_newton) {
  LineSearch search = line_begin(line, gauss);
  LinePoint x0 = line_evaluate(&search, 0), x1 = newton_point(&search, &x0);
  if (!keeps_newton && x0.phi.cost < x1.phi.cost) {
    x1 = x0;
  }
  if (mju_abs(x1.phi.slope) < gtol) {
    return result(&search, &x1);
  }

  // on along the descent until the slope changes sign
  mjtNum direction = x1.phi.slope < 0 ? 1 : -1;
  LinePoint x2 = x1;
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
  return search_bracket(&search, &x0, x1, x2, gtol, limit);
}
