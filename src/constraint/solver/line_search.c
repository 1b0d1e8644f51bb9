// Room for a line, and its search as a kernel.               theory/contact/solvers.md, Line search

#include "constraint/solver/line_search.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "model/data/arena.h"

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

// Also lane_line_search in lanes/solvers/newton.h.
KERNEL LineMinimum line_minimum(const Line* line, const mjtNum gauss[3], mjtNum gtol, int limit) {
  return line_minimum_inline(line, gauss, gtol, limit);
}
