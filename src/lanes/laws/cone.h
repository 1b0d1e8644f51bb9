// cone.h: the law of an elliptic cone.                     theory/contact/solvers.md, Elliptic cone
//
// Along its directions a contact has x_0 and, already scaled by friction, U_k = x_k; N = mu x_0,
// T = |U|, Dc = D/mu^2, Dm = Dc/(1 + mu^2):
//
//   top     N >= mu T      cost 0
//   bottom  mu N + T <= 0  cost Dc (N^2 + T^2)/2
//   middle  else           cost Dm (N - mu T)^2/2
//
// Zones are masks; all three are computed and selected, so the root and its inverse are guarded.

#pragma once

#include "lanes/laws/law.h"
#include "lanes/work.h"

typedef struct ConeAt {
  Real N, T, inverse;  // inverse: 1/T, 1 where T is 0
  Mask bottom, middle;
} ConeAt;

// Also cone_cost in constraint/law/law.h.
INLINE ConeAt cone_at(const Real x[6], Real mu, int dim) {
  Real square = REAL_ZERO;
  for (int i = 1; i < dim; i++) {
    square = real_muladd(x[i], x[i], square);
  }
  ConeAt at = {.N = mu * x[0], .T = real_sqrt(square)};
  Mask top = at.N >= mu * at.T;
  at.bottom = ~top & (real_muladd(mu, at.N, at.T) <= REAL_ZERO);
  at.middle = ~top & ~at.bottom;
  at.inverse = 1 / real_select(at.T > REAL_ZERO, at.T, lane_real_of(1));
  return at;
}

INLINE Real lane_cone_cost(const ConeAt* at, Real Dc, Real Dm, Real mu) {
  Real gap = real_mulsub(mu, at->T, at->N);
  Real inside = Dc * real_muladd(at->N, at->N, at->T * at->T), edge = Dm * gap * gap;
  return (real_where(at->bottom, inside) + real_where(at->middle, edge)) * (Num)0.5;
}

// Dc and Dm of a slot
INLINE void lane_cone_stiffness(Real* Dc, Real* Dm, const ContactSlot* slot, Real mu) {
  *Dc = slot->stiffness / (mu * mu);
  *Dm = *Dc / real_muladd(mu, mu, lane_real_of(1));
}

// cost(x + step v) - cost(x). In one zone (b - a)(b + a) takes the place of a difference of
// squares, of which rounding would leave nothing where costs are large:
//
//   bottom  Dc/2 (dN (N' + N) + dU . (U' + U))        U'.U' - U.U = dU . (U' + U)
//   middle  Dm/2 (g' - g)(g' + g),  g = N - mu T      T' - T = dU . (U' + U) / (T' + T)
INLINE Change cone_change(const ContactSlot* slot, Real mu, int dim, Real step) {
  Real Dc, Dm, to[6], square = REAL_ZERO;
  lane_cone_stiffness(&Dc, &Dm, slot, mu);
  for (int i = 0; i < dim; i++) {
    Real x = slot->x[i];
    to[i] = real_muladd(step, slot->v[i], x);
    square = i ? real_muladd(to[i] - x, to[i] + x, square) : square;
  }
  ConeAt before = cone_at(slot->x, mu, dim), after = cone_at(to, mu, dim);
  Real dN = mu * (to[0] - slot->x[0]), length = before.T + after.T;
  Real inside = Dc * real_muladd(dN, after.N + before.N, square);
  Real dT = square / real_select(length > REAL_ZERO, length, lane_real_of(1));
  Real gaps = real_mulsub(mu, length, after.N + before.N);
  Real edge = Dm * real_mulsub(mu, dT, dN) * gaps;
  Real first = lane_cone_cost(&before, Dc, Dm, mu), last = lane_cone_cost(&after, Dc, Dm, mu);
  Real within = real_select(before.bottom & after.bottom, inside, edge) * (Num)0.5;
  Mask stays = (before.bottom & after.bottom) | (before.middle & after.middle);
  return (Change){real_select(stays, within, last - first), last + first};
}

// Adds slope and curvature of the cost along v at x + step v.
//                                                            theory/contact/solvers.md, Line search
INLINE void cone_line(Real* slope, Real* curvature, const ContactSlot* slot, Real mu, int dim,
                      Real step) {
  Real Dc, Dm, x[6], UV = REAL_ZERO, VV = REAL_ZERO;
  lane_cone_stiffness(&Dc, &Dm, slot, mu);
  for (int i = 0; i < dim; i++) {
    x[i] = real_muladd(step, slot->v[i], slot->x[i]);
  }
  for (int i = 1; i < dim; i++) {
    UV = real_muladd(x[i], slot->v[i], UV);
    VV = real_muladd(slot->v[i], slot->v[i], VV);
  }
  ConeAt at = cone_at(x, mu, dim);
  Real N1 = mu * slot->v[0], T1 = UV * at.inverse, T2 = (VV - T1 * T1) * at.inverse;
  Real gap = real_mulsub(mu, at.T, at.N), rate = real_mulsub(mu, T1, N1);
  Real down = Dc * real_muladd(at.N, N1, UV), bend = Dc * real_muladd(N1, N1, VV);
  *slope += real_where(at.bottom, down) + real_where(at.middle, Dm * gap * rate);
  *curvature += real_where(at.bottom, bend) +
                real_where(at.middle, Dm * real_mulsub(mu * gap, T2, rate * rate));
}

// D: of the normal
INLINE void cone_force_at(Real f[6], const Real x[6], Real D, Real mu, int dim) {
  Real Dc = D / (mu * mu), Dm = Dc / real_muladd(mu, mu, lane_real_of(1));
  ConeAt at = cone_at(x, mu, dim);
  Real edge = -(Dm * real_mulsub(mu, at.T, at.N) * mu);
  f[0] = real_where(at.bottom, -(D * x[0])) + real_where(at.middle, edge);
  for (int i = 1; i < dim; i++) {
    f[i] = real_where(at.bottom, -(Dc * x[i])) - real_where(at.middle, edge * (x[i] * at.inverse));
  }
}

INLINE void cone_force(Real f[6], const ContactSlot* slot, Real mu, int dim) {
  cone_force_at(f, slot->x, slot->stiffness, mu, dim);
}

// Curvature between the directions, lower triangle.         theory/contact/solvers.md, Cone Hessian
// Also cone_hessian in constraint/law/law.c.
INLINE void cone_curvature(Real h[6][6], const ContactSlot* slot, Real mu, int dim) {
  Real Dc, Dm, t[6];
  lane_cone_stiffness(&Dc, &Dm, slot, mu);
  ConeAt at = cone_at(slot->x, mu, dim);
  Real square = mu * mu, ratio = mu * at.N * at.inverse;
  h[0][0] = real_where(at.bottom, slot->stiffness) + real_where(at.middle, Dm * square);
  for (int i = 1; i < dim; i++) {
    t[i] = slot->x[i] * at.inverse;
    h[i][0] = -real_where(at.middle, Dm * square * t[i]);
    for (int j = 1; j < i; j++) {
      h[i][j] = real_where(at.middle, Dm * ratio * t[i] * t[j]);
    }
    h[i][i] = real_where(at.bottom, Dc) +
              real_where(at.middle, Dm * real_muladd(ratio, t[i] * t[i], square - ratio));
  }
}
