#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include <mujoco/api/base.h>

#include "collision/convex/shape.h"

// S(u) = (+-s_x, +-s_y, +-s_z) with the signs of u; they are the bits of the vertex's id.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum* s = shape->size;
  mjtNum l[3];
  shape_direction(l, shape, u);
  int id = (l[0] >= 0 ? 1 : 0) | (l[1] >= 0 ? 2 : 0) | (l[2] >= 0 ? 4 : 0);
  v3_set(l, id & 1 ? s[0] : -s[0], id & 2 ? s[1] : -s[1], id & 4 ? s[2] : -s[2]);
  shape_point(point, shape, l);
  return id;
}

// The face across the largest component of u; mirrored on the negative side, to keep its orientation.
static int face(mjtNum vertex[MAX_FACE_VERTICES][3], mjtNum normal[3], const ConvexShape* shape,
                const mjtNum u[3]) {
  static const mjtNum corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  int k = 0;
  for (int i = 1; i < 3; i++) {
    k = mju_abs(u[i]) > mju_abs(u[k]) ? i : k;
  }
  int i = (k + 1) % 3, j = (k + 2) % 3;
  mjtNum sign = u[k] >= 0 ? 1 : -1;
  v3_zero(normal);
  normal[k] = sign;
  for (int v = 0; v < 4; v++) {
    vertex[v][i] = sign * corner[v][0] * shape->size[i];
    vertex[v][j] = corner[v][1] * shape->size[j];
    vertex[v][k] = sign * shape->size[k];
  }
  return 4;
}

static int legacy(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const mjtNum* s = shape->size;
  mjtNum l[3];
  shape_direction(l, shape, u);
  v3_set(point, num_sign(l[0]) * s[0], num_sign(l[1]) * s[1], num_sign(l[2]) * s[2]);
  legacy_point(point, shape, point, l);
  return -1;
}

const ConvexKind convex_box = {
    .support = support, .legacy = legacy, .face = face, .has_vertices = 1};
