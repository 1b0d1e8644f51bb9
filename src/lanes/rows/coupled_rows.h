// coupled_rows.h: equalities, limits of balls, limits and friction of tendons: rows on few dofs.
//                                   theory/contact/constraints.md, Coupling residual, Weld residual

#pragma once

#include "lanes/laws/law.h"
#include "lanes/rows/coupling.h"
#include "lanes/rows/jacobian.h"
#include "lanes/work.h"

// D of row i: translations and rotations of a frame have their own.
INLINE Real coupled_stiffness(const CoupledSlot* slot, int i) {
  return i < 3 ? slot->stiffness : slot->spin;
}

// residuals and Jacobians

// Adds the part of a tendon in space to J of a row that has more dofs.
INLINE void coupled_path(Real* J, const Work* w, const LaneCoupledRow* coupled_row, int lever,
                         Real scale) {
  const LaneCoupledDof* dof = w->s->coupled + coupled_row->dof;
  const LaneLever* l = w->s->lever + lever;
  for (int k = 0, a = 0; k < l->ndof; k++) {
    while (dof[a].dof != w->s->lever_dof[l->dof + k].dof) {
      a++;
    }
    J[a] = real_muladd(w->lever[l->dof + k], scale, J[a]);
  }
}

// The lever of a side of an equality of tendons, -1 if it has coefficients.
INLINE int equality_lever(const Work* w, int id, int side) {
  int object = side ? w->m->eq_obj2id[id] : w->m->eq_obj1id[id];
  return w->m->eq_type[id] == mjEQ_TENDON && object >= 0 ? w->s->path[object].lever : -1;
}

// y - y0 - P(x - x0), where x and y are lengths: sums of coordinates with coefficients, or paths.
// Also add_coupling in constraint/rows/equality.c.
static void coupled_polynomial(Work* w, const LaneCoupledRow* coupled_row,
                               const CoupledConstants* c, Real* J, Real r[6]) {
  const LaneCoupledDof* dof = w->s->coupled + coupled_row->dof;
  const CoupledLength* length_of = w->constants.coupled_length + coupled_row->dof;
  Real y = -real_constant(c->reference[0]), x = -real_constant(c->reference[1]);
  for (int a = 0; a < coupled_row->ndof; a++) {
    Real q = w->qpos[w->m->jnt_qposadr[w->m->dof_jntid[dof[a].dof]]];
    y = real_muladd(q, real_constant(length_of[a].y), y);
    x = real_muladd(q, real_constant(length_of[a].x), x);
  }
  int y_lever = equality_lever(w, coupled_row->id, 0),
      x_lever = equality_lever(w, coupled_row->id, 1);
  y = y_lever < 0 ? y : y + w->lever_length[y_lever];
  x = x_lever < 0 ? x : x + w->lever_length[x_lever];
  const Constant* p = c->polynomial;
  r[0] = y - (p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4]))));
  Real slope = p[1] + x * (p[2] * 2 + x * (p[3] * 3 + x * p[4] * 4));
  for (int a = 0; a < coupled_row->ndof; a++) {
    J[a] = real_mulsub(slope, real_constant(length_of[a].x), real_constant(length_of[a].y));
  }
  if (y_lever >= 0) {
    coupled_path(J, w, coupled_row, y_lever, lane_real_of(1));
  }
  if (x_lever >= 0) {
    coupled_path(J, w, coupled_row, x_lever, -slope);
  }
}

// The distance of a tendon from a side of its range; 0 for friction.
// Also rows_friction in constraint/rows/limit.c.
static void coupled_tendon(Work* w, const LaneCoupledRow* coupled_row, const CoupledConstants* c,
                           Real* J, Real r[6]) {
  const LaneCoupledDof* dof = w->s->coupled + coupled_row->dof;
  const CoupledLength* length_of = w->constants.coupled_length + coupled_row->dof;
  int lever = w->s->path[coupled_row->id].lever;
  Real length = lever < 0 ? REAL_ZERO : w->lever_length[lever];
  for (int a = 0; a < coupled_row->ndof; a++) {
    if (lever < 0) {
      Real q = w->qpos[w->m->jnt_qposadr[w->m->dof_jntid[dof[a].dof]]];
      J[a] = real_constant(length_of[a].y);
      length = real_muladd(q, J[a], length);
    } else {
      J[a] = w->lever[w->s->lever[lever].dof + a];
    }
    J[a] = coupled_row->kind == COUPLED_UPPER ? -J[a] : J[a];
  }
  r[0] = coupled_row->kind == COUPLED_LOWER   ? length - c->bound
         : coupled_row->kind == COUPLED_UPPER ? c->bound - length
                                              : REAL_ZERO;
}

// How far the angle of a ball joint is below its limit.      theory/contact/constraints.md, Limits
// Also limit_ball in constraint/rows/limit.c.
static void coupled_ball(Work* w, const LaneCoupledRow* coupled_row, const CoupledConstants* c,
                         Real* J, Real r[6]) {
  const Real* q = w->qpos + w->m->jnt_qposadr[coupled_row->id];
  Real3 turn = r4_turns((Real4){q[0], q[1], q[2], q[3]});
  Real3 axis = r3_normalize(turn);
  r[0] = c->bound - real_sqrt(r3_dot(turn, turn));
  J[0] = -axis.x;
  J[1] = -axis.y;
  J[2] = -axis.z;
}

// vec(conj(q2) (0, v) q1): twice the rate of vec(conj(q2) q1) as the first frame turns by v.
INLINE Real3 weld_turned(Real4 q2, Real4 q1, Real3 v) {
  Real3 u1 = {q1.x, q1.y, q1.z}, u2 = {q2.x, q2.y, q2.z};
  // (0, v) q1, then its vector part behind conj(q2)
  Real scalar = -r3_dot(v, u1);
  Real3 vector = r3_crossadd(v, u1, r3_scale(v, q1.w));
  Real3 out = r3_addscale(r3_scale(vector, q2.w), u2, -scalar);
  return r3_sub(out, r3_cross(u2, vector));
}

// p1 - p2, and s vec(conj(q2) q1): sines of half the angle, so that nothing has to be wrapped.
// Also add_tie in constraint/rows/equality.c.
static void coupled_frames(Work* w, const LaneCoupledRow* coupled_row, const CoupledConstants* c,
                           Real* J, Real r[6]) {
  int rows = coupled_row->nrow;
  const LaneCoupledDof* dof = w->s->coupled + coupled_row->dof;
  Real3 point[2], arm[2];
  Real4 quat[2];
  Real scale = real_constant(c->scale), half = scale * (Num)0.5;
  for (int side = 0; side < 2; side++) {
    int body = coupled_row->body[side];
    point[side] = r33_muladd(w->xmat + body, r3_of(c->frame[side].pos), w->xpos[body]);
    arm[side] = r3_sub(point[side], w->com[w->m->body_rootid[body]]);
    quat[side] = r4_mul(w->xquat[body], r4_of(c->frame[side].quat));
  }
  Real3 gap = r3_sub(point[0], point[1]);
  r[0] = gap.x;
  r[1] = gap.y;
  r[2] = gap.z;
  if (rows == 6) {
    Real4 error = r4_mul(r4_conjugate(quat[1]), quat[0]);
    r[3] = scale * error.x;
    r[4] = scale * error.y;
    r[5] = scale * error.z;
  }
  for (int a = 0; a < coupled_row->ndof; a++, J += rows) {
    int side = dof[a].side;
    Real6 S = w->cdof[dof[a].dof];
    if (side == SIDE_BOTH) {
      // it turns the gap, but leaves the frames as they are to each other
      Real3 u = r3_cross(S.w, gap);
      const Real six[6] = {u.x, u.y, u.z, REAL_ZERO, REAL_ZERO, REAL_ZERO};
      copy_reals(J, six, rows);
      continue;
    }
    Real3 u = r3_crossadd(S.w, arm[side], S.u), turn = weld_turned(quat[1], quat[0], S.w);
    const Real six[6] = {u.x, u.y, u.z, turn.x * half, turn.y * half, turn.z * half};
    for (int i = 0; i < rows; i++) {
      J[i] = side ? -six[i] : six[i];
    }
  }
}

INLINE Jacobian coupled_rows(const Work* w, const LaneCoupledRow* coupled_row) {
  return jacobian_of(w, coupled_row->coupling, w->coupled_row_J + coupled_row->J);
}

// Finds the rows: D, and x = -a_ref. Returns the lanes that have one.
// Also mj_referenceConstraint in constraint/reference.c.
static Mask coupled_rows_find(Work* w) {
  Mask some = mask_of(0);
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    const LaneCoupledRow* coupled_row = w->s->coupled_row + k;
    const CoupledConstants* c = w->constants.coupled_row + k;
    CoupledSlot* slot = w->coupled_row + k;
    Real r[6], *J = w->coupled_row_J + coupled_row->J;
    Mask on = mask_of(~0u);
    slot->on = coupled_row->law == LANE_FRICTION_LOSS
                   ? lane_is_on(w, mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT)
               : coupled_row->law == LANE_ONE_SIDED
                   ? lane_is_on(w, mjDSBL_LIMIT | mjDSBL_CONSTRAINT)
                   : lane_is_on(w, mjDSBL_EQUALITY | mjDSBL_CONSTRAINT);
    slot->on &= coupled_row->ndof >
                0;  // as in the scalar engine, equalities that move nothing have no rows
    if (!slot->on) {
      continue;
    }
    if (coupled_row->kind == COUPLED_POLYNOMIAL) {
      coupled_polynomial(w, coupled_row, c, J, r);
    } else if (coupled_row->kind == COUPLED_POINT || coupled_row->kind == COUPLED_FRAME) {
      coupled_frames(w, coupled_row, c, J, r);
    } else if (coupled_row->kind == COUPLED_BALL) {
      coupled_ball(w, coupled_row, c, J, r);
    } else {
      coupled_tendon(w, coupled_row, c, J, r);
    }
    if (coupled_row->law == LANE_ONE_SIDED) {
      r[0] -= c->spring.margin;
      on = r[0] < REAL_ZERO;
    } else if (coupled_row->law != LANE_FRICTION_LOSS) {
      on = w->active[coupled_row->id] > REAL_ZERO;
    }
    slot->on = mask_any(on);
    if (slot->on) {
      Real size = real_abs(r[0]), square = REAL_ZERO;
      for (int i = 0; i < coupled_row->nrow; i++) {
        square = real_muladd(r[i], r[i], square);
      }
      Real d = row_impedance(&c->spring, coupled_row->nrow > 1 ? real_sqrt(square) : size);
      slot->stiffness = lane_row_stiffness(&c->spring, d, lane_real_of(1), on);
      slot->spin = lane_row_stiffness(&c->spin, d, lane_real_of(1), on);
      jacobian_multiply(slot->x, coupled_rows(w, coupled_row), w->qvel, coupled_row->nrow);
      for (int i = 0; i < coupled_row->nrow; i++) {
        slot->x[i] = real_muladd(real_constant(c->spring.B), slot->x[i], c->spring.K * d * r[i]);
      }
      coupling_use(w, w->s->coupling + coupled_row->coupling);
      some |= on;
    }
  }
  return some;
}

// v = J s
static void coupled_rows_multiply(Work* w, const Real* s) {
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    if (w->coupled_row[k].on) {
      const LaneCoupledRow* coupled_row = w->s->coupled_row + k;
      jacobian_multiply(w->coupled_row[k].v, coupled_rows(w, coupled_row), s, coupled_row->nrow);
    }
  }
}

// x += step v by the steps of trees unless it is a trial; adds the change of the cost.
static void coupled_rows_move(Work* w, int trial) {
  TreeSums sums = {.tree = -1};
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    CoupledSlot* slot = w->coupled_row + k;
    int tree = coupled_row_tree(w, w->s->coupled_row + k);
    for (int i = 0; slot->on && i < w->s->coupled_row[k].nrow; i++) {
      Real x = slot->x[i], to = real_muladd(w->step[tree], slot->v[i], x);
      Real D = coupled_stiffness(slot, i);
      const Constant* eta = &w->constants.coupled_row[k].eta;
      tree_turn_change(&sums, w, tree);
      tree_add_change(&sums, law_change(w->s->coupled_row[k].law, D, x, to, eta));
      slot->x[i] = trial ? x : to;
    }
  }
  tree_turn_change(&sums, w, -1);
}

// x += step v
static void coupled_rows_shift(Work* w) {
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    CoupledSlot* slot = w->coupled_row + k;
    Real step = w->step[coupled_row_tree(w, w->s->coupled_row + k)];
    for (int i = 0; slot->on && i < w->s->coupled_row[k].nrow; i++) {
      slot->x[i] = real_muladd(step, slot->v[i], slot->x[i]);
    }
  }
}

// Adds slope and curvature of the cost at x + step v along v.
static void coupled_rows_line(Work* w) {
  TreeSums sums = {.tree = -1};
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    const LaneCoupledRow* coupled_row = w->s->coupled_row + k;
    const CoupledSlot* slot = w->coupled_row + k;
    const Constant* eta = &w->constants.coupled_row[k].eta;
    int tree = coupled_row_tree(w, coupled_row);
    Real step = w->step[tree], *slope = &sums.first, *curvature = &sums.second;
    tree_turn_line(&sums, w, tree);
    for (int i = 0; slot->on && i < coupled_row->nrow; i++) {
      Real D = coupled_stiffness(slot, i), v = slot->v[i], x = real_muladd(step, v, slot->x[i]);
      *slope = real_mulsub(law_force(coupled_row->law, D, x, eta), v, *slope);
      *curvature = real_muladd(lane_law_curvature(coupled_row->law, D, x, eta), v * v, *curvature);
    }
  }
  tree_turn_line(&sums, w, -1);
}

// Adds J'f to forces of dofs.
static void coupled_rows_force(Work* w, Real* out) {
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    const LaneCoupledRow* coupled_row = w->s->coupled_row + k;
    const CoupledSlot* slot = w->coupled_row + k;
    if (slot->on) {
      const Constant* eta = &w->constants.coupled_row[k].eta;
      Real f[6];
      for (int i = 0; i < coupled_row->nrow; i++) {
        f[i] = w->has_forces
                   ? slot->v[i]
                   : law_force(coupled_row->law, coupled_stiffness(slot, i), slot->x[i], eta);
      }
      jacobian_push(out, coupled_rows(w, coupled_row), f, coupled_row->nrow);
    }
  }
}

// Adds J'WJ to H.
static void coupled_rows_hessian(Work* w) {
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    const LaneCoupledRow* coupled_row = w->s->coupled_row + k;
    const CoupledSlot* slot = w->coupled_row + k;
    if (slot->on) {
      Jacobian j = coupled_rows(w, coupled_row);
      Real W[6], g[6];
      for (int i = 0; i < coupled_row->nrow; i++) {
        Real D = coupled_stiffness(slot, i);
        W[i] =
            lane_law_curvature(coupled_row->law, D, slot->x[i], &w->constants.coupled_row[k].eta);
      }
      for (int a = 0; a < j.n; a++) {
        for (int i = 0; i < coupled_row->nrow; i++) {
          g[i] = j.J[a * coupled_row->nrow + i] * W[i];
        }
        lane_jacobian_row(w->H, j, a, g, coupled_row->nrow);
      }
    }
  }
}
