// fluid.h: drag, lift and added mass of bodies in a medium: of equivalent inertia boxes and of
// ellipsoids, and their derivatives for implicitfast.
//                                                            theory/smooth/passive.md, Fluid pieces

#pragma once

#include "lanes/dynamics/motion.h"

INLINE Real3 r3_each(Real3 a, Real3 b) {
  return (Real3){a.x * b.x, a.y * b.y, a.z * b.z};
}

INLINE Real r3_norm(Real3 a) {
  return real_sqrt(r3_dot(a, a));
}

// Where a piece is: its axes, its place from the com of the tree, its velocity along the axes
// against the wind.
typedef struct FluidPlace {
  Real33 axes;
  Real3 r;
  Real6 velocity;
} FluidPlace;

// Also visit_part in smooth/fluid.c.
INLINE FluidPlace fluid_place(const Work* w, const LaneFluid* part, const FluidConstants* c) {
  int body = part->body;
  const Real33 own = r33_of(c->mat), *R = w->xmat + body;
  FluidPlace out;
  out.axes = (Real33){r33_tmul(&own, R->x), r33_tmul(&own, R->y), r33_tmul(&own, R->z)};
  Real3 point = r33_muladd(R, r3_of(c->pos), w->xpos[body]);
  out.r = r3_sub(point, w->com[w->m->body_rootid[body]]);
  Real6 V = w->cvel[body];
  Real3 linear = r3_sub(r3_crossadd(V.w, out.r, V.u), r3_of(w->constants.option->wind));
  out.velocity = (Real6){r33_tmul(&out.axes, V.w), r33_tmul(&out.axes, linear)};
  return out;
}

// inertia box                                                 theory/smooth/passive.md, Inertia box

INLINE Real box_resistance(Constant viscous, Constant drag, Real x) {
  return -((viscous + drag * real_abs(x)) * x);
}

// Also box_wrench in smooth/fluid.c.
INLINE Real6 lane_box_wrench(const FluidConstants* c, Real6 V) {
  return (Real6){{box_resistance(c->viscous[0], c->drag[0], V.w.x),
                  box_resistance(c->viscous[1], c->drag[1], V.w.y),
                  box_resistance(c->viscous[2], c->drag[2], V.w.z)},
                 {box_resistance(c->viscous[3], c->drag[3], V.u.x),
                  box_resistance(c->viscous[4], c->drag[4], V.u.y),
                  box_resistance(c->viscous[5], c->drag[5], V.u.z)}};
}

// ellipsoid                                                     theory/smooth/passive.md, Ellipsoid

// What follows from an ellipsoid's velocity, in the notation of ellipsoid_make in smooth/fluid.c.
typedef struct LaneEllipsoid {
  Real3 w, v, p, l, kw, abc;
  Real P, Q, speed, area, floor;
} LaneEllipsoid;

INLINE LaneEllipsoid lane_ellipsoid(const FluidConstants* c, Real6 V) {
  LaneEllipsoid e = {.w = V.w, .v = V.u, .floor = real_constant(c->floor)};
  e.abc = r3_of(c->abc);
  e.p = r3_each(r3_of(c->mass), e.v);
  e.l = r3_each(r3_of(c->inertia), e.w);
  e.kw = r3_each(r3_of(c->spin), e.w);
  Real3 n = r3_each(e.abc, e.v);
  e.P = r3_dot(n, e.v);
  e.Q = r3_dot(n, n);
  e.speed = r3_norm(e.v);
  e.area = real_sqrt(e.Q / real_max(e.P, e.floor)) * (Num)mjPI;
  return e;
}

// Also ellipsoid_wrench in smooth/fluid.c.
INLINE Real6 lane_ellipsoid_wrench(const FluidConstants* c, Real6 V) {
  LaneEllipsoid e = lane_ellipsoid(c, V);
  Real3 torque = r3_crossadd(e.l, e.w, r3_cross(e.p, e.v)), force = r3_cross(e.p, e.w);
  force = r3_addscale(force, r3_cross(e.w, e.v), real_constant(c->magnus));
  Real cosine = e.P / real_max(e.speed * e.Q, e.floor);
  Real3 lift = r3_cross(r3_cross(r3_each(e.abc, e.v), e.v), e.v);
  force = r3_addscale(force, lift, c->kutta * (cosine * e.area));
  Real turning = real_muladd(real_constant(c->density), r3_norm(e.kw), real_constant(c->turning));
  Real face = e.area * c->blunt + (c->area_max - e.area) * c->slender;
  Real moving = real_muladd(e.speed * c->density, face, real_constant(c->moving));
  torque = r3_addscale(torque, e.w, -turning);
  force = r3_addscale(force, e.v, -moving);
  return (Real6){r3_scale(torque, real_constant(c->coef)), r3_scale(force, real_constant(c->coef))};
}

// forces

// Adds the forces of the medium to those of dofs.
// Also fluid_forces in smooth/fluid.c.
static void lane_fluid_forces(Work* w) {
  const mjModel* m = w->m;
  for (int b = 1; b < m->nbody; b++) {
    w->wrench[b] = REAL6_ZERO;
  }
  for (int k = 0; k < w->s->nfluid; k++) {
    const LaneFluid* part = w->s->fluid + k;
    const FluidConstants* c = w->constants.fluid + k;
    FluidPlace at = fluid_place(w, part, c);
    Real6 local =
        part->geom < 0 ? lane_box_wrench(c, at.velocity) : lane_ellipsoid_wrench(c, at.velocity);
    Real3 force = r33_mul(&at.axes, local.u), torque = r33_mul(&at.axes, local.w);
    Real6* sum = w->wrench + part->body;
    *sum = r6_add(*sum, (Real6){r3_crossadd(at.r, force, torque), force});
  }
  sum_inwards(w->wrench, m);
  for (int i = 0; i < m->nv; i++) {
    w->passive[i] += r6_dot(w->cdof[i], w->wrench[m->dof_bodyid[i]]);
  }
}

// derivatives: B = d wrench / d velocity; rows torque 0, force 3; columns angular 0, linear 3

INLINE void r3_put(Real out[3], Real3 a) {
  out[0] = a.x;
  out[1] = a.y;
  out[2] = a.z;
}

// B(row block, column block) -= [x]_ diag(s)
// Also sub_cross_diag in smooth/fluid.c.
INLINE void cross_diag_subtract(Real B[6][6], int row, int col, Real3 x, Real3 s) {
  B[row][col + 1] += x.z * s.y;
  B[row][col + 2] -= x.y * s.z;
  B[row + 1][col] -= x.z * s.x;
  B[row + 1][col + 2] += x.x * s.z;
  B[row + 2][col] += x.y * s.x;
  B[row + 2][col + 1] -= x.x * s.y;
}

INLINE void cross_addto(Real B[6][6], int row, int col, Real3 x, Real scale) {
  cross_diag_subtract(B, row, col, x, (Real3){-scale, -scale, -scale});
}

// Also add_inertial_terms, add_magnus_terms, add_turning_terms in smooth/fluid.c.
INLINE void lane_turning_terms(Real B[6][6], const FluidConstants* c, const LaneEllipsoid* e) {
  const Real one = lane_real_of(1);
  Real k = real_constant(c->magnus);
  cross_addto(B, 0, 0, e->l, one);
  cross_diag_subtract(B, 0, 0, e->w, r3_of(c->inertia));
  cross_addto(B, 0, 3, e->p, one);
  cross_diag_subtract(B, 0, 3, e->v, r3_of(c->mass));
  cross_addto(B, 3, 0, e->p, one);
  cross_diag_subtract(B, 3, 3, e->w, r3_of(c->mass));
  cross_addto(B, 3, 0, e->v, -k);
  cross_addto(B, 3, 3, e->w, k);
  Real scale = c->density / real_max(r3_norm(e->kw), e->floor), w[3], kkw[3];
  r3_put(w, e->w);
  r3_put(kkw, r3_each(r3_of(c->spin), e->kw));
  for (int i = 0; i < 3; i++) {
    B[i][i] -= c->turning + scale * r3_dot(e->kw, e->kw);
    for (int j = 0; j < 3; j++) {
      B[i][j] -= scale * w[i] * kkw[j];
    }
  }
}

// Also add_moving_terms, add_kutta_terms in smooth/fluid.c.
INLINE void lane_moving_terms(Real B[6][6], const FluidConstants* c, const LaneEllipsoid* e) {
  Real abc[3], v[3], square[3], f[3], g[3];
  r3_put(abc, e->abc);
  r3_put(v, e->v);
  r3_put(square, r3_each(e->v, e->v));
  Real speed2 = r3_dot(e->v, e->v);
  for (int i = 0; i < 3; i++) {
    f[i] = g[i] = REAL_ZERO;
    for (int j = 0; j < 3; j++) {
      f[i] += square[j] * (abc[i] - abc[j]);
      g[i] += abc[j] * square[j] * (abc[i] - abc[j]);
    }
  }
  Real q = (e->area * c->blunt + (c->area_max - e->area) * c->slender) * c->density;
  Real kappa = (Num)mjPI / real_max(real_sqrt(e->P * e->P * e->P * e->Q), e->floor);
  Real turn = e->speed * kappa * ((c->blunt - c->slender) * c->density);
  Real along = q / real_max(e->speed, e->floor);
  Real K = (Num)mjPI * c->kutta / real_max(real_sqrt(e->Q * e->P * speed2), e->floor);
  Real T = e->P / real_max(e->Q, e->floor), U = e->P / real_max(speed2, e->floor);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      Real h = abc[j] * abc[j] * T - abc[j] + U;
      B[3 + i][3 + j] -= along * v[i] * v[j] + v[i] * turn * abc[j] * v[j] * g[j];
      B[3 + i][3 + j] += K * (e->P * (abc[j] - abc[i]) * 2 + f[i] * h) * v[i] * v[j];
    }
    B[3 + i][3 + i] -= along * speed2 + c->moving + K * f[i] * e->P;
  }
}

// The derivative, of an ellipsoid symmetrised or not.
// Also fluid_derivative in smooth/fluid.c.
static void lane_fluid_derivative(Real B[6][6], const LaneFluid* part, const FluidConstants* c,
                                  Real6 V, int symmetric) {
  const Real speed[6] = {V.w.x, V.w.y, V.w.z, V.u.x, V.u.y, V.u.z};
  for (int i = 0; i < 6; i++) {
    clear_reals(B[i], 6);
    if (part->geom < 0) {
      B[i][i] = -(c->viscous[i] + c->drag[i] * real_abs(speed[i]) * 2);
    }
  }
  if (part->geom >= 0) {
    LaneEllipsoid e = lane_ellipsoid(c, V);
    lane_turning_terms(B, c, &e);
    lane_moving_terms(B, c, &e);
    for (int i = 0; symmetric && i < 6; i++) {
      for (int j = 0; j < i; j++) {
        B[i][j] = B[j][i] = (B[i][j] + B[j][i]) * (Num)0.5;
      }
    }
  }
}

// The motion of a piece by a dof, along its axes.
INLINE Real6 fluid_motion(const FluidPlace* at, Real6 S) {
  return (Real6){r33_tmul(&at->axes, S.w), r33_tmul(&at->axes, r3_crossadd(S.w, at->r, S.u))};
}

// B s
INLINE Real6 fluid_product(Real B[6][6], Real6 s) {
  Real out[6];
  for (int i = 0; i < 6; i++) {
    out[i] = r6_dot((Real6){{B[i][0], B[i][1], B[i][2]}, {B[i][3], B[i][4], B[i][5]}}, s);
  }
  return (Real6){{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

// s' B
INLINE Real6 fluid_left_product(Real B[6][6], Real6 s) {
  const Real in[6] = {s.w.x, s.w.y, s.w.z, s.u.x, s.u.y, s.u.z};
  Real out[6] = {REAL_ZERO};
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      out[j] = real_muladd(in[i], B[i][j], out[j]);
    }
  }
  return (Real6){{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

// H -= h J'B J of all pieces: at the entries that M has with B symmetrised, or at those of all
// ancestors, above the diagonal in U.
// Also add_fluid in step/derivative.c.
static void lane_fluid_matrix(Work* w, Real h, int full) {
  const mjModel* m = w->m;
  for (int k = 0; k < w->s->nfluid; k++) {
    const LaneFluid* part = w->s->fluid + k;
    const FluidConstants* c = w->constants.fluid + k;
    FluidPlace at = fluid_place(w, part, c);
    Real B[6][6];
    lane_fluid_derivative(B, part, c, at.velocity, !full);
    int body = part->body;
    while (body && !m->body_dofnum[body]) {
      body = m->body_parentid[body];
    }
    for (int i = m->body_dofadr[body] + m->body_dofnum[body] - 1; i >= 0; i = m->dof_parentid[i]) {
      const Real6 own = fluid_motion(&at, w->cdof[i]), BJ = fluid_product(B, own);
      const Real6 left = full ? fluid_left_product(B, own) : BJ;
      Real *row = w->H + lane_row_at(i), *upper = w->U + lane_row_at(i);
      for (int j = i; j >= 0; j = m->dof_parentid[j]) {
        if (j == i || full || !m->dof_simplenum[i]) {
          row[j] = real_mulsub(h, r6_dot(fluid_motion(&at, w->cdof[j]), left), row[j]);
        }
        if (j < i && full) {
          upper[j] = real_mulsub(h, r6_dot(fluid_motion(&at, w->cdof[j]), BJ), upper[j]);
        }
      }
    }
  }
}
