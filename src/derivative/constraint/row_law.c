// Forces f(y) of all rows and their curvature Hs, by the laws of constraint/law/law.c; contacts get
// both along (n, t1, t2), by pyramid or cone.

#include "derivative/constraint/row_law.h"

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/law/law.h"
#include "constraint/rows/directions.h"
#include "constraint/rows/restitution.h"
#include "derivative/constraint/row_reference.h"
#include "derivative/tree/kink.h"

static void weigh_forces(RowLaw* law);

RowLaw row_law_make(const mjModel* m, mjData* d, const mjtNum* x) {
  if (restitution_bounces(m, d)) {
    mju_error("no exact derivative of a contact that bounces in this step: use differences");
  }
  size_t n = (size_t)d->nefc;
  RowLaw law = {.m = m, .d = d};
  law.y = mj_stackAllocNum(d, n);
  law.force = mj_stackAllocNum(d, n);
  law.zone = mj_stackAllocInt(d, n);
  mj_mulJacVec(m, d, law.y, x);
  for (int i = 0; i < d->nefc; i++) {
    law.y[i] -= d->efc_aref[i];
  }
  Rows rows = rows_whole(m, d);
  law_cost(law.force, law.zone, &rows, law.y, 0);
  law.weighed = law.force;
  if (m->flg_adhesion) {
    int passive = mjDSBL_SPRING | mjDSBL_DAMPER;
    law.attracts = (m->opt.disableflags & passive) != passive;
    law.weighed = mj_stackAllocNum(d, n);
    weigh_forces(&law);
  }
  return law;
}

// place of a row among the bordered rows, -1 if it is none
static int bordered_index(const RowLaw* law, int row) {
  return law->bordered ? law->bordered->index[row] : -1;
}

// Hs = -df/dy: D in the quadratic zone, else 0
// Also law_cost in constraint/law/law.c.
mjtNum row_stiffness(const RowLaw* law, int row) {
  return bordered_index(law, row) < 0 ? law_curvature(law->d->efc_D[row], law->zone[row]) : 0;
}

// response of a bordered row, 0 for other rows
static mjtNum bordered_response(const RowLaw* law, int row) {
  int i = bordered_index(law, row);
  return i < 0 ? 0 : law->bordered->response[i];
}

mjtNum row_response(const RowLaw* law, int row, mjtNum along) {
  return bordered_response(law, row) - row_stiffness(law, row) * along;
}

// Also rows_parameters in constraint/rows/parameters.c and metric_rows in constraint/metric/rows.c.
mjtNum row_sigma(const RowLaw* law, int row) {
  int zone = law->zone[row];
  int is_free = law->d->efc_R[row] > mjMINVAL && zone != mjCNSTRSTATE_LINEARNEG &&
                zone != mjCNSTRSTATE_LINEARPOS;
  return is_free ? reference_sigma_of(law->m, law->d, row) : 0;
}

// Also mj_referenceConstraint in constraint/reference.c.
mjtNum row_spring(const RowLaw* law, int row) {
  return reference_spring_of(law->m, law->d, row);
}

mjtNum row_damping(const RowLaw* law, int row) {
  return reference_damping_of(law->m, law->d, row);
}

// Derivative of the law of pyramid rows, Hs = -df/dy, in the directions c_0 (normal), c_1, ... of
// the contact. With phi_k = friction[k - 1], let D+ be the D of row c_0 + phi_k c_k and D- that of
// row c_0 - phi_k c_k, 0 for a row without force:
//
//   Hs_00 = sum_k (D+ + D-)    Hs_0k = Hs_k0 = phi_k (D+ - D-)    Hs_kk = phi_k^2 (D+ + D-)
static void pyramid_law(mjtNum Hs[36], const RowLaw* law, const mjContact* con) {
  for (int k = 1; k < con->dim; k++) {
    int row = con->efc_address + 2 * (k - 1);
    mjtNum phi = con->friction[k - 1], plus = row_stiffness(law, row);
    mjtNum minus = row_stiffness(law, row + 1);
    Hs[0] += plus + minus;
    Hs[k] = Hs[6 * k] = phi * (plus - minus);
    Hs[7 * k] = phi * phi * (plus + minus);
  }
}

// Derivative of the law of an elliptic friction cone, Hs = -df/dy, for the rows y = J x - aref of
// the contact: normal 0, friction j > 0. mu = contact.mu, phi_j = friction[j - 1], D = efc_D.
//
//   N = mu y_0    U_j = phi_j y_j    T = sqrt(sum_j U_j^2)    s = (mu, phi_1, phi_2, ...)
//
//   sliding (middle zone)   Hs_ab = Dm s_a s_b h_ab,   Dm = D_0 / (mu^2 (1 + mu^2))
//                           h_00 = 1    h_0j = -mu U_j / T
//                           h_jk = mu N U_j U_k / T^3 + (mu^2 - mu N / T) delta_jk
//   sticking (bottom zone)  Hs = diag(D)
//   open (top zone)         Hs = 0
//                                                           theory/contact/solvers.md, Cone Hessian
// Also cone_cost in constraint/law/law.h and cone_hessian in constraint/law/law.c.
static void cone_law(mjtNum Hs[36], const RowLaw* law, const mjContact* con) {
  int row = con->efc_address, dim = con->dim;
  if (law->zone[row] == mjCNSTRSTATE_CONE) {
    mjContact copy = *con;
    ConePoint at = cone_point(con, law->y + row);
    cone_hessian(&copy, &at, law->d->efc_D[row]);
    for (int k = 0; k < dim; k++) {
      memcpy(Hs + 6 * k, copy.H + dim * k, (size_t)dim * sizeof(mjtNum));
    }
    return;
  }
  for (int k = 0; k < dim; k++) {
    Hs[7 * k] = row_stiffness(law, row + k);
  }
}

static int has_pyramid(const RowLaw* law, const mjContact* con) {
  return law->d->efc_type[con->efc_address] == mjCNSTR_CONTACT_PYRAMIDAL;
}

void contact_law(mjtNum force[6], mjtNum Hs[36], mjtNum damping[6], const RowLaw* law,
                 const mjContact* con) {
  int row = con->efc_address, is_pyramid = has_pyramid(law, con);
  memset(force, 0, 6 * sizeof(mjtNum));
  memset(Hs, 0, 36 * sizeof(mjtNum));
  for (int k = 0; k < 6; k++) {
    int own = row + (is_pyramid || k >= con->dim ? 0 : k);
    damping[k] = row_damping(law, own);
  }
  directions_force(force, con, is_pyramid, law->force + row);
  if (is_pyramid) {
    pyramid_law(Hs, law, con);
  } else {
    cone_law(Hs, law, con);
  }
}

// weighed = f - Hs R A of the normal row of an elliptic contact, or with a share of A in each edge
// of a pyramid.
// Also surface_add_reference in constraint/rows/surface.c.
static void weigh_forces(RowLaw* law) {
  const mjData* d = law->d;
  mju_copy(law->weighed, law->force, d->nefc);
  for (const mjContact* con = d->contact; con < d->contact + d->ncon; con++) {
    mjtNum Hs[36] = {0};
    int row = con->efc_address;
    if (row < 0 || con->adhesion == 0) {
      continue;
    }
    if (has_pyramid(law, con)) {
      int n = 2 * (con->dim - 1);
      for (int i = row; i < row + n; i++) {
        law->weighed[i] -= row_stiffness(law, i) / d->efc_D[i] * con->adhesion / (mjtNum)n;
      }
      continue;
    }
    cone_law(Hs, law, con);
    for (int k = 0; k < con->dim; k++) {
      law->weighed[row + k] -= Hs[6 * k] / d->efc_D[row] * con->adhesion;
    }
  }
}

void contact_weighed(mjtNum weighed[6], const RowLaw* law, const mjContact* con) {
  mju_zero(weighed, 6);
  directions_force(weighed, con, has_pyramid(law, con), law->weighed + con->efc_address);
}

void contact_response(mjtNum response[6], const RowLaw* law, const mjContact* con) {
  if (!law->bordered) {
    return;
  }
  mjtNum rows[10], sum[6];
  int is_pyramid = has_pyramid(law, con), n = is_pyramid ? 2 * (con->dim - 1) : con->dim;
  for (int k = 0; k < n; k++) {
    rows[k] = bordered_response(law, con->efc_address + k);
  }
  directions_force(sum, con, is_pyramid, rows);
  mju_addTo(response, sum, con->dim);
}

// kinks

// Whether a scalar row is at a kink; scale: size of the numbers whose difference y is.
static int scalar_kink(const RowLaw* law, int i, mjtNum scale) {
  const mjData* d = law->d;
  if (i < d->ne) {
    return 0;
  }
  if (i < d->ne + d->nf) {
    mjtNum bound = d->efc_R[i] * d->efc_frictionloss[i];
    return kink_is_zero(mju_abs(law->y[i]) - bound, scale + bound);
  }
  return kink_is_zero(law->y[i], scale);
}

static int cone_kink(const RowLaw* law, int i, mjtNum scale) {
  const mjContact* con = law->d->contact + law->d->efc_id[i];
  ConePoint at = cone_point(con, law->y + i);
  scale *= num_max(con->mu, con->friction[0]);
  return kink_is_zero(at.N - con->mu * at.T, scale) || kink_is_zero(con->mu * at.N + at.T, scale);
}

int row_kinks(const RowLaw* law) {
  const mjData* d = law->d;
  int kinks = 0;
  for (int i = 0; i < d->nefc;) {
    int is_cone = d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC;
    mjtNum scale = mju_abs(d->efc_aref[i]) + mju_abs(law->y[i]);
    kinks += is_cone ? cone_kink(law, i, scale) : scalar_kink(law, i, scale);
    i += is_cone ? d->contact[d->efc_id[i]].dim : 1;
  }
  return kinks;
}
