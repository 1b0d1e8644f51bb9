// implicit.h: M - h D of the implicit integrator, with D the derivative of all smooth forces by
// velocity, which is not symmetric, and its factors.
//
//   row i, ancestors k of i:   H_ik = A_ik        U_ik = A_ki          both stored as triangles
//
//                              theory/time/derivatives.md, Pattern of D; integration.md, Implicit

#pragma once

#include "lanes/dynamics/panels.h"

// B of a body, by columns: the change of its force by a change of velocity,
//
//   B S = S x* (I V) + V x* (I S) - I (V x S)
//
// Also body_coriolis in step/derivative.c.
static void lane_body_coriolis(Real66* B, const Inertia10* I, Real6 V) {
  Real6 momentum = inertia10_mul(I, V);
  for (int c = 0; c < 6; c++) {
    Real6 unit = REAL6_ZERO;
    Real* at = c < 3 ? &unit.w.x + c : &unit.u.x + (c - 3);
    *at = lane_real_of(1);
    Real6 moved = inertia10_mul(I, r6_cross(V, unit));
    Real6 sum = r6_add(r6_crossforce(unit, momentum), r6_crossforce(V, inertia10_mul(I, unit)));
    B->column[c] = r6_addscale(sum, moved, lane_real_of(-1));
  }
}

// w_j = (c_j + e_j) x S_j of the dofs of a body; c, e: velocity of the body before and after motion
// j. Translations of a free joint have none.
// Also dof_rates in step/derivative.c.
static void lane_dof_rates(Work* w, int body) {
  const mjModel* m = w->m;
  Real6 after = w->cvel[m->body_parentid[body]];
  for (int j = m->body_jntadr[body]; j < m->body_jntadr[body] + m->body_jntnum[body]; j++) {
    int type = m->jnt_type[j], dof = m->jnt_dofadr[j], end = dof + joint_nv(type);
    if (type == mjJNT_FREE) {
      after.u = r3_add(after.u, (Real3){w->qvel[dof], w->qvel[dof + 1], w->qvel[dof + 2]});
      w->rate[dof] = w->rate[dof + 1] = w->rate[dof + 2] = REAL6_ZERO;
      dof += 3;
    }
    Real6 before = after;
    for (int k = dof; k < end; k++) {
      after = r6_addscale(after, w->cdof[k], w->qvel[k]);
    }
    for (int k = dof; k < end; k++) {
      w->rate[k] = r6_cross(r6_add(before, after), w->cdof[k]);
    }
  }
}

// Adds h dc/dv of the bias force c:
//
//   dc_k / dv_j = S_k . (I w_j + B S_j)         I, B of the deeper of the two subtrees
//
// Also bias_derivative in step/derivative.c.
static void lane_bias_matrix(Work* w, Real h) {
  const mjModel* m = w->m;
  for (int b = 1; b < m->nbody; b++) {
    lane_dof_rates(w, b);
    lane_body_coriolis(w->coriolis + b, w->cinert + b, w->cvel[b]);
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    for (int c = 0; m->body_parentid[b] && c < 6; c++) {
      Real6* to = w->coriolis[m->body_parentid[b]].column + c;
      *to = r6_add(*to, w->coriolis[b].column[c]);
    }
  }
  for (int i = 0; i < m->nv; i++) {
    const Inertia10* I = w->crb + m->dof_bodyid[i];
    const Real66* B = w->coriolis + m->dof_bodyid[i];
    const Real6 S = w->cdof[i];
    Real6 momentum = inertia10_mul(I, S), left;
    Real6 force = r6_add(inertia10_mul(I, w->rate[i]), r66_mul(B, S));
    left.w = (Real3){r6_dot(B->column[0], S), r6_dot(B->column[1], S), r6_dot(B->column[2], S)};
    left.u = (Real3){r6_dot(B->column[3], S), r6_dot(B->column[4], S), r6_dot(B->column[5], S)};
    Real *lower = w->H + lane_row_at(i), *upper = w->U + lane_row_at(i);
    for (int k = i; k >= 0; k = m->dof_parentid[k]) {
      Real by_k = r6_dot(momentum, w->rate[k]) + r6_dot(left, w->cdof[k]);
      lower[k] = real_muladd(h, by_k, lower[k]);
      if (k < i) {
        upper[k] = real_muladd(h, r6_dot(force, w->cdof[k]), upper[k]);
      }
    }
  }
}

// Factors in place, from the last row up: A = (E + U) L. A finished row r is eliminated from those
// of its ancestors x, y <= x, which have all columns that r has left of its diagonal:
//
//   U_rx = U_rx / A_rr      A_xy -= U_rx A_ry      A_yx -= U_ry A_rx
//
// The diagonal holds 1/A_rr. Lanes in which it is zero are left to the scalar engine.
// Also lu_factor in step/implicit.c.
static void lane_lu_factor(Work* w) {
  const int* parent = w->m->dof_parentid;
  Mask none = mask_of(0);
  for (int r = w->m->nv - 1; r >= 0; r--) {
    Real *L = w->H + lane_row_at(r), *U = w->U + lane_row_at(r);
    none |= real_abs(L[r]) < lane_real_of((Num)mjMINVAL);
    L[r] = 1 / L[r];
    for (int x = parent[r]; x >= 0; x = parent[x]) {
      U[x] = U[x] * L[r];
    }
    for (int x = parent[r]; x >= 0; x = parent[x]) {
      Real *lower = w->H + lane_row_at(x), *upper = w->U + lane_row_at(x);
      Real a = U[x], b = L[x];
      lower[x] = real_mulsub(a, b, lower[x]);
      for (int y = parent[x]; y >= 0; y = parent[y]) {
        lower[y] = real_mulsub(a, L[y], lower[y]);
        upper[y] = real_mulsub(b, U[y], upper[y]);
      }
    }
  }
  w->failed |= mask_bits(none);
}

// (E + U) y = b from the last dof up, then L x = y from the first down
// Also lu_solve in step/implicit.c.
static void lane_lu_solve(Real* x, const Work* w) {
  const int* parent = w->m->dof_parentid;
  for (int r = w->m->nv - 1; r >= 0; r--) {
    const Real* U = w->U + lane_row_at(r);
    for (int i = parent[r]; i >= 0; i = parent[i]) {
      x[i] = real_mulsub(U[i], x[r], x[i]);
    }
  }
  for (int r = 0; r < w->m->nv; r++) {
    const Real* L = w->H + lane_row_at(r);
    Real sum = x[r];
    for (int i = parent[r]; i >= 0; i = parent[i]) {
      sum = real_mulsub(L[i], x[i], sum);
    }
    x[r] = sum * L[r];
  }
}
