// jacobian.h: how the rows of constraints are stored.

#pragma once

#include <mujoco/api/model.h>
#include <mujoco/mjdata.h>
#include <stdint.h>

// Whether the Jacobian of the data is compressed, which also says how efc_AR and iefc_J are stored.
// A program may have changed opt.jacobian since the rows were made: compressed rows have fewer
// entries than dense ones and stay compressed; dense ones have no entries as compressed ones.
static inline int rows_are_sparse(const mjModel* m, const mjData* d) {
  return mj_isSparse(m) || d->nJ < (int64_t)d->nefc * m->nv;
}
