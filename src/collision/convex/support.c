// Support points of shapes and of A - B, from copied mesh vertices where one is clearly the
// highest.

// Compile with -fno-loop-unroll-and-jam (release): joined blocks would no longer be processed with
// one instruction for all lanes of a block.
#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/support.h"

#include "collision/convex/shape/summit.h"
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

// The next support on a trail: the vertex that is clearly the highest or in which each climb ends;
// if there is none, a climb decides.
KERNEL static int support_on_trail(mjtNum point[3], ConvexShape* s, const mjtNum u[3]) {
  uint16_t* place = s->trail;
  s->trail = --s->trail_left > 0 ? place + 2 : NULL;
  int id = SUMMIT_WIDE;
  if (!(*place & TRAIL_CLIMB)) {
    mjtNum l[3];
    shape_direction(l, s, u);
    if (s->points) {
      const int top = points_top(s->points, l);
      id = top >= 0 ? top : SUMMIT_WIDE;
    } else {
      id = summit_support(s, l, *place == TRAIL_NEW ? s->last : *place);
    }
    if (id >= 0) {
      mesh_vertex(l, s, id);
      shape_point(point, s, l);
    }
  }
  const int climbs = id == SUMMIT_WIDE ? TRAIL_CLIMB : 0;
  if (id < 0) {
    s->is_missed |= s->last == LAST_SKIPPED;
    id = s->kind->support(point, s, u);
  }
  *place = (uint16_t)(id | climbs);
  s->last = id;
  return id;
}

static int support_near(mjtNum point[3], ConvexShape* s, const mjtNum u[3], int near) {
  mjtNum l[3];
  shape_direction(l, s, u);
  s->last = summit_highest(s, l, near);
  mesh_vertex(l, s, s->last);
  shape_point(point, s, l);
  return s->last;
}

INLINE void put_difference(Vertex* out, const mjtNum a[3], const mjtNum b[3]) {
  v3_sub(out->w, a, b);
  v3_copy(out->a, a);
  v3_copy(out->b, b);
}

INLINE void difference_of(Vertex* out, ConvexShape* a, ConvexShape* b, const mjtNum u[3],
                          int anew) {
  mjtNum back[3], on_a[3], on_b[3];
  v3_scl(back, u, -1);
  out->ia = !anew && a->trail ? support_on_trail(on_a, a, u) : support_of(on_a, a, u, anew);
  out->ib = !anew && b->trail ? support_on_trail(on_b, b, back) : support_of(on_b, b, back, anew);
  put_difference(out, on_a, on_b);
}

KERNEL void difference_support(Vertex* out, ConvexShape* a, ConvexShape* b, const mjtNum u[3]) {
  difference_of(out, a, b, u, 0);
}

KERNEL void difference_support_anew(Vertex* out, ConvexShape* a, ConvexShape* b,
                                    const mjtNum u[3]) {
  difference_of(out, a, b, u, 1);
}

KERNEL void difference_support_near(Vertex* out, ConvexShape* a, ConvexShape* b, const mjtNum u[3],
                                    int near_a, int near_b) {
  mjtNum back[3], on_a[3], on_b[3];
  v3_scl(back, u, -1);
  out->ia = mesh_is_walked(a) ? support_near(on_a, a, u, near_a) : support_of(on_a, a, u, 1);
  out->ib = mesh_is_walked(b) ? support_near(on_b, b, back, near_b) : support_of(on_b, b, back, 1);
  put_difference(out, on_a, on_b);
}
