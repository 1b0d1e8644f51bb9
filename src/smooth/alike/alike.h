// alike.h: stages of trees of the same shape, computed side by side.
//
// Each does for groups of trees what a stage of this module does for runs of bodies, with the same
// operations in the same order, so that a tree has the same numbers either way.
//                                                   theory/smooth/inertia.md, Trees side by side

#pragma once

#include "base/algebra/vec.h"
#include "model/data/tree_runs.h"

// The groups [begin, end) of a model and its data.

// Poses of bodies, their joints and geoms. Geoms are left out if geoms is 0.
void alike_frames(const mjModel* m, mjData* d, const TreeGroups* groups, int begin, int end,
                  int geoms, QuatOrder order);

// cvel and cdof_dot.
void alike_velocities(const mjModel* m, mjData* d, const TreeGroups* groups, int begin, int end);

// cvel, cdof_dot and the bias forces that follow from them, without qacc; world: the acceleration
// of the world.
void alike_motion(mjtNum* result, const mjModel* m, mjData* d, const mjtNum world[6],
                  const TreeGroups* groups, int begin, int end);

// Bias forces of dofs, as mj_rne.
void alike_newton_euler(mjtNum* result, const mjModel* m, const mjData* d, int flg_acc,
                        const mjtNum world[6], const TreeGroups* groups, int begin, int end);

// crb and M without terms of actuators and tendons, and qM as well if legacy is not 0.
void alike_inertia(const mjModel* m, mjData* d, const TreeGroups* groups, int begin, int end,
                   int legacy);

// L'DL of M + diag(shift), as ldl_factor, and with that the solution of L'DL x = b, as ldl_solve.
// shift and x may be NULL.
void alike_factor(mjtNum* x, mjtNum* LD, mjtNum* diaginv, const mjModel* m,
                  const TreeGroups* groups, int begin, int end, const mjtNum* M,
                  const mjtNum* shift);

// Solves L'DL x = b in place, as ldl_solve.
void alike_solve(mjtNum* x, const mjModel* m, const TreeGroups* groups, int begin, int end,
                 const mjtNum* LD, const mjtNum* diaginv);
