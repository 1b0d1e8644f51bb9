// rows.c: parameters of rows whose force law holds at the end of the step,
//
//   R0 f = aref(v+, q+) - a,     v+ = v + h a,  q+ = q + h v+
//
// With aref = - B w - K I r this is a row of the usual form, of which both sides are divided by
//
//   s = 1 + h B + h^2 K I        R = R0 / s
//
// The impedance of R is at most that of the stiffest row. What a row weighs is that of the metric's
// backbone:
//
//   A_ii = (approximate J M^-1 J')_ii  (sum_j J_ij^2 / Mhat_jj) / (sum_j J_ij^2 / M_jj)
//
//                                             theory/contact/constraints.md, Rows of discrete steps

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "constraint/metric/metric.h"
#include "constraint/rows/extent.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"

// Reciprocal diagonals of M and of the backbone.
typedef struct {
  const mjtNum *inertia, *backbone;
} Lightness;

static Lightness lightness_of(const mjModel* m, mjData* d) {
  mjtNum *inertia = arena_num(d, m->nv), *backbone = arena_num(d, m->nv);
  for (int i = 0; i < m->nv; i++) {
    mjtNum M = d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
    inertia[i] = 1 / M;
    backbone[i] = 1 / (M + d->efm_sdiag[i]);
  }
  return (Lightness){inertia, backbone};
}

static mjtNum weight_ratio(const mjModel* m, const mjData* d, const Lightness* of, int row) {
  int sparse = rows_are_sparse(m, d), n = sparse ? d->efc_J_rownnz[row] : m->nv;
  const int* column = sparse ? d->efc_J_colind + d->efc_J_rowadr[row] : NULL;
  const mjtNum* J = d->efc_J + (sparse ? (size_t)d->efc_J_rowadr[row] : (size_t)row * m->nv);
  mjtNum here = 0, bare = 0;
  for (int k = 0; k < n; k++) {
    int dof = column ? column[k] : k;
    here += J[k] * J[k] * of->backbone[dof];
    bare += J[k] * J[k] * of->inertia[dof];
  }
  return bare > 0 ? here / bare : 1;
}

// What the regularizer of a row is multiplied with.
static mjtNum softening(const mjModel* m, const mjtNum KBIP[4], mjtNum ratio) {
  mjtNum h = m->opt.timestep, I = KBIP[2], largest = (mjtNum)mjMAXIMP;
  mjtNum s = 1 + h * KBIP[1] + h * h * KBIP[0] * I;
  return ratio * num_max(1 / s, (1 - largest) / largest * I / (1 - I));
}

void metric_rows(const mjModel* m, mjData* d, int exact) {
  size_t top = arena_top(d);
  Lightness of = lightness_of(m, d);
  for (int row = 0, n; row < d->nefc; row += n) {
    mjtNum scale = 1;
    int is_contact = d->efc_type[row] >= mjCNSTR_CONTACT_FRICTIONLESS;
    n = constraint_rows(m, d, row);
    for (int i = row; i < row + n; i++) {
      const mjtNum* KBIP = d->efc_KBIP + 4 * (size_t)i;
      if (i == row || !is_contact) {
        scale = softening(m, KBIP, exact ? 1 : weight_ratio(m, d, &of, i));
      }
      d->efc_R[i] = num_max(mjMINVAL, d->efc_R[i] * scale);
      d->efc_D[i] = 1 / d->efc_R[i];
      d->efc_diagApprox[i] = d->efc_R[i] * (KBIP[2] / (1 - KBIP[2]));
    }
  }
  arena_pop(d, top);
}
