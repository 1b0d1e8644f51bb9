#include <mujoco/api/model.h>

#include "base/check.h"

// What the options of a model say about its constraints.

int mj_isPyramidal(const mjModel* m) {
  check_given(m);
  return m->opt.cone == mjCONE_PYRAMIDAL;
}

// A Jacobian row of a large model is mostly zeros.
#define SPARSE_FROM 60

int mj_isSparse(const mjModel* m) {
  check_given(m);
  return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= SPARSE_FROM);
}

int mj_isDual(const mjModel* m) {
  check_given(m);
  return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}
