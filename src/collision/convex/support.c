#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include "collision/convex/support.h"

#include "collision/convex/shape/points.h"

// The clear answers of a mesh whose vertices are copied come from here, at once; all others from its kind.
INLINE int support_of(mjtNum point[3], ConvexShape* s, const mjtNum u[3]) {
  int id = -1;
  if (s->points) {
    mjtNum l[3];
    shape_direction(l, s, u);
    id = points_top(s->points, l);
    if (id >= 0) {
      points_read(l, s->points, id);
      shape_point(point, s, l);
    }
  }
  if (id < 0) {
    id = s->kind->support(point, s, u);
  }
  s->last = id;
  if (s->margin > 0) {
    v3_addtoscl(point, u, (mjtNum)0.5 * s->margin);
  }
  return id;
}

KERNEL int shape_support(mjtNum point[3], ConvexShape* shape, const mjtNum u[3]) {
  return support_of(point, shape, u);
}

KERNEL int clear_support(const ConvexShape* mesh, const mjtNum l[3]) {
  return mesh->points ? points_top(mesh->points, l) : -1;
}

KERNEL void difference_support(Vertex* out, ConvexShape* a, ConvexShape* b, const mjtNum u[3]) {
  mjtNum back[3], on_a[3], on_b[3];
  v3_scl(back, u, -1);
  out->ia = support_of(on_a, a, u);
  out->ib = support_of(on_b, b, back);
  v3_sub(out->w, on_a, on_b);
  v3_copy(out->a, on_a);
  v3_copy(out->b, on_b);
}
