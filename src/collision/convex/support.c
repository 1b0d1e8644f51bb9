// Support points of shapes and of A - B, from copied mesh vertices where one is clearly the
// highest.

// Compile with -fno-loop-unroll-and-jam (release): joined blocks would no longer be processed with
// one instruction for all lanes of a block.
#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/support.h"

#include "collision/convex/shape/support_points.h"

// Support point of a shape. If its mesh vertices are copied and one of them is clearly the highest,
// that vertex is the result. Otherwise the highest of the copy is if `anew` is set, else the
// support function of its kind searches from where its last search ended.
INLINE int support_of(mjtNum point[3], ConvexShape* s, const mjtNum u[3], int anew) {
  int id = -1, is_clear = 0;
  if (s->points) {
    mjtNum l[3];
    shape_direction(l, s, u);
    id = points_highest(&is_clear, s->points, l, anew ? POINT_ROUNDING : POINT_BAND);
    if (!is_clear && anew && id >= 0) {
      is_clear = 1;
      id = points_best(s->points, l, id);
    }
    if (is_clear) {
      points_read(l, s->points, id);
      shape_point(point, s, l);
    }
  }
  if (!is_clear) {
    s->is_missed |= s->last == LAST_SKIPPED;
    id = s->kind->support(point, s, u);
  }
  s->last = id;
  if (s->margin > 0) {
    v3_addtoscl(point, u, (mjtNum)0.5 * s->margin);
  }
  return id;
}

INLINE void difference_of(Vertex* out, ConvexShape* a, ConvexShape* b, const mjtNum u[3],
                          int anew) {
  mjtNum back[3], on_a[3], on_b[3];
  v3_scl(back, u, -1);
  out->ia = support_of(on_a, a, u, anew);
  out->ib = support_of(on_b, b, back, anew);
  v3_sub(out->w, on_a, on_b);
  v3_copy(out->a, on_a);
  v3_copy(out->b, on_b);
}

KERNEL void difference_support(Vertex* out, ConvexShape* a, ConvexShape* b, const mjtNum u[3]) {
  difference_of(out, a, b, u, 0);
}

KERNEL void difference_support_anew(Vertex* out, ConvexShape* a, ConvexShape* b,
                                    const mjtNum u[3]) {
  difference_of(out, a, b, u, 1);
}
