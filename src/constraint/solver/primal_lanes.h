// primal_lanes.h: Newton's method for several islands at once, one in each lane of a vector.

#pragma once

#include <mujoco/mjmodel.h>

#include "base/algebra/simd.h"
#include "constraint/law/problem.h"

// The largest problems that share vectors: their room is on the stack, also of a small thread.
enum {
  LANE_DOFS = 12,
  LANE_ROWS = 32
};

// Whether a problem of n dofs and nefc rows of these types can share vectors with others of as many
// dofs: a small one of scalar rows.
int primal_lanes_take(const mjModel* m, int n, int nefc, const int* type);

// Solves count <= SIMD_N problems that primal_lanes_take, all of n dofs, each with the result that
// it has beside any others. acc, Ma and jar are the starts. Writes acc, frc_constraint, force,
// state and the statistics of each problem, and its number of iterations; -1: acc, Ma and
// jar are unchanged, and the problem is left to primal_small.
void primal_lanes(int* niter, const mjModel* m, Problem* const* p, int count);
