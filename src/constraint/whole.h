// whole.h: the whole system as a problem, and copies between its order and that of islands.

#pragma once

#include <mujoco/mjmodel.h>

#include "base/algebra/simd.h"
#include "constraint/law/problem.h"

// to[i] = from[index[i]] and to[index[i]] = from[i] for begin <= i < end; index NULL: the numbers
// stay in their order.
INLINE void indexed_copy(mjtNum* to, const mjtNum* from, int begin, int end) {
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    SIMD_AT(Simd4, to + i) = SIMD_READ(Simd4, from + i);
  }
  for (; i < end; i++) {
    to[i] = from[i];
  }
}

INLINE void indexed_gather(mjtNum* to, const mjtNum* from, const int* index, int begin, int end) {
  if (!index) {
    indexed_copy(to, from, begin, end);
    return;
  }
  for (int i = begin; i < end; i++) {
    to[i] = from[index[i]];
  }
}

INLINE void indexed_scatter(mjtNum* to, const mjtNum* from, const int* index, int begin, int end) {
  if (!index) {
    indexed_copy(to, from, begin, end);
    return;
  }
  for (int i = begin; i < end; i++) {
    to[index[i]] = from[i];
  }
}

// The scale that makes an island's costs dimensionless, from its present inertia, not from that of
// the reference configuration.
mjtNum inertia_scale(const mjtNum* M, TreePattern tree);

// Where the solvers of the whole system start.
ProblemStart start_of(const mjModel* m, mjData* d);

// The whole system as a problem, starting at the last step's solution. own_states: the solver
// stores its states apart from efc_state.
Problem whole_problem(const mjModel* m, mjData* d, int own_states);
