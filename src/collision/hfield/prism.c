// Prisms of a height field: the convex shape under each triangle, and a search near a point.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/hfield/prism.h"

#include <mujoco/mjtnum.h>

// The support point is one of the three bottom or three top vertices. Its id is -1 (none): searches
// that compare ids of vertices then compare those of the other shape only.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum(*v)[3] = ((const Prism*)shape)->vertex + (u[2] < 0 ? 0 : 3);
  int best = 0;
  mjtNum largest = v3_dot(v[0], u);
  for (int i = 1; i < 3; i++) {
    mjtNum height = v3_dot(v[i], u);
    if (height > largest) {
      largest = height;
      best = i;
    }
  }
  v3_copy(point, v[best]);
  return -1;
}

// The same, inflated.
static int inflated(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  int id = support(point, shape, u);
  v3_addtoscl(point, u, (mjtNum)0.5 * shape->margin);
  return id;
}

static const ConvexKind kind = {
    .support = support, .legacy = inflated, .has_vertices = 1, .is_part = 1};

void prism_init(Prism* p, const HfieldGrid* g) {
  *p = (Prism){.shape = {.kind = &kind, .last = -1}};
  m3_identity(p->shape.mat);
  for (int i = 0; i < 3; i++) {
    p->vertex[i][2] = -g->size[3];
  }
}

void prism_add(Prism* p, const HfieldGrid* g, int row, int k, mjtNum raise) {
  mjtNum top[3];
  for (int i = 0; i < 2; i++) {
    v3_copy(p->vertex[i], p->vertex[i + 1]);
    v3_copy(p->vertex[i + 3], p->vertex[i + 4]);
  }
  hfield_sample(top, g, k / 2, k % 2 ? row : row + 1);
  v3_set(p->vertex[2], top[0], top[1], p->vertex[2][2]);
  v3_set(p->vertex[5], top[0], top[1], top[2] + raise);
}

void prism_center(Prism* p) {
  v3_zero(p->shape.pos);
  for (int i = 0; i < 6; i++) {
    v3_addto(p->shape.pos, p->vertex[i]);
  }
  v3_scl(p->shape.pos, p->shape.pos, (mjtNum)1 / 6);
}

int prism_find(const HfieldGrid* g, const mjtNum point[3], mjtNum raise, PrismTest* test,
               void* context) {
  int cell[2];
  for (int k = 0; k < 2; k++) {
    cell[k] = hfield_cell(g, k, hfield_coordinate(g, k, point[k]));
  }
  for (int row = int_max(cell[1] - 1, 0); row <= int_min(cell[1] + 1, g->num[1] - 2); row++) {
    for (int col = int_max(cell[0] - 1, 0); col <= int_min(cell[0] + 1, g->num[0] - 2); col++) {
      Prism prism;
      prism_init(&prism, g);
      for (int k = 0; k < 4; k++) {
        prism_add(&prism, g, row, 2 * col + k, raise);
        if (k >= 2 && test(context, &prism)) {
          return 1;
        }
      }
    }
  }
  return 0;
}
