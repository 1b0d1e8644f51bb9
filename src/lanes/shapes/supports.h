// supports.h: support points of convex geoms, in all lanes.
//                                                       theory/contact/convex.md, Support functions

#pragma once

#include "lanes/shapes/boxes.h"

// x with the sign of y, which may be that of zero.
INLINE Real real_signed(Real x, Real y) {
  return real_select(y < REAL_ZERO, -x, x);
}

// The highest vertex of a mesh along l, lane by lane; infinitely high in other lanes.
static Real3 hull_support(const SupportTable* table, Real3 l, unsigned lanes) {
  const Real far = lane_real_of((Num)INFINITY);
  Real3 out = {real_signed(far, l.x), real_signed(far, l.y), real_signed(far, l.z)};
  for (; lanes; lanes &= lanes - 1) {
    int lane = __builtin_ctz(lanes);
    const mjtNum way[3] = {(mjtNum)l.x[lane], (mjtNum)l.y[lane], (mjtNum)l.z[lane]};
    mjtNum lead;
    int dented, id = support_table_highest(&lead, &dented, table, way);
    if (id >= 0) {
      const float* v = table->point + 4 * (size_t)id;
      out.x[lane] = (Num)v[0];
      out.y[lane] = (Num)v[1];
      out.z[lane] = (Num)v[2];
    }
  }
  return out;
}

// The support point of a geom in its frame; l: a unit vector in that frame. lanes: those that are
// asked for. A point at infinity for a geom without a formula.
static Real3 geom_support(const Work* w, int geom, Real3 l, unsigned lanes) {
  const mjModel* m = w->m;
  const GeomConstants* c = w->constants.geom + geom;
  const Real far = lane_real_of((Num)INFINITY);
  Real3 half = r3_of(c->half);
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
    case mjGEOM_CAPSULE: {
      Real3 end = {REAL_ZERO, REAL_ZERO, real_signed(half.z, l.z)};
      return r3_addscale(end, l, real_constant(c->round));
    }
    case mjGEOM_BOX:
      return (Real3){real_signed(half.x, l.x), real_signed(half.y, l.y), real_signed(half.z, l.z)};
    case mjGEOM_CYLINDER: {
      Real side = real_sqrt(real_muladd(l.x, l.x, l.y * l.y));
      Real scale = half.x / real_max(side, lane_real_of((Num)1e-15));
      return (Real3){l.x * scale, l.y * scale, real_signed(half.z, l.z)};
    }
    case mjGEOM_ELLIPSOID: {
      Real3 v = {half.x * l.x, half.y * l.y, half.z * l.z};
      Real scale = 1 / real_max(real_sqrt(r3_dot(v, v)), lane_real_of((Num)1e-15));
      return (Real3){half.x * v.x * scale, half.y * v.y * scale, half.z * v.z * scale};
    }
    case mjGEOM_MESH: {
      const SupportPoints* hull = w->s->hulls ? w->s->hulls[m->geom_dataid[geom]] : NULL;
      if (hull) {
        return hull_support(hull->table, l, lanes);
      }
      break;
    }
    default:
      break;
  }
  return (Real3){real_signed(far, l.x), real_signed(far, l.y), real_signed(far, l.z)};
}
