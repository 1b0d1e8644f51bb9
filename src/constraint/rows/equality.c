// Rows of equalities. All residuals and Jacobians are those of "object 1 minus object 2".
//                                                      theory/contact/constraints.md, Weld residual

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "constraint/rows/strain.h"
#include "model/behaviour.h"
#include "model/data/awake.h"
#include "smooth/wake.h"

void equality_bodies(RowBodies* bodies, const mjModel* m, int equality) {
  const int object[2] = {m->eq_obj1id[equality], m->eq_obj2id[equality]};
  bodies->n = 2;
  for (int side = 0; side < 2; side++) {
    bodies->body[side] =
        m->eq_objtype[equality] == mjOBJ_SITE ? m->site_bodyid[object[side]] : object[side];
    bodies->weight[side] = side ? -1 : 1;
  }
}

// The tied point of one side: its site, or an anchor in its body's frame.
static void anchor_point(mjtNum point[3], const mjModel* m, const mjData* d, int equality, int side,
                         const mjtNum anchor[3]) {
  int object = side ? m->eq_obj2id[equality] : m->eq_obj1id[equality];
  if (m->eq_objtype[equality] == mjOBJ_SITE) {
    v3_copy(point, d->site_xpos + 3 * object);
  } else {
    v3_toworld(point, anchor, d->xpos + 3 * object, d->xmat + 9 * object);
  }
}

// The order of the anchors in a weld's data is the reverse of a connect's.
void equality_points(mjtNum point[2][3], const mjModel* m, const mjData* d, int equality) {
  int weld = m->eq_type[equality] == mjEQ_WELD;
  for (int side = 0; side < 2; side++) {
    const mjtNum* anchor = m->eq_data + mjNEQDATA * equality + (side != weld ? 3 : 0);
    anchor_point(point[side], m, d, equality, side, anchor);
  }
}

// Rows 0, 1, 2: the world components of point[0] - point[1].
static void tie_points(BodyJacobian* bodies, const RowSink* sink, mjtNum point[2][3]) {
  for (int side = 0; side < 2; side++) {
    mjtNum arm[3];
    bodies_arm(arm, bodies, sink, side, point[side]);
    for (int r = 0; r < 3; r++) {
      mjtNum axis[3] = {0, 0, 0}, torque[3];
      axis[r] = 1;
      v3_cross(torque, arm, axis);
      for (int i = 0; i < 3; i++) {
        bodies->wrench[side][i][r] = torque[i];
        bodies->wrench[side][3 + i][r] = axis[i];
      }
    }
  }
}

void weld_quats(mjtNum q1[4], mjtNum q2[4], const mjModel* m, const mjData* d, int equality) {
  int object1 = m->eq_obj1id[equality], object2 = m->eq_obj2id[equality];
  if (m->eq_objtype[equality] == mjOBJ_SITE) {
    q_mul(q1, d->xquat + 4 * m->site_bodyid[object1], m->site_quat + 4 * object1);
    q_mul(q2, d->xquat + 4 * m->site_bodyid[object2], m->site_quat + 4 * object2);
  } else {
    q_mul(q1, d->xquat + 4 * object1, m->eq_data + mjNEQDATA * equality + 6);
    q_copy(q2, d->xquat + 4 * object2);
  }
}

// q1: orientation of object 1 times the wanted relative one; q2: that of object 2. They are equal
// when the weld holds.
//
//   residual = s vec(conj(q2) q1)       rate of q1 under an angular velocity w: (0,w) q1 / 2
//   J_j      = s vec(conj(q2) (0, w_j) q1) / 2,   w_j the relative angular velocity of dof j
//
// J_j is linear in w_j; the three rows of that linear map are the torques of the rows.
static void weld_rotation(mjtNum pos[3], mjtNum torque[9], const mjModel* m, const mjData* d,
                          int equality) {
  mjtNum scale = m->eq_data[mjNEQDATA * equality + 10], q1[4], q2[4], error[4];
  weld_quats(q1, q2, m, d, equality);
  q_conj(q2, q2);
  q_mul(error, q2, q1);
  v3_scl(pos, error + 1, scale);

  for (int k = 0; k < 3; k++) {
    mjtNum axis[3] = {0, 0, 0}, left[4], turned[4];
    axis[k] = 1;
    q_mulaxis(left, q2, axis);
    q_mul(turned, left, q1);
    for (int r = 0; r < 3; r++) {
      torque[3 * r + k] = scale * turned[1 + r] / 2;
    }
  }
}

// J' f = (J_1 - J_2)' torque, with the rows' map from angular velocity as above
void weld_torque(mjtNum torque[3], const mjModel* m, const mjData* d, int equality,
                 const mjtNum force[3]) {
  mjtNum pos[3], map[9];
  weld_rotation(pos, map, m, d, equality);
  m3_tmulv(torque, map, force);
}

// The rate of J v at constant v. Of points it is their relative acceleration; of the rotation rows
// of a weld, with w1 and w2 the angular velocities, g the relative angular acceleration at zero
// qacc, and q1, q2 as above, whose rates are (0, w) q / 2,
//
//   (d/dt J) v = s/2 vec(conj(q2) (-|w1 - w2|^2 / 2, g + w1 x w2) q1)
void equality_rate(mjtNum rate[6], const mjModel* m, const mjData* d, int equality) {
  RowBodies of;
  mjtNum point[2][3], a[2][3], g[2][3];
  equality_bodies(&of, m, equality);
  equality_points(point, m, d, equality);
  for (int side = 0; side < 2; side++) {
    jac_point_acceleration(a[side], g[side], m, d, point[side], of.body[side]);
  }
  v3_sub(rate, a[0], a[1]);
  if (m->eq_type[equality] != mjEQ_WELD) {
    return;
  }
  const mjtNum *w1 = d->cvel + 6 * of.body[0], *w2 = d->cvel + 6 * of.body[1];
  mjtNum q1[4], q2[4], dw[3], x[4];
  v3_sub(dw, w1, w2);
  x[0] = -v3_dot(dw, dw) / 2;
  v3_cross(x + 1, w1, w2);
  v3_addto(x + 1, g[0]);
  v3_subfrom(x + 1, g[1]);
  weld_quats(q1, q2, m, d, equality);
  q_conj(q2, q2);
  q_mul(x, q2, x);
  q_mul(x, x, q1);
  v3_scl(rate + 3, x + 1, m->eq_data[mjNEQDATA * equality + 10] / 2);
}

// Rows of a connect, which ties two points, or of a weld, which ties two frames.
// r = x_1 - x_2 (3 rows); weld: also torquescale times the vector part of the relative quaternion.
// Also in lanes/rows/coupled_rows.h, lanes/setup/constants.c and
// derivative/constraint/connect_weld.c.
static void add_tie(RowSink* sink, BodyJacobian* bodies, int equality) {
  const mjModel* m = sink->m;
  int weld = m->eq_type[equality] == mjEQ_WELD, nrow = weld ? 6 : 3;
  RowBodies of;
  equality_bodies(&of, m, equality);
  if (!sink_wants(sink, nrow, bodies_select(bodies, sink, &of))) {
    return;
  }

  mjtNum point[2][3], pos[6], torque[9];
  equality_points(point, m, sink->d, equality);
  v3_sub(pos, point[0], point[1]);
  tie_points(bodies, sink, point);
  if (weld) {
    weld_rotation(pos + 3, torque, m, sink->d, equality);
    for (int side = 0; side < 2; side++) {
      for (int k = 0; k < 9; k++) {
        bodies->wrench[side][k % 3][3 + k / 3] = torque[k];
        bodies->wrench[side][3 + k % 3][3 + k / 3] = 0;
      }
    }
  }
  RowJacobian jacobian = bodies_jacobian(bodies, sink->d, nrow);
  sink_put(sink, mjCNSTR_EQUALITY, equality, nrow, &jacobian, pos, NULL, 0);
}

// out = a + s b, columns merged in ascending order; out has room for the columns of both (nv of
// each array are enough)
static RowJacobian jacobian_combine(int* dof, mjtNum* value, const RowJacobian* a,
                                    const RowJacobian* b, mjtNum s) {
  int n = 0, i = 0, j = 0;
  while (i < a->ncolumn || j < b->ncolumn) {
    int ca = i < a->ncolumn ? (a->dof ? a->dof[i] : i) : INT_MAX;
    int cb = j < b->ncolumn ? (b->dof ? b->dof[j] : j) : INT_MAX;
    dof[n] = int_min(ca, cb);
    value[n] = 0;
    if (ca == dof[n]) {
      value[n] += a->value[i++];
    }
    if (cb == dof[n]) {
      value[n] += s * b->value[j++];
    }
    n++;
  }
  return (RowJacobian){n, dof, value, n, 1};
}

// One object of a joint or tendon coupling: its value less the reference value, and its gradient
// with respect to the dofs.
static mjtNum coupled_value(RowJacobian* jacobian, int* dof, const mjModel* m, const mjData* d,
                            int type, int object) {
  static const mjtNum one = 1;
  if (type == mjEQ_TENDON) {
    *jacobian = tendon_jacobian(m, d, object);
    return d->ten_length[object] - m->tendon_length0[object];
  }
  *dof = m->jnt_dofadr[object];
  *jacobian = (RowJacobian){1, dof, &one, 1, 1};
  int adr = m->jnt_qposadr[object];
  return d->qpos[adr] - m->qpos0[adr];
}

// y = D0 + D1 x + ... + D4 x^4, x and y measured from the reference configuration; y = D0 without a
// second object
// Also in lanes/rows/coupled_rows.h and derivative/constraint/scalar_row.c.
static void add_coupling(RowSink* sink, int equality) {
  const mjModel* m = sink->m;
  mjData* d = sink->d;
  const mjtNum* data = m->eq_data + mjNEQDATA * equality;
  int type = m->eq_type[equality], object2 = m->eq_obj2id[equality];

  mj_markStack(d);
  int* dof = mj_stackAllocInt(d, m->nv);
  mjtNum* value = mj_stackAllocNum(d, m->nv);
  int own[2];
  RowJacobian y, x = {0};
  mjtNum pos = coupled_value(&y, own, m, d, type, m->eq_obj1id[equality]) - data[0];
  RowJacobian row = y;
  if (object2 >= 0) {
    mjtNum u = coupled_value(&x, own + 1, m, d, type, object2);
    pos -= u * (data[1] + u * (data[2] + u * (data[3] + u * data[4])));
    mjtNum slope = coupling_slope(data, u);
    row = jacobian_combine(dof, value, &y, &x, -slope);
  }

  int at = sink->row, put = 0, later = behaves(m, cndBEHAVIOUR_pathdofs);
  if (sink_wants(sink, 1, row.ncolumn)) {
    put = sink_put(sink, mjCNSTR_EQUALITY, equality, 1, &row, &pos, NULL, 0);
  }
  sink->noted += type == mjEQ_TENDON;
  if (type == mjEQ_TENDON && !sink->measuring && (put || !later)) {
    // 3.3.7 notes the equality's index in place of its row
    const int tendon[2] = {m->eq_obj1id[equality], object2};
    for (int i = 0; i < 2; i++) {
      if (tendon[i] >= 0 && d->tendon_efcadr[tendon[i]] == -1) {
        d->tendon_efcadr[tendon[i]] = later ? at : equality;
      }
    }
  }
  mj_freeStack(d);
}

// Rows of edges first to end, whose rows are consecutive.
static void add_edges(RowSink* sink, int equality, int first, int end) {
  const mjModel* m = sink->m;
  mjData* d = sink->d;
  const int *num = d->flexedge_J_rownnz + first, *adr = d->flexedge_J_rowadr + first;
  int n = end - first;
  if (sink->measuring) {
    sink->nrow += n;
    sink->nJ += adr[n - 1] + num[n - 1] - adr[0];
    return;
  }
  mj_markStack(d);
  mjtNum* pos = mj_stackAllocNum(d, (size_t)n);
  for (int i = 0; i < n; i++) {
    pos[i] = d->flexedge_length[first + i] - m->flexedge_length0[first + i];
  }
  SparseRows rows = {n, num, adr, d->flexedge_J_colind, d->flexedge_J, NULL};
  sink_put_rows(sink, mjCNSTR_EQUALITY, equality, &rows, pos);
  mj_freeStack(d);
}

// One row, length - rest length, for each edge that is not rigid.
static void add_flex(RowSink* sink, int equality) {
  const mjModel* m = sink->m;
  const mjData* d = sink->d;
  int flex = m->eq_obj1id[equality], first = m->flex_edgeadr[flex];
  int end = first + m->flex_edgenum[flex];
  for (int e = first, run = 0; sink->sparse && e < end; e += run + 1) {
    run = 0;
    while (e + run < end && !m->flexedge_rigid[e + run] && d->flexedge_J_rownnz[e + run]) {
      run++;
    }
    if (run) {
      add_edges(sink, equality, e, e + run);
    }
  }
  for (int e = first; !sink->sparse && e < end; e++) {
    if (m->flexedge_rigid[e]) {
      continue;
    }
    RowJacobian row = {m->nv, NULL, d->flexedge_J + (size_t)e * m->nv, 1, 1};
    if (sink_wants(sink, 1, row.ncolumn)) {
      mjtNum pos = d->flexedge_length[e] - m->flexedge_length0[e];
      sink_put(sink, mjCNSTR_EQUALITY, equality, 1, &row, &pos, NULL, 0);
    }
  }
}

void rows_equality(RowSink* sink, BodyJacobian* bodies) {
  const mjModel* m = sink->m;
  if (m->opt.disableflags & mjDSBL_EQUALITY || !m->nemax) {
    return;
  }
  int asleep = awake_some_sleep(m, sink->d);
  for (int i = 0; i < m->neq; i++) {
    if (!sink->d->eq_active[i] || (asleep && equality_sleeps(m, sink->d, i))) {
      continue;
    }
    switch (m->eq_type[i]) {
      case mjEQ_CONNECT:
      case mjEQ_WELD:
        add_tie(sink, bodies, i);
        break;
      case mjEQ_JOINT:
      case mjEQ_TENDON:
        add_coupling(sink, i);
        break;
      case mjEQ_FLEX:
        add_flex(sink, i);
        break;
      case mjEQ_FLEXSTRAIN:
        rows_strain(sink, bodies, i);
        break;
      default:
        mju_error("mj_makeConstraint: unknown constraint type %d of equality %d", m->eq_type[i], i);
    }
  }
}
