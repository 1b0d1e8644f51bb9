// Newton's method on the derivative along the line, with a bracket.
//                                                                    theory/solvers.md, Line search

#include "constraint/solver/line_search.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "constraint/law.h"
#include "model/arena.h"

Line line_make(mjData* d, const Rows* rows, const mjtNum* jar, Trouble* trouble) {
  Line line;
  size_t bytes = SIMD_PADDED(rows->nefc) * sizeof(mjtNum);
  mjtNum *Jv = arena_take(d, bytes, 64), *D_onesided = arena_take(d, bytes, 64);
  size_t ncone = rows->elliptic ? (size_t)rows->nefc / LEAST_CONE_ROWS : 0;
  size_t vectors = (size_t)cone_lines_count((int)ncone);
  ConeRows* cone = arena_take(d, ncone * sizeof(ConeRows), _Alignof(ConeRows));
  ConeLines* cones = arena_take(d, vectors * sizeof(ConeLines), 64);
  line_fill(&line, rows, jar, trouble, Jv, D_onesided, cone, cones);
  return line;
}

// Moves one end of a bracket to the candidate nearest the root on the same side. next becomes the
// end's Newton point.
INLINE int tighten(LineSearch* search, LinePoint* end, LinePoint* next,
                   const LinePoint candidate[3]) {
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
    *next = line_newton(search, end);
  }
  return moved;
}

// The gain may be below the rounding of costs, so equal costs are compared by their slopes.
INLINE int is_better(const LinePoint* a, const LinePoint* b) {
  return a->phi.cost < b->phi.cost ||
         (a->phi.cost == b->phi.cost && mju_abs(a->phi.slope) < mju_abs(b->phi.slope));
}

// y1, y2 are candidates for x1 and x2.
KERNEL LineMinimum line_bracket(LineSearch* search, const LinePoint* x0, LinePoint x1, LinePoint x2,
                                mjtNum gtol, int limit) {
  LinePoint y1 = line_newton(search, &x1), y2 = x1;
  while (search->neval < limit) {
    LinePoint middle = line_evaluate(search, (x1.alpha + x2.alpha) / 2);
    const LinePoint candidate[3] = {y1, y2, middle};
    const LinePoint* best = NULL;
    for (int i = 0; i < 3; i++) {
      if (mju_abs(candidate[i].phi.slope) < gtol &&
          (!best || candidate[i].phi.cost < best->phi.cost)) {
        best = candidate + i;
      }
    }
    if (best) {
      return line_result(search, best);
    }
    int moved1 = tighten(search, &x1, &y1, candidate);
    int moved2 = tighten(search, &x2, &y2, candidate);
    if (!moved1 && !moved2) {
      return line_result(search, &middle);
    }
  }

  // out of evaluations: the better end, if it is better than not moving at all
  const LinePoint* end = is_better(&x2, &x1) ? &x2 : &x1;
  if (is_better(end, x0)) {
    return line_result(search, end);
  }
  return (LineMinimum){0, mju_abs(x0->phi.slope), search->neval};
}

KERNEL LineMinimum line_minimum(const Line* line, const mjtNum gauss[3], mjtNum gtol, int limit) {
  return line_minimum_inline(line, gauss, gtol, limit);
}
