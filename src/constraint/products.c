// Products with the constraint Jacobian, dense or sparse.

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>

#include "base/check.h"
#include "constraint/solver/problem.h"
#include "constraint/stick.h"
#include "model/pair.h"

// Products with the constraint Jacobian, and what follows from them alone.
//                                                     theory/constraints.md, Reference acceleration

void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  check_pair(m, d);
  check_arrays(d->nefc, res, vec);
  Matrix J = matrix_whole_J(m, d);
  if (J.rownnz) {
    matrix_mulv(res, &J, vec);
  } else {
    mju_mulMatVec(res, d->efc_J, vec, d->nefc, m->nv);
  }
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

// aref = -B vel - K I (pos - margin), but for contacts that bounce
void mj_referenceConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mj_mulJacVec(m, d, d->efc_vel, d->qvel);
  for (int i = 0; i < d->nefc; i++) {
    const mjtNum* KBIP = d->efc_KBIP + 4 * i;
    d->efc_aref[i] =
        -KBIP[1] * d->efc_vel[i] - KBIP[0] * KBIP[2] * (d->efc_pos[i] - d->efc_margin[i]);
  }
  if (stick_isOn(m)) {
    stick_reference(m, d);
  }
  restitution_reference(m, d);
}
