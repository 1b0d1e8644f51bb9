// boxes.h: separating axes of the oriented boxes of two geoms, in all lanes.
//                                                            theory/contact/collision.md, Mid phase
// Also geom_boxes_apart in collision/broad/geom_box.c.

#pragma once

#include "lanes/work.h"

// An upper bound on rounding errors of surfaces, relative to sizes and distances from the origin.
#if LANES_SINGLE
static const Num BOUND_SLACK = 3e-5f;
#else
static const Num BOUND_SLACK = 1e-7;
#endif

// The axes of a geom as columns, found when somebody first asks in a step.
static const Real33* geom_axes(Work* w, int geom) {
  Real33* axes = w->axes + geom;
  if (!w->has_axes[geom]) {
    w->has_axes[geom] = 1;
    const Real33 own = r33_of(w->constants.geom[geom].mat);
    const Real33* R = w->xmat + w->m->geom_bodyid[geom];
    *axes = (Real33){r33_tmul(&own, R->x), r33_tmul(&own, R->y), r33_tmul(&own, R->z)};
  }
  return axes;
}

INLINE Real r3_sum_abs(Real3 a) {
  return real_abs(a.x) + real_abs(a.y) + real_abs(a.z);
}

INLINE Real3 r3_abs(Real3 a) {
  return (Real3){real_abs(a.x), real_abs(a.y), real_abs(a.z)};
}

// What two geoms must be apart by, so that no collider makes a contact: that of boxes finds corners
// at up to sqrt(3) times the margin.
INLINE Real bound_need(const Work* w, const LanePair* pair) {
  const GeomConstants *a = w->constants.geom + pair->geom1, *b = w->constants.geom + pair->geom2;
  Real scale = r3_sum_abs(w->centre[pair->geom1]) + r3_sum_abs(w->centre[pair->geom2]) +
               real_constant(a->reach) + real_constant(b->reach);
  Real margin = real_constant(w->constants.margin[pair - w->s->pair]);
  return real_max(margin, margin + margin) + (Num)w->m->opt.ccd_tolerance + BOUND_SLACK * scale;
}

// How much further than `need` the boxes of two geoms are apart along a normal of a face or the
// cross product of two edges, at least; not above zero where none of these shows that they are.
//
//   n = a_i:         |c . a_i| > s_i + sum_j t_j |W_ij|          c in the axes of the first,
//   n = b_j:         |c . b_j| > t_j + sum_i s_i |W_ij|          W_ij = a_i . b_j
//   n = a_i x b_j:   |a_i x c . b_j| > s_k |W_lj| + s_l |W_kj| + t_p |W_iq| + t_q |W_ip|,  |n| <= 1
INLINE Real lane_boxes_gap(Work* w, const LanePair* pair, Real need) {
  const GeomConstants *a = w->constants.geom + pair->geom1, *b = w->constants.geom + pair->geom2;
  const Real33 *A = geom_axes(w, pair->geom1), *B = geom_axes(w, pair->geom2);
  Real3 s = r3_of(a->half), t = r3_of(b->half);
  Real3 gap = r3_sub(r33_muladd(B, r3_of(b->box), w->centre[pair->geom2]),
                     r33_muladd(A, r3_of(a->box), w->centre[pair->geom1]));
  Real3 c = r33_tmul(A, gap), column[3], size[3], reach = s;
  Real most = lane_real_of((Num)-INFINITY);
  for (int j = 0; j < 3; j++) {
    column[j] = r33_tmul(A, r33_column(B, j));
    size[j] = r3_abs(column[j]);
    Real tj = j == 0 ? t.x : j == 1 ? t.y : t.z;
    reach = r3_addscale(reach, size[j], tj);
    most = real_max(most, real_abs(r3_dot(c, column[j])) - tj - r3_dot(s, size[j]));
  }
  most = real_max(most, real_abs(c.x) - reach.x);
  most = real_max(most, real_abs(c.y) - reach.y);
  most = real_max(most, real_abs(c.z) - reach.z);
  for (int j = 0; j < 3; j++) {
    int p = (j + 1) % 3, q = (j + 2) % 3;
    Real tp = p == 0 ? t.x : p == 1 ? t.y : t.z, tq = q == 0 ? t.x : q == 1 ? t.y : t.z;
    const Real3 W = column[j], V = size[j], P = size[p], Q = size[q];
    most = real_max(most, real_abs(real_mulsub(c.y, W.z, c.z * W.y)) -
                              (s.y * V.z + s.z * V.y + tp * Q.x + tq * P.x));
    most = real_max(most, real_abs(real_mulsub(c.z, W.x, c.x * W.z)) -
                              (s.z * V.x + s.x * V.z + tp * Q.y + tq * P.y));
    most = real_max(most, real_abs(real_mulsub(c.x, W.y, c.y * W.x)) -
                              (s.x * V.y + s.y * V.x + tp * Q.z + tq * P.z));
  }
  return most - need - real_constant(a->round) - real_constant(b->round);
}
