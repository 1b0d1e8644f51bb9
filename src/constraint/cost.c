#include "constraint/cost.h"

#include <string.h>

#include "base/check.h"
#include "base/target.h"
#include "base/vec.h"

Rows rows_whole(const mjModel* m, const mjData* d) {
  return (Rows){.nefc = d->nefc,
                .ne = d->ne,
                .nf = d->nf,
                .type = d->efc_type,
                .id = d->efc_id,
                .D = d->efc_D,
                .R = d->efc_R,
                .frictionloss = d->efc_frictionloss,
                .aref = d->efc_aref,
                .contact = d->contact,
                .elliptic = !mj_isPyramidal(m)};
}

// In U-space (U_0 = mu x_0, U_j = phi_j x_j) and divided by Dm:
//
//   h_00 = 1    h_0j = -mu U_j / T    h_jk = mu N U_j U_k / T^3 + (mu^2 - mu N / T) delta_jk
//
// then H_ab = Dm sigma_a sigma_b h_ab with sigma = (mu, phi_1, ...).
static void cone_hessian(mjContact* contact, const mjtNum* U, mjtNum T, mjtNum Dm) {
  int dim = contact->dim;
  mjtNum mu = contact->mu, N = U[0], sigma[6] = {mu};
  for (int j = 1; j < dim; j++) {
    sigma[j] = contact->friction[j - 1];
  }
  for (int a = 0; a < dim; a++) {
    for (int b = a; b < dim; b++) {
      mjtNum h = 1;
      if (a) {
        h = mu * N * U[a] * U[b] / (T * T * T) + (a == b ? mu * mu - mu * N / T : 0);
      } else if (b) {
        h = -mu * U[b] / T;
      }
      contact->H[a * dim + b] = contact->H[b * dim + a] = Dm * sigma[a] * sigma[b] * h;
    }
  }
}

static mjtNum cone_cost(mjtNum* force, int* state, mjContact* contact, const mjtNum* D,
                        const mjtNum* jar, int hessian) {
  int dim = contact->dim;
  mjtNum mu = contact->mu, U[6] = {mu * jar[0]}, square = 0;
  for (int j = 1; j < dim; j++) {
    U[j] = contact->friction[j - 1] * jar[j];
    square += U[j] * U[j];
  }
  mjtNum N = U[0], T = mju_sqrt(square);
  int zone = cone_zone(N, T, mu);
  for (int j = 0; j < dim; j++) {
    state[j] = zone;
    force[j] = 0;
  }

  if (zone == mjCNSTRSTATE_SATISFIED) {
    return 0;
  }
  if (zone == mjCNSTRSTATE_QUADRATIC) {
    mjtNum cost = 0;
    for (int j = 0; j < dim; j++) {
      force[j] = -D[j] * jar[j];
      cost -= force[j] * jar[j] / 2;
    }
    return cost;
  }

  // cost = Dm (N - mu T)^2 / 2
  mjtNum Dm = cone_stiffness(D[0], mu), gap = N - mu * T;
  force[0] = -Dm * gap * mu;
  for (int j = 1; j < dim; j++) {
    force[j] = -force[0] * contact->friction[j - 1] * U[j] / T;
  }
  if (hessian) {
    cone_hessian(contact, U, T, Dm);
  }
  return Dm * gap * gap / 2;
}

// rows that are quadratic below zero and free above; no branch, so that it runs in vector lanes
KERNEL
static mjtNum unilateral_cost(mjtNum* restrict force, int* restrict state, const mjtNum* restrict D,
                              const mjtNum* restrict jar, int n) {
  mjtNum cost = 0;
  for (int i = 0; i < n; i++) {
    mjtNum below = jar[i] < 0 ? jar[i] : 0;
    force[i] = -D[i] * below;
    state[i] = jar[i] < 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
    cost += D[i] * below * below;
  }
  return cost / 2;
}

mjtNum rows_cost(mjtNum* force, int* state, const Rows* rows, const mjtNum* jar, int hessian) {
  mjtNum cost = 0;
  int i = 0;
  for (; i < rows->ne; i++) {
    force[i] = -rows->D[i] * jar[i];
    state[i] = mjCNSTRSTATE_QUADRATIC;
    cost -= force[i] * jar[i] / 2;
  }
  for (; i < rows->ne + rows->nf; i++) {
    mjtNum eta = rows->frictionloss[i], bound = rows->R[i] * eta;
    state[i] = frictionloss_state(jar[i], bound);
    if (state[i] == mjCNSTRSTATE_QUADRATIC) {
      force[i] = -rows->D[i] * jar[i];
      cost -= force[i] * jar[i] / 2;
    } else {
      force[i] = state[i] == mjCNSTRSTATE_LINEARNEG ? eta : -eta;
      cost -= bound * eta / 2 + force[i] * jar[i];
    }
  }
  while (i < rows->nefc) {
    // up to the next cone
    int end = i;
    while (end < rows->nefc && !(rows->elliptic && rows->type[end] == mjCNSTR_CONTACT_ELLIPTIC)) {
      end = rows->elliptic ? end + 1 : rows->nefc;
    }
    cost += unilateral_cost(force + i, state + i, rows->D + i, jar + i, end - i);
    for (i = end; i < rows->nefc && rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC;) {
      mjContact* contact = rows->contact + rows->id[i];
      cost += cone_cost(force + i, state + i, contact, rows->D + i, jar + i, hessian);
      i += contact->dim;
    }
  }
  return cost;
}

void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1],
                         int flg_coneHessian) {
  check_given(m, d);
  check_arrays(d->nefc, jar);
  mjtNum sum = 0;
  if (d->nefc) {
    Rows rows = rows_whole(m, d);
    sum = rows_cost(d->efc_force, d->efc_state, &rows, jar, flg_coneHessian);
    mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  }
  if (cost) {
    *cost = sum;
  }
}

void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  check_given(m, d, result);
  memset(result, 0, 6 * sizeof(mjtNum));
  if (id < 0 || id >= d->ncon || d->contact[id].efc_address < 0) {
    return;
  }
  const mjContact* contact = d->contact + id;
  const mjtNum* force = d->efc_force + contact->efc_address;
  if (mj_isPyramidal(m)) {
    mju_decodePyramid(result, force, contact->friction, contact->dim);
  } else {
    memcpy(result, force, contact->dim * sizeof(mjtNum));
  }
}
