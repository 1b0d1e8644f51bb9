// lane_law.h: the forces of rows in lanes, at a point and along a line.
//
// The law of a scalar row is a force within bounds, whose stiffness is D within them and 0 beyond:
//
//   f = min(max(-D x, low), high)    s = -f x - 1/2 R f^2
//
//   equality: no bounds    friction loss: -eta and eta    one-sided: 0 below
//
// Cones have the zones of cone_cost (law.h), of which the results of each are kept in its lanes.

#pragma once

#include "constraint/solver/lane_problems.h"

// scalar rows

// The force of row r at x; inside: whether it is within its bounds
INLINE void lanes_force(SimdN* force, MaskN* inside, const Lanes* s, int r, const SimdN* x) {
  const SimdN zero = {0};
  SimdN f = zero - s->D[r] * *x;
  if (r >= s->nbounded) {
    *inside = f > zero;
    lane_keep(&f, inside);
    *force = f;
    return;
  }
  MaskN above = f > s->low[r], below = f < s->high[r];
  lane_choose(&f, &above, &f, &s->low[r]);
  lane_choose(force, &below, &f, &s->high[r]);
  *inside = above & below;
}

// cones

// Zones by N and T. Also cone_point in constraint/law/law.h.
INLINE void lanes_cone_zone(MaskN* middle, MaskN* bottom, const SimdN* mu, const SimdN* N,
                            const SimdN* T) {
  const SimdN zero = {0};
  MaskN flat = *T <= zero, top = (*N >= *mu * *T) | (flat & (*N >= zero));
  *bottom = ~top & ((*mu * *N + *T <= zero) | flat);
  *middle = ~(top | *bottom);
}

// The middle zone: forces, cost and what is left of W (lane_newton.h), with t = U / T
//
//   slide = sigma t    pull = Dm    tilt = k = mu (mu T - N) / T    stiffness_j = k Dm sigma_j^2
INLINE void lanes_cone_middle(Lanes* s, LaneCone* cone, const SimdN* U, const SimdN* N,
                              const SimdN* T, SimdN* cost) {
  const SimdN mu = cone->sigma[0];
  const MaskN* middle = &cone->middle;
  SimdN gap = *N - mu * *T, push = cone->Dm * gap, edge = push * gap * (mjtNum)0.5, f = push * mu;
  SimdN tilt = (SimdN){0} - mu * gap / *T, pull = cone->Dm, inverse = 1 / *T;
  lane_keep(&edge, middle);
  lane_keep(&pull, middle);
  lane_keep(&tilt, middle);
  *cost += edge;
  cone->pull = pull;
  cone->tilt = tilt;
  SimdN normal = (SimdN){0} - f;
  lane_choose(&s->force[cone->row], middle, &normal, &s->force[cone->row]);
  SimdN bend = tilt * pull;
  for (int j = 1; j < cone->dim; j++) {
    int r = cone->row + j;
    SimdN slide = cone->sigma[j] * U[j] * inverse, friction = f * slide;
    lane_choose(&s->force[r], middle, &friction, &s->force[r]);
    lane_keep(&slide, middle);
    cone->slide[j] = slide;
    s->stiffness[r] += bend * cone->sigma[j] * cone->sigma[j];
  }
}

// Also cone_cost in constraint/law/law.h.
INLINE void lanes_cone_law(Lanes* s, LaneCone* cone, const SimdN* x, SimdN* cost) {
  SimdN U[6], N = cone->sigma[0] * x[cone->row], T = {0};
  for (int j = 1; j < cone->dim; j++) {
    U[j] = cone->sigma[j] * x[cone->row + j];
    T += U[j] * U[j];
  }
  lane_root(&T);
  MaskN bottom;
  lanes_cone_zone(&cone->middle, &bottom, &cone->sigma[0], &N, &T);
  for (int r = cone->row; r < cone->row + cone->dim; r++) {
    SimdN stiffness = s->D[r];
    lane_keep(&stiffness, &bottom);
    s->stiffness[r] = stiffness;
    s->force[r] = (SimdN){0} - stiffness * x[r];
    *cost -= s->force[r] * x[r] * (mjtNum)0.5;
  }
  cone->has_middle = lane_any(&cone->middle);
  if (cone->has_middle) {
    lanes_cone_middle(s, cone, U, &N, &T, cost);
  }
}

// Forces, stiffness and cost of all rows at x
INLINE void lanes_law(Lanes* s, const SimdN* x) {
  SimdN cost = {0};
  for (int r = 0; r < s->nscalar; r++) {
    SimdN f, stiffness = s->D[r];
    MaskN inside;
    lanes_force(&f, &inside, s, r, &x[r]);
    lane_keep(&stiffness, &inside);
    s->force[r] = f;
    s->stiffness[r] = stiffness;
    cost -= f * (x[r] + s->R[r] * f * (mjtNum)0.5);
  }
  for (int c = 0; c < s->ncone; c++) {
    lanes_cone_law(s, s->cone + c, x, &cost);
  }
  s->cost = cost;
}

// zones

// The zone of row r, an equality or friction loss in some lane
INLINE void lanes_bounded_zone(SimdN* zone, const Lanes* s, int r) {
  for (int l = 0; l < SIMD_N; l++) {
    LawKind kind = r < s->p[l]->rows.nefc ? law_kind(&s->p[l]->rows, r) : LAW_ONESIDED;
    if (kind == LAW_EQUALITY) {
      (*zone)[l] = mjCNSTRSTATE_QUADRATIC;
    } else if (kind == LAW_FRICTIONLOSS && !(s->stiffness[r][l] > 0)) {
      (*zone)[l] = s->force[r][l] > 0 ? mjCNSTRSTATE_LINEARNEG : mjCNSTRSTATE_LINEARPOS;
    }
  }
}

// The zones of all rows, as numbers: where there is no stiffness, 0
INLINE void lanes_zones(SimdN* zone, const Lanes* s) {
  const SimdN zero = {0}, quadratic = zero + mjCNSTRSTATE_QUADRATIC;
  const SimdN in_middle = zero + mjCNSTRSTATE_CONE;
  _Static_assert(mjCNSTRSTATE_SATISFIED == 0, "the zone of a row without force");
  for (int r = 0; r < s->nscalar; r++) {
    MaskN stiff = s->stiffness[r] > zero;
    zone[r] = quadratic;
    lane_keep(&zone[r], &stiff);
  }
  for (int r = 0; r < s->nbounded; r++) {
    lanes_bounded_zone(&zone[r], s, r);
  }
  for (const LaneCone *cone = s->cone, *end = cone + s->ncone; cone < end; cone++) {
    MaskN stiff = s->stiffness[cone->row] > zero;
    SimdN all = quadratic;
    lane_keep(&all, &stiff);
    lane_choose(&all, &cone->middle, &in_middle, &all);
    for (int k = 0; k < cone->dim; k++) {
      zone[cone->row + k] = all;
    }
  }
}

// along a line

// Turns a cone to the line. Also cone_lines_turn in constraint/solver/cone_lines.h.
INLINE void lanes_cone_turn(const Lanes* s, LaneCone* cone) {
  const SimdN zero = {0};
  const SimdN *x = s->jar + cone->row, *v = s->Jv + cone->row;
  SimdN UV = zero, VV = zero, least = zero, q1 = zero, q2 = zero;
  for (int j = 0; j < cone->dim; j++) {
    q1 += s->D[cone->row + j] * x[j] * v[j];
    q2 += s->bend[cone->row + j];
  }
  for (int j = 1; j < cone->dim; j++) {
    SimdN U = cone->sigma[j] * x[j], V = cone->sigma[j] * v[j];
    UV += U * V;
    VV += V * V;
  }
  SimdN center = zero - UV / VV;
  MaskN moves = VV > zero;
  lane_keep(&center, &moves);
  for (int j = 1; j < cone->dim; j++) {
    SimdN U = cone->sigma[j] * (x[j] + center * v[j]);
    least += U * U;
  }
  cone->N0 = cone->sigma[0] * x[0];
  cone->N1 = cone->sigma[0] * v[0];
  cone->center = center;
  cone->least = least;
  cone->VV = VV;
  cone->q1 = q1;
  cone->q2 = q2;
}

// Adds the slope and curvature of a cone at alpha.
// Also cone_lines_add in constraint/solver/cone_lines.h.
INLINE void lanes_cone_line(SimdN* slope, SimdN* curvature, const LaneCone* c, const SimdN* alpha) {
  const SimdN mu = c->sigma[0];
  SimdN N = c->N0 + *alpha * c->N1, past = *alpha - c->center;
  SimdN square = c->least + past * past * c->VV, T = square;
  lane_root(&T);
  MaskN middle, bottom;
  lanes_cone_zone(&middle, &bottom, &mu, &N, &T);
  SimdN first = c->q1 + *alpha * c->q2, second = c->q2;
  lane_keep(&first, &bottom);
  lane_keep(&second, &bottom);
  *slope += first;
  *curvature += second;
  if (lane_any(&middle)) {
    SimdN bend = c->VV / T, T1 = past * bend, T2 = bend * (c->least / square);
    SimdN gap1 = c->N1 - mu * T1, push = c->Dm * (N - mu * T);
    first = push * gap1;
    second = c->Dm * gap1 * gap1 - mu * push * T2;
    lane_keep(&first, &middle);
    lane_keep(&second, &middle);
    *slope += first;
    *curvature += second;
  }
}

// Slope and curvature of the cost at alpha, from those of the Gauss term at 0
INLINE void lanes_line(SimdN* slope, SimdN* curvature, const Lanes* s, const SimdN* alpha,
                       const SimdN gauss[2]) {
  SimdN first = gauss[0] + *alpha * gauss[1], second = gauss[1];
  for (int r = 0; r < s->nscalar; r++) {
    SimdN f, x = s->jar[r] + *alpha * s->Jv[r], bend = s->bend[r];
    MaskN inside;
    lanes_force(&f, &inside, s, r, &x);
    lane_keep(&bend, &inside);
    first -= f * s->Jv[r];
    second += bend;
  }
  for (int c = 0; c < s->ncone; c++) {
    lanes_cone_line(&first, &second, s->cone + c, alpha);
  }
  *slope = first;
  *curvature = second;
}
