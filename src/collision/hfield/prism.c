// The prism as a convex shape: its support function, and the vertices that a strip replaces.

#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include "collision/hfield/prism.h"

#include <mujoco/mjtnum.h>

// Support point among the three vertices on the side of u. They have no ids, so that a search that
// compares ids sees those of the other shape alone.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum(*v)[3] = ((const Prism*)shape)->vertex + (u[2] < 0 ? 0 : 3);
  int best = 0;
  mjtNum most = v3_dot(v[0], u);
  for (int i = 1; i < 3; i++) {
    mjtNum reach = v3_dot(v[i], u);
    if (reach > most) {
      most = reach;
      best = i;
    }
  }
  v3_copy(point, v[best]);
  return -1;
}

static const ConvexKind kind = {
    .support = support, .legacy = support, .has_vertices = 1, .is_part = 1};

void prism_init(Prism* p, mjtNum bottom) {
  *p = (Prism){.shape = {.kind = &kind, .last = -1}};
  m3_identity(p->shape.mat);
  for (int i = 0; i < 3; i++) {
    p->vertex[i][2] = bottom;
  }
}

void prism_add(Prism* p, mjtNum x, mjtNum y, mjtNum z) {
  for (int i = 0; i < 2; i++) {
    v3_copy(p->vertex[i], p->vertex[i + 1]);
    v3_copy(p->vertex[i + 3], p->vertex[i + 4]);
  }
  v3_set(p->vertex[2], x, y, p->vertex[2][2]);
  v3_set(p->vertex[5], x, y, z);
}

void prism_center(Prism* p) {
  v3_zero(p->shape.pos);
  for (int i = 0; i < 6; i++) {
    v3_addto(p->shape.pos, p->vertex[i]);
  }
  v3_scl(p->shape.pos, p->shape.pos, (mjtNum)1 / 6);
}
