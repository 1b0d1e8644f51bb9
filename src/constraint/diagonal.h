// diagonal.h: the flag diagexact, which regularizes rows by what they weigh where they are.
//
// Without it the diagonal of J M^-1 J' is that of the reference configuration, of bodies as if they
// were alone: an arm that reaches far out is lighter than it thinks.
//                                                theory/contact/constraints.md, Exact diagonal

#pragma once

#include <mujoco/mjdata.h>

// Replaces what follows from the approximate diagonal by what follows from that of the present
// configuration, in the rows and in their copies by island.
void diagonal_exact(const mjModel* m, mjData* d);

// Makes the parameters of rows those of a discrete step, whose metric has its backbone.
void diagonal_discrete(const mjModel* m, mjData* d);

static inline int diagonal_is_exact(const mjModel* m) {
  return m->opt.enableflags & mjENBL_DIAGEXACT;
}
