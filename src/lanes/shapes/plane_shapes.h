// plane_shapes.h: boxes, cylinders and ellipsoids on a plane, in all lanes; which meshes are above
// it. Contacts, their points and their order are those of the scalar colliders.
//                                                        theory/contact/collision.md, Plane pairs

#pragma once

#include "lanes/shapes/gaps.h"
#include "lanes/shapes/round.h"
#include "lanes/shapes/supports.h"

// A plane with normal n, and what is near it: height of the centre, n in the axes of the geom.
typedef struct PlaneSight {
  Real3 n, down, centre;
  Real height, margin;
} PlaneSight;

static PlaneSight plane_sight(Work* w, const LanePair* pair) {
  PlaneSight s;
  s.n = r33_column(geom_axes(w, pair->geom1), 2);
  s.centre = w->centre[pair->geom2];
  s.down = r33_tmul(geom_axes(w, pair->geom2), r3_scale(s.n, lane_real_of(-1)));
  s.height = r3_dot(s.n, r3_sub(s.centre, w->centre[pair->geom1]));
  s.margin = real_constant(w->constants.margin[pair - w->s->pair]);
  return s;
}

// Of some lanes those in which a geom is not above the plane by more than its margin: first its box
//
//   n . (p + R c - o) > sum_j |n . r_j| half_j + round + margin
//
// then its support point.
// Also geom_box_above in collision/broad/geom_box.c.
static Mask plane_near(Work* w, const LanePair* pair, const PlaneSight* s, Mask near) {
  const GeomConstants* c = w->constants.geom + pair->geom2;
  Real scale = r3_sum_abs(s->centre) + r3_sum_abs(w->centre[pair->geom1]) + real_constant(c->reach);
  Real gap = s->height - s->margin - BOUND_SLACK * scale;
  Real extent = r3_dot(r3_of(c->half), r3_abs(s->down)) + real_constant(c->round);
  Real above = gap - r3_dot(s->down, r3_of(c->box)) - extent;
  unsigned lanes = mask_bits(near & ~(above > REAL_ZERO));
  if (lanes && w->m->geom_type[pair->geom2] == mjGEOM_MESH) {
    Real3 lowest = geom_support(w, pair->geom2, s->down, lanes);
    above = real_max(gap - r3_dot(s->down, lowest), above);
  }
  if (!w->s->moves[pair->geom1]) {
    gap_keep(w, pair, above);
  }
  return near & ~(above > REAL_ZERO);
}

// Puts contacts at a point of this height into the slot, in some lanes. Slots that haven't been
// used yet are made ready.
static void put_plane_contact(int* used, Work* w, const LanePair* pair, int i, Mask on,
                              const PlaneSight* s, Real3 point, Real dist) {
  if (!mask_any(on)) {
    return;
  }
  for (; *used <= i; ++*used) {
    clear_slot(w, pair, pair->contact + *used);
    normal_frame(w->contact + pair->contact + *used, s->n);
  }
  ContactSlot* slot = w->contact + pair->contact + i;
  Real3 pos = r3_addscale(point, s->n, dist * (Num)-0.5);
  slot->point = r3_select(on, pos, slot->point);
  slot->dist = real_select(on, dist, slot->dist);
}

// Of the corners, counted in binary, the first four that are in the lower half and near the plane.
// Also collide_plane_box in collision/primitive/plane.c.
static void plane_box(int* used, Work* w, const LanePair* pair, Mask near, const PlaneSight* s) {
  const Real33* R = geom_axes(w, pair->geom2);
  const Real3 half = r3_of(w->constants.geom[pair->geom2].half);
  const Real3 lift = {-half.x * s->down.x, -half.y * s->down.y, -half.z * s->down.z};
  const Real one = lane_real_of(1);
  Real count = REAL_ZERO;
  for (int i = 0; i < 8; i++) {
    const Num x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1, z = i & 4 ? 1 : -1;
    Real rise = x * lift.x + y * lift.y + z * lift.z, dist = s->height + rise;
    Mask on = near & (rise <= REAL_ZERO) & (dist <= s->margin);
    if (!mask_any(on)) {
      continue;
    }
    const Real3 local = {x * half.x, y * half.y, z * half.z};
    Real3 corner = r33_muladd(R, local, s->centre);
    for (int k = 0; k < 4; k++) {
      put_plane_contact(used, w, pair, k, on & (count == lane_real_of((Num)k)), s, corner, dist);
    }
    count += real_where(on, one);
  }
}

// The deepest point, where the outward normal is -n: x = s^2 l / |s l|, l = -R'n.
// Also collide_plane_ellipsoid in collision/primitive/plane.c.
static void plane_ellipsoid(int* used, Work* w, const LanePair* pair, Mask near,
                            const PlaneSight* s) {
  const Real3 half = r3_of(w->constants.geom[pair->geom2].half), l = s->down;
  Real3 unit = r3_normalize((Real3){half.x * l.x, half.y * l.y, half.z * l.z});
  Real3 deepest = {half.x * unit.x, half.y * unit.y, half.z * unit.z};
  Real dist = s->height - r3_dot(deepest, l);
  Real3 point = r33_muladd(geom_axes(w, pair->geom2), deepest, s->centre);
  put_plane_contact(used, w, pair, 0, near & (dist <= s->margin), s, point, dist);
}

// The deepest point of the lower disk, the one above it, and two more of an equilateral triangle on
// the lower disk. Returns lanes that are left to the collider: disks that are nearly parallel to
// the plane have no definite lowest point.
//
//     a   cylinder axis, turned to point down: q = a.n <= 0;   A = h a
//     v   = R (q a - n)/|q a - n|, the radius to the lowest point of a disk;   pv = v.n <= 0
//
// Also collide_plane_cylinder in collision/primitive/plane.c.
static Mask plane_cylinder(int* used, Work* w, const LanePair* pair, Mask near,
                           const PlaneSight* s) {
  const Real3 half = r3_of(w->constants.geom[pair->geom2].half);
  const Real radius = half.x, negative = lane_real_of(-1), one = lane_real_of(1);
#if LANES_SINGLE
  const Real flat = lane_real_of(1e-4f);
#else
  const Real flat = lane_real_of(1e-12);
#endif
  Real3 axis = r33_column(geom_axes(w, pair->geom2), 2), n = s->n;
  Real q = r3_dot(n, axis);
  Real turn = real_select(q > REAL_ZERO, negative, one);
  axis = r3_scale(axis, turn);
  q = q * turn;
  Real3 v = r3_sub(r3_scale(axis, q), n);
  Real vv = r3_dot(v, v);
  Mask left = near & ~(vv > flat);
  near &= ~left;
  v = r3_scale(v, radius / real_sqrt(real_select(vv > flat, vv, one)));
  Real pv = r3_dot(v, n), qa = q * half.z;
  axis = r3_scale(axis, half.z);
  Real3 rim = r3_add(s->centre, v);
  Real lowest = s->height + qa + pv, upper = s->height - qa + pv;
  near &= lowest <= s->margin;
  put_plane_contact(used, w, pair, 0, near, s, r3_add(rim, axis), lowest);
  put_plane_contact(used, w, pair, 1, near & (upper <= s->margin), s, r3_sub(rim, axis), upper);
  Real dist = s->height + qa - pv * (Num)0.5;
  Mask on = near & (dist <= s->margin);
  if (mask_any(on)) {
    Real3 side = r3_normalize(r3_cross(v, axis));
    side = r3_scale(side, radius * (Num)(0.5 * 1.7320508075688772));
    Real3 base = r3_addscale(r3_add(s->centre, axis), v, lane_real_of((Num)-0.5));
    put_plane_contact(used, w, pair, 2, on, s, r3_add(base, side), dist);
    put_plane_contact(used, w, pair, 3, on, s, r3_sub(base, side), dist);
  }
  return left;
}

// Fills in the slots of a plane and a geom in the lanes `near`; used: how many have contacts.
// Returns the lanes that are left to the collider.
static Mask plane_shape_contacts(int* used, Work* w, const LanePair* pair, Mask near) {
  int type = w->m->geom_type[pair->geom2];
  *used = 0;
  near &= ~gap_lasts(w, pair, near);
  if (!mask_any(near)) {
    return near;
  }
  PlaneSight s = plane_sight(w, pair);
  near = plane_near(w, pair, &s, near);
  if (!mask_any(near) || type == mjGEOM_MESH) {
    return near;
  }
  if (type == mjGEOM_BOX) {
    plane_box(used, w, pair, near, &s);
  } else if (type == mjGEOM_ELLIPSOID) {
    plane_ellipsoid(used, w, pair, near, &s);
  } else {
    return plane_cylinder(used, w, pair, near, &s);
  }
  return mask_of(0);
}
