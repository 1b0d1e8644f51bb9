// round.h: the contact of two spheres or capsules, in all lanes: the spheres at the closest points
// of their segments.                          theory/contact/collision.md, Sphere and capsule pairs

#pragma once

#include "lanes/work.h"

#if LANES_SINGLE
static const Num NEARLY_PARALLEL = 1e-5f;
#else
static const Num NEARLY_PARALLEL = 1e-12;
#endif

INLINE Real clamp_end(Real x) {
  return real_clamp(x, lane_real_of(-1), lane_real_of(1));
}

// The closest points centre1 + x[0] A1, centre2 + x[1] A2 of two segments. Returns the lanes in
// which they are nearly parallel, where they may touch twice and x is nothing.
// Also closest_points in collision/primitive/sphere_capsule.c.
INLINE Mask lane_closest_points(Real x[2], Real3 A1, Real3 A2, Real3 gap) {
  Real ma = r3_dot(A1, A1), mb = -r3_dot(A1, A2), mc = r3_dot(A2, A2);
  Real u = -r3_dot(A1, gap), v = r3_dot(A2, gap);
  Real det = real_mulsub(mb, mb, ma * mc);
  Mask parallel =
      ~(real_abs(det) > real_max(ma * mc * NEARLY_PARALLEL, lane_real_of((Num)mjMINVAL)));
  Real inverse = 1 / real_select(parallel, lane_real_of(1), det);
  Real first = real_mulsub(mb, v, mc * u) * inverse, second = real_mulsub(mb, u, ma * v) * inverse;
  // an end of the first segment moves the other point, and then an end of the second
  Real end = clamp_end(first);
  second = real_select(end == first, second, real_mulsub(mb, end, v) / mc);
  Real other = clamp_end(second);
  x[0] = real_select(other == second, end, clamp_end(real_mulsub(mb, other, u) / ma));
  x[1] = other;
  return parallel;
}

// The tangents that belong to a normal.                  theory/contact/collision.md, Contact frame
// Also contact_frame in collision/contact_param.c.
INLINE Real3 tangent_default(Real3 n) {
  const Real one = lane_real_of(1), zero = REAL_ZERO;
  Mask level = real_abs(n.y) < lane_real_of((Num)0.5);
  return (Real3){zero, real_select(level, one, zero), real_select(level, zero, one)};
}

INLINE Real3 tangent_along(Real3 hint, Real3 n) {
  return r3_normalize(r3_addscale(hint, n, -r3_dot(n, hint)));
}

INLINE void normal_frame(ContactSlot* slot, Real3 n) {
  slot->n = n;
  slot->t = tangent_along(tangent_default(n), n);
  slot->b = r3_cross(n, slot->t);
}

// Makes a slot ready: no contact anywhere, and finite numbers.
static void clear_slot(Work* w, const LanePair* pair, int k) {
  const Real one = lane_real_of(1), zero = REAL_ZERO;
  ContactSlot* slot = w->contact + k;
  slot->n = (Real3){one, zero, zero};
  slot->t = (Real3){zero, one, zero};
  slot->b = (Real3){zero, zero, one};
  slot->point = w->xpos[w->m->geom_bodyid[pair->geom2]];
  slot->dist = real_constant(w->constants.contact[k].reach) + one;
}

// Fills in the slot of a pair in the lanes `near`. Those returned are left to the collider: their
// segments are parallel or centres coincide. some: whether any other lane has a contact.
static Mask round_contact(int* some, Work* w, const LanePair* pair, Mask near) {
  int i = pair->geom1, j = pair->geom2;
  const GeomConstants* c = w->constants.geom;
  ContactSlot* slot = w->contact + pair->contact;
  Real3 A1 = w->arm[i], A2 = w->arm[j], q1 = w->centre[i], q2 = w->centre[j];
  Mask left = mask_of(0);
  if (w->m->geom_type[i] == mjGEOM_CAPSULE) {
    Real x[2];
    left = lane_closest_points(x, A1, A2, r3_sub(q1, q2));
    q1 = r3_addscale(q1, A1, x[0]);
    q2 = r3_addscale(q2, A2, x[1]);
  } else if (w->m->geom_type[j] == mjGEOM_CAPSULE) {
    q2 = r3_addscale(q2, A2, clamp_end(r3_dot(A2, r3_sub(q1, q2)) / r3_dot(A2, A2)));
  }
  Real3 gap = r3_sub(q2, q1);
  Real length = real_sqrt(r3_dot(gap, gap));
  left = near & (left | ~(length > lane_real_of((Num)mjMINVAL)));
  Real dist = length - c[i].radius - c[j].radius;
  // in the gap, too: actuators that adhere pull there
  Real margin = real_constant(w->constants.contact[pair->contact].reach);
  Mask on = near & ~left & (dist < margin);
  *some = mask_any(on);
  if (*some) {
    normal_frame(slot, r3_normalize(gap));
    slot->point = r3_addscale(
        q1, slot->n, real_muladd(dist, lane_real_of((Num)0.5), real_constant(c[i].radius)));
    slot->dist = real_select(on, dist, margin + 1);
  }
  return left;
}
