// Public functions on the force law: forces and cost at given residuals, and the force of a
// contact.

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/check.h"
#include "constraint/law/law.h"
#include "model/checks/pair.h"

void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1],
                         int flg_coneHessian) {
  check_pair(m, d);
  check_arrays(d->nefc, jar);
  mjtNum sum = 0;
  if (d->nefc) {
    Rows rows = rows_whole(m, d);
    sum = law_cost(d->efc_force, d->efc_state, &rows, jar, flg_coneHessian);
    mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  }
  if (cost) {
    *cost = sum;
  }
}

void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  check_pair(m, d);
  check_given(result);
  memset(result, 0, 6 * sizeof(mjtNum));
  if (id < 0 || id >= d->ncon || d->contact[id].efc_address < 0) {
    return;
  }
  // programs may write into contacts
  const mjContact* contact = d->contact + id;
  int dim = contact->dim, rows = mj_isPyramidal(m) && dim > 1 ? 2 * (dim - 1) : dim;
  if (dim < 1 || dim > 6 || contact->efc_address > d->nefc - rows) {
    mju_error("contact %d of dimension %d has rows from %d on, of %d", id, dim,
              contact->efc_address, d->nefc);
  }
  const mjtNum* force = d->efc_force + contact->efc_address;
  if (mj_isPyramidal(m)) {
    mju_decodePyramid(result, force, contact->friction, contact->dim);
  } else {
    memcpy(result, force, (size_t)dim * sizeof(mjtNum));
  }
  if (m->flg_adhesion) {  // the row also bears the attraction, which is not the contact's
    result[0] -= contact->adhesion;
  }
}
