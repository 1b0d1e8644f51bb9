// solve.h: solves a problem by the method that fits it.

#pragma once

#include <mujoco/mjmodel.h>

#include "constraint/law/problem.h"
#include "constraint/solver/pattern.h"

// Counts the entries of MuJoCo's Newton matrix, for the statistics. If J is in compressed rows and
// stays so, this makes the pattern of the matrix too.
void problem_count(const mjModel* m, mjData* d, Problem* p, Pattern* pattern, int newton);

// Solves a problem by the first method that fits: in the space of constraint rows (few rows), by
// the solver of small problems, or by dofs (also if the solver by rows gives up). Stores the
// accelerations, forces and statistics.
void problem_solve(mjtNum* acc, mjtNum* frc, const mjModel* m, mjData* d, Problem* p);
