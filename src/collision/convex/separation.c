// Heights of both shapes along a direction, each in its own frame.

#include "collision/convex/separation.h"

#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "collision/broad/geom_box.h"

// After so many failures in a row a direction is tried only once in a while: hulls touch for good.
enum {
  MISSES = 4,
  IDLE = 15
};

// The height of a shape above its own centre along a direction: u in the world, l in its own frame.
// Returns 0 if it isn't known.
static int height(mjtNum* h, int* vertex, const ConvexShape* s, const mjtNum u[3],
                  const mjtNum l[3], mjtNum reach) {
  if (s->kind->has_memory) {
    *vertex = mesh_bound(h, s, l, *vertex, BOUND_ROUNDING * reach);
    return *vertex >= 0;
  }
  mjtNum point[3];
  s->kind->support(point, s, u);
  v3_subfrom(point, s->pos);
  *h = v3_dot(point, u);
  return 1;
}

// n . (p2 - p1) - h1(n) - h2(-n) > margin + slack
// Also search_gap in lanes/shapes/apart.h.
static int proves(Apart* slot, const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  const mjtNum longest = (mjtNum)1.0001;
  ConvexShape a, b;
  const mjtNum l1[3] = {slot->way[0], slot->way[1], slot->way[2]};
  if (!(v3_dot(l1, l1) < longest) || !convex_shape(&a, m, d, g1, 0) ||
      !convex_shape(&b, m, d, g2, 0)) {
    return 0;
  }
  mjtNum n[3], back[3], l2[3], gap[3], reach1 = m->geom_rbound[g1], reach2 = m->geom_rbound[g2];
  m3_mulv(n, a.mat, l1);
  v3_scl(back, n, -1);
  m3_tmulv(l2, b.mat, back);
  v3_sub(gap, b.pos, a.pos);
  mjtNum scale = reach1 + reach2;
  for (int k = 0; k < 3; k++) {
    scale += mju_abs(a.pos[k]) + mju_abs(b.pos[k]);
  }
  mjtNum h1, h2, need = margin + m->opt.ccd_tolerance + SURFACE_SLACK * scale;
  return height(&h1, slot->vertex, &a, n, l1, reach1) &&
         height(&h2, slot->vertex + 1, &b, back, l2, reach2) &&
         v3_dot(n, gap) - h1 - h2 > longest * need;
}

int is_still_apart(Apart* slot, const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  if (slot->geom[0] != g1 + 1 || slot->geom[1] != g2 + 1) {
    return 0;
  }
  if (slot->idle) {
    slot->idle--;
    return 0;
  }
  if (proves(slot, m, d, g1, g2, margin)) {
    slot->misses = 0;
    return 1;
  }
  slot->misses = (uint8_t)(slot->misses + (slot->misses < MISSES));
  slot->idle = slot->misses < MISSES ? 0 : IDLE;
  return 0;
}

void apart_keep(Apart* slot, const ConvexShape* a, const ConvexShape* b, int g1, int g2,
                const mjtNum way[3]) {
  mjtNum l[3];
  shape_direction(l, a, way);
  if (slot->geom[0] != g1 + 1 || slot->geom[1] != g2 + 1) {
    slot->misses = slot->idle = 0;
  }
  slot->geom[0] = g1 + 1;
  slot->geom[1] = g2 + 1;
  slot->vertex[0] = a->last;
  slot->vertex[1] = b->last;
  for (int k = 0; k < 3; k++) {
    slot->way[k] = (float)l[k];
  }
}
