#include "derivative/scalar_row.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "derivative/tendon_length.h"
#include "smooth/tendon.h"

// A row of J, its non-zero numbers alone, and its law. With r its residual,
//
//   dF = J' (f sigma - Hs spring) dr - J' Hs (dJ) z + (dJ)' f,    z = x + b v
//
// of which this file has dJ of each kind of row.
typedef struct {
  Couplings* of;
  Load* loads;
  int *dof, n;
  mjtNum* J;
  mjtNum force, Hs, damping;
} Row;

static void find_row(Row* out, const mjModel* m, mjData* d, int row) {
  int issparse = mj_isSparse(m), n = issparse ? d->efc_J_rownnz[row] : m->nv;
  size_t begin = issparse ? (size_t)d->efc_J_rowadr[row] : (size_t)row * (size_t)m->nv;
  out->dof = mj_stackAllocInt(d, (size_t)n);
  out->J = mj_stackAllocNum(d, (size_t)n);
  out->n = 0;
  for (int k = 0; k < n; k++) {
    mjtNum value = d->efc_J[begin + (size_t)k];
    if (value != 0) {
      out->dof[out->n] = issparse ? d->efc_J_colind[begin + (size_t)k] : k;
      out->J[out->n++] = value;
    }
  }
}

// F_q += scale J' out, out over all dofs
static void add_response(const Row* row, const mjtNum* out, mjtNum scale) {
  int nv = row->of->nv;
  add_product(row->of->F_q, nv, row->J, row->dof, row->n, out, NULL, nv, scale);
}

static mjtNum* zeros(mjData* d, int nv) {
  mjtNum* out = mj_stackAllocNum(d, (size_t)nv);
  memset(out, 0, (size_t)nv * sizeof(mjtNum));
  return out;
}

// The Jacobian of a tendon, `sign` times, in a row.
static int add_tendon(const Row* row, int tendon, mjtNum sign) {
  Couplings* of = row->of;
  int kink = 0;
  if (row->force != 0) {
    kink = tendon_derivative(of->F_q, row->loads, of->m, of->d, tendon, sign * row->force);
  }
  if (row->Hs != 0) {
    mjtNum* rate = zeros(of->d, of->nv);
    tendon_rateDerivative(rate, of->m, of->d, tendon, &of->X, sign);
    tendon_rateDerivative(rate, of->m, of->d, tendon, &of->V, sign * row->damping);
    add_response(row, rate, -row->Hs);
  }
  return kink;
}

// The axis a of a ball turned by theta: da = [cot(theta/2)/2 (E - a a') + skew(a)/2] dq, and J = -a'.
static void add_ball(const Row* row, int joint) {
  Couplings* of = row->of;
  const mjtNum *x = of->x, *v = of->v;
  mjtNum quat[4], a[3], da[3][3];
  int dof = of->m->jnt_dofadr[joint], nv = of->nv;
  q_copy(quat, of->d->qpos + of->m->jnt_qposadr[joint]);
  q_normalize(quat);
  v3_copy(a, quat + 1);
  mjtNum sine = v3_normalize(a), cot = sine > mjMINVAL ? quat[0] / sine / 2 : 0;
  for (int j = 0; j < 3; j++) {
    mjtNum axis[3] = {0, 0, 0};
    axis[j] = 1;
    v3_cross(da[j], a, axis);
    v3_scl(da[j], da[j], (mjtNum)0.5);
    v3_addtoscl(da[j], axis, cot);
    v3_addtoscl(da[j], a, -cot * a[j]);
    // the row is turned round if the angle is more than a half turn
    v3_scl(da[j], da[j], quat[0] < 0 ? 1 : -1);
  }
  mjtNum sign = quat[0] < 0 ? 1 : -1;
  for (int j = 0; j < 3; j++) {
    mjtNum rate = 0;
    for (int k = 0; k < 3; k++) {
      rate += da[j][k] * (x[dof + k] + row->damping * v[dof + k]);
    }
    for (int k = 0; k < 3; k++) {
      of->F_q[(size_t)(dof + k) * (size_t)nv + (size_t)(dof + j)] +=
          row->force * da[j][k] - row->Hs * sign * a[k] * rate;
    }
  }
}

// y - P(u) of two joints or tendons: J = J_y - P' J_u, of which P' changes with u as well.
static int add_coupled(Row* row, int equality) {
  Couplings* of = row->of;
  const mjModel* m = of->m;
  mjData* d = of->d;
  const mjtNum* poly = m->eq_data + mjNEQDATA * equality;
  int istendon = m->eq_type[equality] == mjEQ_TENDON;
  int first = m->eq_obj1id[equality], second = m->eq_obj2id[equality];
  int kink = istendon ? add_tendon(row, first, 1) : 0;
  if (second < 0) {
    return kink;
  }
  mjtNum* gradient = zeros(d, of->nv);  // of u
  mjtNum u;
  if (istendon) {
    tendon_row(gradient, m, d, second);
    u = d->ten_length[second] - m->tendon_length0[second];
  } else {
    int adr = m->jnt_qposadr[second];
    gradient[m->jnt_dofadr[second]] = 1;
    u = d->qpos[adr] - m->qpos0[adr];
  }
  mjtNum slope = poly[1] + u * (2 * poly[2] + u * (3 * poly[3] + u * 4 * poly[4]));
  mjtNum bend = 2 * poly[2] + u * (6 * poly[3] + u * 12 * poly[4]);
  if (istendon) {
    kink |= add_tendon(row, second, -slope);
  }
  mjtNum rate = 0;  // J_u z
  for (int k = 0; k < of->nv; k++) {
    rate += gradient[k] * (of->x[k] + row->damping * of->v[k]);
  }
  add_response(row, gradient, row->Hs * bend * rate);
  for (int k = 0; k < of->nv; k++) {
    if (gradient[k] != 0) {
      add_product(of->F_q, of->nv, gradient + k, &k, 1, gradient, NULL, of->nv, -row->force * bend);
    }
  }
  return kink;
}

static int add_change(Row* row, int type, int id) {
  const mjModel* m = row->of->m;
  switch (type) {
    case mjCNSTR_EQUALITY:
      if (m->eq_type[id] == mjEQ_FLEX) {
        mju_error("no exact derivative of equality %d: it is on the edges of a flex", id);
      }
      return add_coupled(row, id);
    case mjCNSTR_FRICTION_TENDON:
      return add_tendon(row, id, 1);
    case mjCNSTR_LIMIT_JOINT:
      if (m->jnt_type[id] == mjJNT_BALL) {
        add_ball(row, id);
      }
      return 0;
    default:
      return 0;
  }
}

int scalar_partials(Couplings* of, Load* loads, const RowLaw* law, int row) {
  mjData* d = of->d;
  int type = d->efc_type[row], id = d->efc_id[row], kink = 0;
  Row this = {.of = of,
              .loads = loads,
              .force = law->force[row],
              .Hs = row_stiffness(law, row),
              .damping = d->efc_KBIP[4 * row + 1]};
  if (this.force == 0 && this.Hs == 0) {
    return 0;
  }
  mj_markStack(d);
  find_row(&this, of->m, d, row);
  int hasposition = type != mjCNSTR_FRICTION_DOF && type != mjCNSTR_FRICTION_TENDON;
  if (hasposition) {
    mjtNum pull = this.force * row_sigma(law, row) - this.Hs * row_spring(law, row);
    add_product(of->F_q, of->nv, this.J, this.dof, this.n, this.J, this.dof, this.n, pull);
  }
  add_product(of->F_v, of->nv, this.J, this.dof, this.n, this.J, this.dof, this.n,
              -this.Hs * this.damping);
  add_product(of->H, of->nv, this.J, this.dof, this.n, this.J, this.dof, this.n, this.Hs);
  if (type == mjCNSTR_LIMIT_TENDON) {
    // the upper side measures less as the tendon grows
    int isupper = d->efc_pos[row] != d->ten_length[id] - of->m->tendon_range[2 * id];
    kink = add_tendon(&this, id, isupper ? -1 : 1);
  } else {
    kink = add_change(&this, type, id);
  }
  mj_freeStack(d);
  return kink;
}
