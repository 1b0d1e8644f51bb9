// heights.h: the height of a convex geom above its centre along a direction, in all lanes: that of
// its support point.
//                                                       theory/contact/convex.md, Support functions

#pragma once

#include "lanes/shapes/boxes.h"

// The highest vertex of a mesh along l (in its frame), lane by lane; infinite in other lanes.
static Real hull_height(const SupportTable* table, Real3 l, unsigned lanes) {
  Real out = lane_real_of((Num)INFINITY);
  for (; lanes; lanes &= lanes - 1) {
    int lane = __builtin_ctz(lanes);
    const mjtNum way[3] = {(mjtNum)l.x[lane], (mjtNum)l.y[lane], (mjtNum)l.z[lane]};
    mjtNum lead, top = 0;
    if (support_table_highest(&lead, &top, table, way) >= 0) {
      out[lane] = (Num)top;
    }
  }
  return out;
}

// l: a unit vector in the frame of the geom. Infinite for a geom without a formula.
INLINE Real geom_height(const Work* w, int geom, Real3 l, unsigned lanes) {
  const mjModel* m = w->m;
  const GeomConstants* c = w->constants.geom + geom;
  Real3 half = r3_of(c->half);
  Real round = real_constant(c->round);
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
      return round;
    case mjGEOM_CAPSULE:
      return real_muladd(half.z, real_abs(l.z), round);
    case mjGEOM_BOX:
      return r3_dot(half, r3_abs(l));
    case mjGEOM_CYLINDER:
      return real_muladd(half.x, real_sqrt(real_muladd(l.x, l.x, l.y * l.y)),
                         half.z * real_abs(l.z));
    case mjGEOM_ELLIPSOID: {
      Real3 v = {half.x * l.x, half.y * l.y, half.z * l.z};
      return real_sqrt(r3_dot(v, v));
    }
    case mjGEOM_MESH: {
      const SupportPoints* hull = w->s->hulls[m->geom_dataid[geom]];
      return hull ? hull_height(hull->table, l, lanes) : lane_real_of((Num)INFINITY);
    }
    default:
      return lane_real_of((Num)INFINITY);
  }
}
