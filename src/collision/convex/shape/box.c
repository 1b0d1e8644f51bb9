// Boxes: support points are corners; faces, edges and corners for manifolds.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/base.h>

#include "collision/convex/shape.h"

// Bit k of a corner's id is set on the positive side of axis k; faces are +x -x +y -y +z -z.
static void corner(mjtNum v[3], const ConvexShape* shape, int id) {
  const mjtNum* s = shape->size;
  v3_set(v, id & 1 ? s[0] : -s[0], id & 2 ? s[1] : -s[1], id & 4 ? s[2] : -s[2]);
}

// S(u) = (+-s_x, +-s_y, +-s_z) with the signs of u.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  mjtNum l[3];
  shape_direction(l, shape, u);
  int id = (l[0] >= 0 ? 1 : 0) | (l[1] >= 0 ? 2 : 0) | (l[2] >= 0 ? 4 : 0);
  corner(l, shape, id);
  shape_point(point, shape, l);
  return id;
}

static void normal(mjtNum n[3], const ConvexShape* shape, int face) {
  (void)shape;
  v3_zero(n);
  n[face / 2] = face % 2 ? -1 : 1;
}

// The faces that contain num corners: one for three corners of a face, two for an edge, three for a
// single corner. Diagonal corners share none; they get the face whose normal is u, if there is one.
static int faces(int face[MAX_FACETS], const ConvexShape* shape, const int* id, int num,
                 const mjtNum u[3]) {
  int differ = 0, count = 0;
  for (int i = 1; i < num; i++) {
    differ |= id[i] ^ id[0];
  }
  for (int k = 0; k < 3; k++) {
    if (!(differ >> k & 1)) {
      face[count++] = 2 * k + !(id[0] >> k & 1);
    }
  }
  if (count == 4 - num) {
    return count;
  }
  for (int f = 0; f < 6; f++) {
    mjtNum n[3];
    normal(n, shape, f);
    m3_mulv(n, shape->mat, n);
    if (v3_dot(n, u) > PARALLEL) {
      face[0] = f;
      return 1;
    }
  }
  return 0;
}

static int polygon(mjtNum vertex[MAX_FACETS][3], const ConvexShape* shape, int face) {
  static const int ids[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6},
                                {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
  for (int i = 0; i < 4; i++) {
    corner(vertex[i], shape, ids[face][i]);
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

static int ends(mjtNum end[MAX_FACETS][3], const ConvexShape* shape, int id) {
  for (int k = 0; k < 3; k++) {
    corner(end[k], shape, id ^ (1 << k));
  }
  return 3;
}

static int number(const ConvexShape* shape) {
  (void)shape;
  return 6;
}

static const Facets facets = {number, corner, faces, normal, polygon, ends, 8};
const ConvexKind convex_box = {
    .support = support, .legacy = legacy, .facets = &facets, .has_vertices = 1};
