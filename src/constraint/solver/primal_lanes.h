// primal_lanes.h: Newton's method for several islands at once, one in each lane of a vector.

#pragma once

#include <mujoco/mjmodel.h>

#include "base/algebra/simd.h"
#include "constraint/law/problem.h"

// Whether a problem of n dofs and nefc rows can share vectors with others of as many dofs: a small
// one.
int primal_lanes_take(const mjModel* m, int n, int nefc);

// Solves count <= SIMD_N problems that primal_lanes_take, all of n dofs, each with the result that
// it has beside any others. acc, Ma and jar are the starts. Writes acc, frc_constraint, force,
// state and the statistics of each problem, and its number of iterations; -1: acc, Ma and
// jar are unchanged, and the problem is left to the scalar solver. room: lanes_bytes of the shape
// that all fit in, which has no more than LANE_ROWS.
void primal_lanes(int* niter, const mjModel* m, void* room, Problem* const* p, int count);
