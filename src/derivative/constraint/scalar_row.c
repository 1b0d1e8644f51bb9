// Rows on joints, tendons and flex edges. Terms in the residual and in accelerations are the same
// for all; the change dJ of the Jacobian has a function for each kind: tendon, ball limit,
// coupling, flex edge.
// Symbols: row_law.h (f, Hs, sigma, b, spring).

#include "derivative/constraint/scalar_row.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "derivative/tree/flex_edge.h"
#include "derivative/tree/tendon_length.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"
#include "smooth/tendon.h"

// A row of J as its n nonzero numbers, and its law. With the residual r,
//
//   dF = J' (f sigma - Hs spring) dr - J' Hs (dJ) z + (dJ)' f,    z = x + b v
typedef struct {
  Couplings* of;
  Load* loads;
  int *dof, n;
  mjtNum* J;
  mjtNum force, Hs, damping;
} Row;

static void find_row(Row* out, const mjModel* m, mjData* d, int row) {
  int is_sparse = rows_are_sparse(m, d), n = is_sparse ? d->efc_J_rownnz[row] : m->nv;
  size_t begin = is_sparse ? (size_t)d->efc_J_rowadr[row] : (size_t)row * (size_t)m->nv;
  out->dof = mj_stackAllocInt(d, (size_t)n);
  out->J = mj_stackAllocNum(d, (size_t)n);
  out->n = 0;
  for (int k = 0; k < n; k++) {
    mjtNum value = d->efc_J[begin + (size_t)k];
    if (value != 0) {
      out->dof[out->n] = is_sparse ? d->efc_J_colind[begin + (size_t)k] : k;
      out->J[out->n++] = value;
    }
  }
}

// F_q += scale J' out for a row `out` of nv numbers
static void add_response(const Row* row, const mjtNum* out, mjtNum scale) {
  int nv = row->of->nv;
  add_product(row->of->F_q, nv, row->J, row->dof, row->n, out, NULL, nv, scale);
}

// Adds the terms of dJ of a row that is sign times the Jacobian of a tendon; returns 1 at a kink.
static int add_tendon(const Row* row, int tendon, mjtNum sign) {
  Couplings* of = row->of;
  int kink = 0;
  if (row->force != 0) {
    kink = tendon_derivative(of->F_q, row->loads, of->m, of->d, tendon, sign * row->force);
  }
  if (row->Hs != 0) {
    mjtNum* rate = arena_zeros(of->d, (size_t)of->nv);
    tendon_rate_derivative(rate, of->m, of->d, tendon, &of->X, sign);
    tendon_rate_derivative(rate, of->m, of->d, tendon, &of->V, sign * row->damping);
    add_response(row, rate, -row->Hs);
  }
  return kink;
}

// The row J = -a' of the limit of a ball, with the axis a and the angle theta of its rotation, and
// the change of J:
//
//   da = [cot(theta/2)/2 (E - a a') + skew(a)/2] dq
// Also limit_ball in constraint/rows/limit.c.
static void ball_row(mjtNum J[3], mjtNum change[3][3], const mjModel* m, const mjData* d,
                     int joint) {
  mjtNum quat[4], a[3];
  q_unit(quat, d->qpos + m->jnt_qposadr[joint]);
  v3_copy(a, quat + 1);
  mjtNum sine = v3_normalize(a), cot = sine > mjMINVAL ? quat[0] / sine / 2 : 0;
  // the axis is reversed if the angle is beyond half a turn
  mjtNum sign = quat[0] < 0 ? 1 : -1;
  for (int j = 0; j < 3; j++) {
    mjtNum axis[3] = {0, 0, 0};
    axis[j] = 1;
    v3_cross(change[j], a, axis);
    v3_scl(change[j], change[j], (mjtNum)0.5);
    v3_addtoscl(change[j], axis, cot);
    v3_addtoscl(change[j], a, -cot * a[j]);
    v3_scl(change[j], change[j], sign);
  }
  v3_scl(J, a, sign);
}

static void add_ball(const Row* row, int joint) {
  Couplings* of = row->of;
  const mjtNum *x = row->of->x, *v = row->of->v;
  mjtNum J[3], change[3][3];
  int dof = of->m->jnt_dofadr[joint], nv = of->nv;
  ball_row(J, change, of->m, of->d, joint);
  for (int j = 0; j < 3; j++) {
    mjtNum rate = 0;
    for (int k = 0; k < 3; k++) {
      rate += change[j][k] * (x[dof + k] + row->damping * v[dof + k]);
    }
    for (int k = 0; k < 3; k++) {
      of->F_q[(size_t)(dof + k) * (size_t)nv + (size_t)(dof + j)] +=
          row->force * change[j][k] - row->Hs * J[k] * rate;
    }
  }
}

// P' and P'' of the polynomial of a coupling at the value u of its second object; adds the gradient
// of u to `gradient`, which is zero before.
// Also add_coupling in constraint/rows/equality.c.
static void coupling_derivatives(mjtNum first_derivative[1], mjtNum second_derivative[1],
                                 mjtNum* gradient, const mjModel* m, const mjData* d,
                                 int equality) {
  const mjtNum* poly = m->eq_data + mjNEQDATA * equality;
  int second = m->eq_obj2id[equality];
  mjtNum u;
  if (m->eq_type[equality] == mjEQ_TENDON) {
    tendon_row(gradient, m, d, second);
    u = d->ten_length[second] - m->tendon_length0[second];
  } else {
    int adr = m->jnt_qposadr[second];
    gradient[m->jnt_dofadr[second]] = 1;
    u = d->qpos[adr] - m->qpos0[adr];
  }
  *first_derivative = poly[1] + u * (2 * poly[2] + u * (3 * poly[3] + u * 4 * poly[4]));
  *second_derivative = 2 * poly[2] + u * (6 * poly[3] + u * 12 * poly[4]);
}

// Coupling y - P(u) of two joints or tendons: J = J_y - P' J_u, where P' depends on u.
static int add_coupled(Row* row, int equality) {
  Couplings* of = row->of;
  const mjModel* m = of->m;
  mjData* d = of->d;
  int is_tendon = m->eq_type[equality] == mjEQ_TENDON;
  int first = m->eq_obj1id[equality], second = m->eq_obj2id[equality];
  int kink = is_tendon ? add_tendon(row, first, 1) : 0;
  if (second < 0) {
    return kink;
  }
  mjtNum *gradient = arena_zeros(d, (size_t)of->nv), first_derivative, second_derivative;
  coupling_derivatives(&first_derivative, &second_derivative, gradient, m, d, equality);
  if (is_tendon) {
    kink |= add_tendon(row, second, -first_derivative);
  }
  mjtNum rate = 0;  // J_u z
  for (int k = 0; k < of->nv; k++) {
    rate += gradient[k] * (of->x[k] + row->damping * of->v[k]);
  }
  add_response(row, gradient, row->Hs * second_derivative * rate);
  for (int k = 0; k < of->nv; k++) {
    if (gradient[k] != 0) {
      add_product(of->F_q, of->nv, gradient + k, &k, 1, gradient, NULL, of->nv,
                  -row->force * second_derivative);
    }
  }
  return kink;
}

// The edge that a row of a flex equality belongs to: its rows are those of the non-rigid edges, in
// order.
static FlexEdge edge_of(const mjModel* m, const mjData* d, int row) {
  int id = d->efc_id[row], flex = m->eq_obj1id[id], edge = m->flex_edgeadr[flex], before = 0;
  for (int i = row - 1; i >= 0 && d->efc_id[i] == id; i--) {
    before++;
  }
  for (; m->flexedge_rigid[edge] || before > 0; edge++) {
    before -= !m->flexedge_rigid[edge];
  }
  return flex_edge(m, d, flex, edge);
}

static int add_edge(const Row* row, int index) {
  Couplings* of = row->of;
  FlexEdge edge = edge_of(of->m, of->d, index);
  flex_edge_derivative(of->F_q, row->loads, of->m, of->d, &edge, row->force);
  mjtNum* rate = arena_zeros(of->d, (size_t)of->nv);
  flex_edge_rate(rate, of->m, of->d, &edge, &of->X, 1);
  flex_edge_rate(rate, of->m, of->d, &edge, &of->V, row->damping);
  add_response(row, rate, -row->Hs);
  return 0;
}

// Sign of the Jacobian of the tendon: the distance to the upper limit decreases with the length.
// Also limit_tendon in constraint/rows/limit.c.
static mjtNum limit_sign(const mjModel* m, const mjData* d, int row) {
  int tendon = d->efc_id[row];
  return d->efc_pos[row] == d->ten_length[tendon] - m->tendon_range[2 * tendon] ? 1 : -1;
}

static int has_position(int type) {
  return type != mjCNSTR_FRICTION_DOF && type != mjCNSTR_FRICTION_TENDON;
}

static int add_change(Row* row, int index) {
  const mjModel* m = row->of->m;
  int id = row->of->d->efc_id[index];
  switch (row->of->d->efc_type[index]) {
    case mjCNSTR_EQUALITY:
      return m->eq_type[id] == mjEQ_FLEX ? add_edge(row, index) : add_coupled(row, id);
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
              .damping = row_damping(law, row)};
  if (this.force == 0 && this.Hs == 0) {
    return 0;
  }
  mj_markStack(d);
  find_row(&this, of->m, d, row);
  add_product(of->H, of->nv, this.J, this.dof, this.n, this.J, this.dof, this.n, this.Hs);
  if (!of->F_q) {
    mj_freeStack(d);
    return 0;
  }
  if (has_position(type)) {
    mjtNum pull = this.force * row_sigma(law, row) - this.Hs * row_spring(law, row);
    add_product(of->F_q, of->nv, this.J, this.dof, this.n, this.J, this.dof, this.n, pull);
  }
  add_product(of->F_v, of->nv, this.J, this.dof, this.n, this.J, this.dof, this.n,
              -this.Hs * this.damping);
  if (type == mjCNSTR_LIMIT_TENDON) {
    kink = add_tendon(&this, id, limit_sign(of->m, d, row));
  } else {
    kink = add_change(&this, row);
  }
  mj_freeStack(d);
  return kink;
}

// gradient of a scalar

// Adds sum of weight_z D(J z) over the three joint velocities z; weights are the force and the
// responses of the row.
typedef struct {
  ConstraintVjp* of;
  mjtNum weight[NVJP];
} RowVjp;

static void add_gradient_of_tendon(const RowVjp* row, int tendon, mjtNum sign) {
  ConstraintVjp* of = row->of;
  for (int z = 0; z < NVJP; z++) {
    if (row->weight[z] != 0) {
      tendon_rate_derivative(of->rate_q, of->m, of->d, tendon, of->W + z, sign * row->weight[z]);
    }
  }
}

static void add_gradient_of_ball(const RowVjp* row, int joint) {
  ConstraintVjp* of = row->of;
  mjtNum J[3], change[3][3];
  int dof = of->m->jnt_dofadr[joint];
  ball_row(J, change, of->m, of->d, joint);
  for (int z = 0; z < NVJP; z++) {
    for (int j = 0; j < 3; j++) {
      of->rate_q[dof + j] += row->weight[z] * v3_dot(change[j], of->z[z] + dof);
    }
  }
}

static void add_gradient_of_coupled(const RowVjp* row, int equality) {
  ConstraintVjp* of = row->of;
  const mjModel* m = of->m;
  int is_tendon = m->eq_type[equality] == mjEQ_TENDON, second = m->eq_obj2id[equality];
  if (is_tendon) {
    add_gradient_of_tendon(row, m->eq_obj1id[equality], 1);
  }
  if (second < 0) {
    return;
  }
  mjtNum *gradient = arena_zeros(of->d, (size_t)m->nv), first_derivative, second_derivative,
         rate = 0;
  coupling_derivatives(&first_derivative, &second_derivative, gradient, m, of->d, equality);
  if (is_tendon) {
    add_gradient_of_tendon(row, second, -first_derivative);
  }
  for (int z = 0; z < NVJP; z++) {
    rate += row->weight[z] * mju_dot(gradient, of->z[z], m->nv);
  }
  mju_addToScl(of->rate_q, gradient, -second_derivative * rate, m->nv);
}

static void add_gradient_of_edge(const RowVjp* row, int index) {
  ConstraintVjp* of = row->of;
  FlexEdge edge = edge_of(of->m, of->d, index);
  for (int z = 0; z < NVJP; z++) {
    flex_edge_rate(of->rate_q, of->m, of->d, &edge, of->W + z, row->weight[z]);
  }
}

static void add_gradient_of_change(const RowVjp* vjp, int row) {
  const mjModel* m = vjp->of->m;
  const mjData* d = vjp->of->d;
  int id = d->efc_id[row];
  switch (d->efc_type[row]) {
    case mjCNSTR_EQUALITY:
      if (m->eq_type[id] == mjEQ_FLEX) {
        add_gradient_of_edge(vjp, row);
      } else {
        add_gradient_of_coupled(vjp, id);
      }
      break;
    case mjCNSTR_FRICTION_TENDON:
      add_gradient_of_tendon(vjp, id, 1);
      break;
    case mjCNSTR_LIMIT_TENDON:
      add_gradient_of_tendon(vjp, id, limit_sign(m, d, row));
      break;
    case mjCNSTR_LIMIT_JOINT:
      if (m->jnt_type[id] == mjJNT_BALL) {
        add_gradient_of_ball(vjp, id);
      }
      break;
    default:
      break;
  }
}

int scalar_vjp(ConstraintVjp* of, int row) {
  mjData* d = of->d;
  const RowLaw* law = of->law;
  mjtNum force = law->force[row], response = row_response(law, row, of->along[row]);
  mjtNum damped = row_damping(law, row) * response;
  RowVjp vjp = {of, {[VJP_LAMBDA] = force, [VJP_X] = response, [VJP_V] = damped}};
  if (force == 0 && response == 0) {
    return 1;
  }
  mj_markStack(d);
  Row this;
  find_row(&this, of->m, d, row);
  mjtNum pull = 0;
  if (has_position(d->efc_type[row])) {
    pull = force * of->along[row] * row_sigma(law, row) + response * row_spring(law, row);
  }
  for (int k = 0; k < this.n; k++) {
    of->rate_q[this.dof[k]] += pull * this.J[k];
    of->rate_v[this.dof[k]] += damped * this.J[k];
    of->rate_x[this.dof[k]] += response * this.J[k];
  }
  add_gradient_of_change(&vjp, row);
  mj_freeStack(d);
  return 1;
}
