// whole.h: the whole system as a problem, and copies between its order and that of islands.

#pragma once

#include <mujoco/mjmodel.h>

#include "constraint/law/problem.h"

// to[i] = from[index[i]], to[index[i]] = from[i]; index NULL: n numbers in their order. Nothing
// moves to where it is.
void indexed_gather(mjtNum* to, const mjtNum* from, const int* index, int n);
void indexed_scatter(mjtNum* to, const mjtNum* from, const int* index, int n);

// The scale that makes an island's costs dimensionless, from its present inertia, not from that of
// the reference configuration.
mjtNum inertia_scale(const mjtNum* M, TreePattern tree);

// Where the solvers of the whole system start.
ProblemStart start_of(const mjModel* m, mjData* d);

// The whole system as a problem, starting at the last step's solution. own_states: the solver
// stores its states apart from efc_state.
Problem whole_problem(const mjModel* m, mjData* d, int own_states);
