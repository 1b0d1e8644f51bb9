// metric.h: the effective metric of the discrete integrator,
//
//   Mhat = M + h D + h^2 K
//
// D and K are the dampings and stiffnesses of joints, tendons, actuators, fluids and flexes. They
// take the place of M in the solver's cost, so that constraints know what the step will do.
//
// Joints and fluids act within M's pattern. Tendons and actuators couple any dofs, as sums of c g'g
// with a row g. Their pattern is that of a tree, too, of which M's is a part: dofs that are
// coupled, and all between them, become descendants of each other.
//
//   M's tree    a0 a1    b0 b1    c0        a row couples a1 and c0:
//                                           a0 - a1 - b0 - b1
//                                                 `- c0
//
// So L'DL has no fill-in in it, and whatever works with M's pattern and factor works with these
// (smooth/ldl.h). Every row is a path from the root or, where paths are much longer than what terms
// couple, the end of one. The pattern is made anew in each position stage, because the paths of
// tendons change.
//
// What needs the inverse in M's own pattern (the matrix of PGS and NoSlip, the exact diagonal)
// takes the backbone: M, fluids, and the diagonal of all else but flexes.
//                                                         theory/time/integration.md, Discrete

#pragma once

#include <mujoco/mjdata.h>

#include "constraint/metric/layout.h"

// Is a row of a tendon or actuator part of the metric? PGS, which needs the inverse of the metric
// for its rows, has none; hard contacts, whose matrix has M's pattern, those on a path of M: servos
// of joints, tendons along a limb. The others are explicit.
int metric_takes(const mjModel* m, const mjtNum* value, const int* column, int n);

// Takes memory from the arena and writes the pattern; no number is known yet. If there is no room,
// efm_active stays 0, with a warning, and the step is that of M alone.
void metric_make(const mjModel* m, mjData* d);

// Calls visit for every row that may couple dofs: the tendons with springs or dampers, the outputs
// of actuators with a slope, the dofs of elastic flexes. Columns NULL: the row is dense; else their
// values may be NULL.
void metric_visit(const mjModel* m, mjData* d, MetricVisitor* visit, void* arg);

// The inverse pivots of the metric's factor cnd_efm_L, which stand behind it.
static inline const mjtNum* metric_pivots(const mjData* d) {
  return d->cnd_efm_L + d->nefmK;
}

// From efm_fluid, efm_diag and the lists of tendons and actuators: efm_K_val = Mhat - M, its
// diagonal without flexes efm_sdiag, and cnd_efm_L, the factor of Mhat; where something asks for
// the inverse of the backbone, its factor in qH and qHDiagInv.
void metric_factor(const mjModel* m, mjData* d);

// out = Mhat
void metric_matrix(mjtNum* out, const mjModel* m, mjData* d);

// out = Mhat x, and x = Mhat^-1 x.
void metric_mul(mjtNum* out, const mjModel* m, mjData* d, const mjtNum* x);
void metric_solve(mjtNum* x, const mjModel* m, mjData* d);

// out = f - h K v, the smooth forces and the metric's shift.
void metric_shifted(mjtNum* out, const mjModel* m, const mjData* d);

// The metric of all islands, on the stack: rows in island order, columns counted from the first dof
// of the island, as iM.
typedef struct MetricIslands_ {
  const int *rownnz, *rowadr, *colind;
  const mjtNum *value, *LD, *DInv;
} MetricIslands;
MetricIslands metric_islands(const mjModel* m, mjData* d);

// Replaces the regularizers of constraint rows (R, D) by those that end with the step. Reads
// efm_sdiag. exact: the diagonal is that of the backbone already.
void metric_rows(const mjModel* m, mjData* d, int exact);
