// ties.h: equalities, and limits and friction of fixed tendons: rows with a Jacobian on few dofs.
//                                           theory/constraints.md, Coupling residual, Weld residual

#pragma once

#include "lanes/coupling.h"
#include "lanes/law.h"
#include "lanes/work.h"

INLINE int tie_is_one_sided(const LaneTie* tie) {
  return tie->kind == TIE_LOWER || tie->kind == TIE_UPPER || tie->kind == TIE_BALL;
}

// D of row i: translations and rotations of a frame have their own.
INLINE Real tie_stiffness(const TieSlot* slot, int i) {
  return i < 3 ? slot->stiffness : slot->spin;
}

INLINE const LaneCoupledDof* tie_dofs(const Work* w, const LaneTie* tie, int* n) {
  *n = w->s->coupling[tie->coupling].ndof;
  return w->s->coupled + w->s->coupling[tie->coupling].dof;
}

// residuals and Jacobians

// y - y0 - P(x - x0), where x and y are lengths: sums of coordinates with coefficients.
static void tie_polynomial(Work* w, const LaneTie* tie, const TieConstants* c, Real* J, Real r[6]) {
  int n, first = w->s->coupling[tie->coupling].dof;
  const LaneCoupledDof* dof = tie_dofs(w, tie, &n);
  Real y = -real_constant(c->reference[0]), x = -real_constant(c->reference[1]);
  for (int a = 0; a < n; a++) {
    Real q = w->qpos[w->m->jnt_qposadr[w->m->dof_jntid[dof[a].dof]]];
    y = real_muladd(q, real_constant(w->constants.tie_length[first + a].y), y);
    x = real_muladd(q, real_constant(w->constants.tie_length[first + a].x), x);
  }
  const Constant* p = c->polynomial;
  r[0] = y - (p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4]))));
  Real slope = p[1] + x * (p[2] * 2 + x * (p[3] * 3 + x * p[4] * 4));
  for (int a = 0; a < n; a++) {
    J[a] = real_mulsub(slope, real_constant(w->constants.tie_length[first + a].x),
                       real_constant(w->constants.tie_length[first + a].y));
  }
}

// The distance of a tendon from a side of its range; 0 for friction.
static void tie_tendon(Work* w, const LaneTie* tie, const TieConstants* c, Real* J, Real r[6]) {
  int n, first = w->s->coupling[tie->coupling].dof;
  const LaneCoupledDof* dof = tie_dofs(w, tie, &n);
  Real length = REAL_ZERO;
  for (int a = 0; a < n; a++) {
    Real q = w->qpos[w->m->jnt_qposadr[w->m->dof_jntid[dof[a].dof]]];
    J[a] = real_constant(w->constants.tie_length[first + a].y);
    length = real_muladd(q, J[a], length);
    J[a] = tie->kind == TIE_UPPER ? -J[a] : J[a];
  }
  r[0] = tie->kind == TIE_LOWER   ? length - c->bound
         : tie->kind == TIE_UPPER ? c->bound - length
                                  : REAL_ZERO;
}

// How far the angle of a ball joint is below its limit.      theory/constraints.md, Limits
static void tie_ball(Work* w, const LaneTie* tie, const TieConstants* c, Real* J, Real r[6]) {
  const Real* q = w->qpos + w->m->jnt_qposadr[tie->id];
  Real3 turn = r4_turns((Real4){q[0], q[1], q[2], q[3]});
  Real3 axis = r3_normalize(turn);
  r[0] = c->bound - real_sqrt(r3_dot(turn, turn));
  J[0] = -axis.x;
  J[1] = -axis.y;
  J[2] = -axis.z;
}

// s vec(conj(q2) q1) for the rotations of a weld, and half the map of a vector in its place
INLINE Real3 weld_turned(Real4 q2, Real4 q1, Real3 v) {
  Real3 u1 = {q1.x, q1.y, q1.z}, u2 = {q2.x, q2.y, q2.z};
  // (0, v) q1, then its vector part behind conj(q2)
  Real scalar = -r3_dot(v, u1);
  Real3 vector = r3_crossadd(v, u1, r3_scale(v, q1.w));
  Real3 out = r3_addscale(r3_scale(vector, q2.w), u2, -scalar);
  return r3_sub(out, r3_cross(u2, vector));
}

// p1 - p2, and the rotation that is left between two frames.
static void tie_frames(Work* w, const LaneTie* tie, const TieConstants* c, Real* J, Real r[6]) {
  int n, rows = tie->nrow;
  const LaneCoupledDof* dof = tie_dofs(w, tie, &n);
  Real3 point[2], arm[2];
  Real4 quat[2];
  Real scale = real_constant(c->scale), half = scale * (Num)0.5;
  for (int side = 0; side < 2; side++) {
    int body = c->body[side];
    point[side] = r33_muladd(w->xmat + body, r3_of(c->anchor[side]), w->xpos[body]);
    arm[side] = r3_sub(point[side], w->com[w->m->body_rootid[body]]);
    quat[side] = r4_mul(w->xquat[body], r4_of(c->quat[side]));
  }
  Real3 gap = r3_sub(point[0], point[1]);
  r[0] = gap.x;
  r[1] = gap.y;
  r[2] = gap.z;
  if (rows == 6) {
    Real4 back = {quat[1].w, -quat[1].x, -quat[1].y, -quat[1].z};
    Real4 error = r4_mul(back, quat[0]);
    r[3] = scale * error.x;
    r[4] = scale * error.y;
    r[5] = scale * error.z;
  }
  for (int a = 0; a < n; a++, J += rows) {
    int side = dof[a].side;
    Real6 S = w->cdof[dof[a].dof];
    if (side == SIDE_BOTH) {
      // it turns the gap, but leaves the frames as they are to each other
      Real3 u = r3_cross(S.w, gap);
      const Real six[6] = {u.x, u.y, u.z, REAL_ZERO, REAL_ZERO, REAL_ZERO};
      for (int i = 0; i < rows; i++) {
        J[i] = six[i];
      }
      continue;
    }
    Real3 u = r3_crossadd(S.w, arm[side], S.u), turn = weld_turned(quat[1], quat[0], S.w);
    const Real six[6] = {u.x, u.y, u.z, turn.x * half, turn.y * half, turn.z * half};
    for (int i = 0; i < rows; i++) {
      J[i] = side ? -six[i] : six[i];
    }
  }
}

// out = J v
INLINE void tie_motion(Real out[6], const Work* w, const LaneTie* tie, const Real* v) {
  int n;
  const LaneCoupledDof* dof = tie_dofs(w, tie, &n);
  const Real* J = w->tie_J + tie->J;
  for (int i = 0; i < tie->nrow; i++) {
    out[i] = REAL_ZERO;
  }
  for (int a = 0; a < n; a++) {
    for (int i = 0; i < tie->nrow; i++) {
      out[i] = real_muladd(*J++, v[dof[a].dof], out[i]);
    }
  }
}

// Finds the rows: D, and x = -a_ref. Returns the lanes that have one.
static Mask ties_find(Work* w) {
  Mask some = mask_of(0);
  for (int k = 0; k < w->s->ntie; k++) {
    const LaneTie* tie = w->s->tie + k;
    const TieConstants* c = w->constants.tie + k;
    TieSlot* slot = w->tie + k;
    Real r[6], *J = w->tie_J + tie->J;
    Mask on = mask_of(~0u);
    slot->on = tie->kind == TIE_FRICTION ? w->constants.frictions
               : tie_is_one_sided(tie)   ? w->constants.limits
                                         : w->constants.equalities;
    if (!slot->on) {
      continue;
    }
    if (tie->kind == TIE_POLYNOMIAL) {
      tie_polynomial(w, tie, c, J, r);
    } else if (tie->kind == TIE_POINT || tie->kind == TIE_FRAME) {
      tie_frames(w, tie, c, J, r);
    } else if (tie->kind == TIE_BALL) {
      tie_ball(w, tie, c, J, r);
    } else {
      tie_tendon(w, tie, c, J, r);
    }
    if (tie_is_one_sided(tie)) {
      r[0] -= c->spring.margin;
      on = r[0] < REAL_ZERO;
    } else if (tie->kind != TIE_FRICTION) {
      on = w->active[tie->id] > REAL_ZERO;
    }
    slot->on = mask_any(on);
    if (slot->on) {
      Real size = real_abs(r[0]), square = REAL_ZERO;
      for (int i = 0; i < tie->nrow; i++) {
        square = real_muladd(r[i], r[i], square);
      }
      Real d = row_impedance(&c->spring, tie->nrow > 1 ? real_sqrt(square) : size);
      slot->stiffness = row_stiffness(&c->spring, d, c->one, on);
      slot->spin = row_stiffness(&c->spin, d, c->one, on);
      tie_motion(slot->x, w, tie, w->qvel);
      for (int i = 0; i < tie->nrow; i++) {
        slot->x[i] = real_muladd(real_constant(c->spring.B), slot->x[i], c->spring.K * d * r[i]);
      }
      coupling_use(w, w->s->coupling + tie->coupling);
      some |= on;
    }
  }
  return some;
}

// v = J s
static void ties_multiply(Work* w, const Real* s) {
  for (int k = 0; k < w->s->ntie; k++) {
    if (w->tie[k].on) {
      tie_motion(w->tie[k].v, w, w->s->tie + k, s);
    }
  }
}

// the laws: one-sided, friction, or D x^2 / 2

INLINE Real tie_change(const LaneTie* tie, const TieConstants* c, Real D, Real x, Real to) {
  if (tie_is_one_sided(tie)) {
    return below_change(D, x, to);
  }
  if (tie->kind == TIE_FRICTION) {
    Real eta = real_constant(c->eta);
    return friction_cost(D, to, eta) - friction_cost(D, x, eta);
  }
  return D * (Num)0.5 * ((to - x) * (to + x));
}

INLINE Real tie_force(const LaneTie* tie, const TieConstants* c, Real D, Real x) {
  return tie_is_one_sided(tie)       ? -(D * below(x))
         : tie->kind == TIE_FRICTION ? friction_force(D, x, real_constant(c->eta))
                                     : -(D * x);
}

INLINE Real tie_curvature(const LaneTie* tie, const TieConstants* c, Real D, Real x) {
  return tie_is_one_sided(tie)       ? below_curvature(D, x)
         : tie->kind == TIE_FRICTION ? friction_curvature(D, x, real_constant(c->eta))
                                     : D;
}

// x += step v unless it is a trial; returns the change of the cost.
static Real ties_move(Work* w, Real step, int trial) {
  Real change = REAL_ZERO;
  for (int k = 0; k < w->s->ntie; k++) {
    TieSlot* slot = w->tie + k;
    for (int i = 0; slot->on && i < w->s->tie[k].nrow; i++) {
      Real x = slot->x[i], to = real_muladd(step, slot->v[i], x);
      change += tie_change(w->s->tie + k, w->constants.tie + k, tie_stiffness(slot, i), x, to);
      slot->x[i] = trial ? x : to;
    }
  }
  return change;
}

// Adds slope and curvature of the cost at x + step v along v.
static void ties_line(Real* slope, Real* curvature, const Work* w, Real step) {
  for (int k = 0; k < w->s->ntie; k++) {
    const LaneTie* tie = w->s->tie + k;
    const TieSlot* slot = w->tie + k;
    const TieConstants* c = w->constants.tie + k;
    for (int i = 0; slot->on && i < tie->nrow; i++) {
      Real D = tie_stiffness(slot, i), v = slot->v[i], x = real_muladd(step, v, slot->x[i]);
      *slope = real_mulsub(tie_force(tie, c, D, x), v, *slope);
      *curvature = real_muladd(tie_curvature(tie, c, D, x), v * v, *curvature);
    }
  }
}

// Adds J'f to forces of dofs.
static void ties_force(Work* w, Real* out) {
  for (int k = 0; k < w->s->ntie; k++) {
    const LaneTie* tie = w->s->tie + k;
    const TieSlot* slot = w->tie + k;
    if (slot->on) {
      int n;
      const LaneCoupledDof* dof = tie_dofs(w, tie, &n);
      const Real* J = w->tie_J + tie->J;
      Real f[6];
      for (int i = 0; i < tie->nrow; i++) {
        f[i] = w->constants.dual
                   ? slot->v[i]
                   : tie_force(tie, w->constants.tie + k, tie_stiffness(slot, i), slot->x[i]);
      }
      for (int a = 0; a < n; a++) {
        for (int i = 0; i < tie->nrow; i++) {
          out[dof[a].dof] = real_muladd(*J++, f[i], out[dof[a].dof]);
        }
      }
    }
  }
}

// Adds J'WJ to H.
static void ties_hessian(Work* w) {
  for (int k = 0; k < w->s->ntie; k++) {
    const LaneTie* tie = w->s->tie + k;
    const TieSlot* slot = w->tie + k;
    if (slot->on) {
      int n;
      const LaneCoupledDof* dof = tie_dofs(w, tie, &n);
      const Real* J = w->tie_J + tie->J;
      for (int a = 0; a < n; a++) {
        Real g[6], *row = w->H + row_at(dof[a].dof);
        for (int i = 0; i < tie->nrow; i++) {
          Real D = tie_stiffness(slot, i);
          g[i] = J[a * tie->nrow + i] * tie_curvature(tie, w->constants.tie + k, D, slot->x[i]);
        }
        for (int b = 0; b <= a; b++) {
          for (int i = 0; i < tie->nrow; i++) {
            row[dof[b].dof] = real_muladd(g[i], J[b * tie->nrow + i], row[dof[b].dof]);
          }
        }
      }
    }
  }
}
