// Products with the constraint Jacobian, dense or sparse.

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>

#include "base/memory/check.h"
#include "constraint/law/problem.h"
#include "model/checks/pair.h"

void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  check_pair(m, d);
  check_arrays(d->nefc, res, vec);
  Matrix J = matrix_whole_J(m, d);
  matrix_mulv(res, &J, vec);
}

void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  check_pair(m, d);
  check_arrays(m->nv, res);
  check_arrays(d->nefc, vec);
  if (!d->nefc) {
    return;
  }
  Matrix J = matrix_whole_J(m, d);
  if (J.rownnz) {
    matrix_tmulv(res, &J, vec);
  } else {
    mju_mulMatTVec(res, d->efc_J, vec, d->nefc, m->nv);
  }
}
