// hulls.c: copies of the vertices of meshes, each with its table.

#include "lanes/setup/hulls.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"

#include "base/memory/memory.h"

// A band that covers that of colliders, with room for the rounding of directions and heights.
#define HULL_BAND ((mjtNum)1.01 * POINT_BAND / POINT_UNIT)

// The corners of a hull's face.
static void face_corners_of(mjtNum x[3][3], const ConvexShape* s, const int* face) {
  for (int k = 0; k < 3; k++) {
    mesh_point(x[k], s, face[k]);
  }
}

// The other corner of the face on the left of the edge from vertex `to` back to `from`; -1 if there
// is none.
static int beyond_edge(const int* face, const int* first, const int* next, int from, int to) {
  for (int i = first[to]; i >= 0; i = next[i]) {
    const int* f = face + 3 * (i / 3);
    if (f[(i + 1) % 3] == from) {
      return f[(i + 2) % 3];
    }
  }
  return -1;
}

// Marks the directions along which a climb may miss the highest vertex. Two faces make a dent if
// the far corner of one is not clearly below the plane of the other:
//
//   n . (x - p) > -tie |n|,   the dent's angle: (n . (x - p) / |n|) / (height of x above the edge)
//
// Returns 0 if memory is out.
static int mark_dents(SupportTable* table, const ConvexShape* s, mjtNum size) {
  const mjtNum tie = (mjtNum)1e-12 * size, least = (mjtNum)1e-3;
  const int nvert = s->graph[0], nface = s->graph[1], *face = s->graph + 2 + 3 * nvert + 3 * nface;
  int* first = memory_take((size_t)(s->nvert + 3 * nface) * sizeof(int));
  if (!first) {
    return 0;
  }
  int* next = first + s->nvert;  // the face corners at each vertex
  for (int i = 0; i < s->nvert; i++) {
    first[i] = -1;
  }
  for (int i = 0; i < 3 * nface; i++) {
    next[i] = first[face[i]];
    first[face[i]] = i;
  }
  for (int f = 0; f < nface; f++) {
    mjtNum x[3][3], e[2][3], n[3];
    face_corners_of(x, s, face + 3 * f);
    v3_sub(e[0], x[1], x[0]);
    v3_sub(e[1], x[2], x[0]);
    v3_cross(n, e[0], e[1]);
    v3_normalize(n);
    for (int k = 0; k < 3; k++) {
      int from = face[3 * f + k], to = face[3 * f + (k + 1) % 3];
      int far = beyond_edge(face, first, next, from, to);
      mjtNum p[3] = {0, 0, 0}, along[3], across[3], rise = size;
      if (far >= 0) {
        mesh_point(p, s, far);
        v3_subfrom(p, x[k]);
        rise = v3_dot(p, n);
      }
      if (!(rise > -tie)) {
        continue;
      }
      v3_sub(along, x[(k + 1) % 3], x[k]);
      v3_cross(across, along, p);
      mjtNum height = far >= 0 ? v3_norm(across) / num_max(v3_norm(along), mjMINVAL) : 0;
      mjtNum angle = height > 0 ? 30 * mju_abs(rise) / height : 1;
      support_table_dent(table, n, num_max(least, num_min(angle, 1)));
    }
  }
  mju_free(first);
  return 1;
}

static SupportPoints* tabled_hull(const mjModel* m, int mesh) {
  static const mjtNum nowhere[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  ConvexShape shape;
  convex_placed(&shape, m, mjGEOM_MESH, mesh, nowhere + 1, nowhere + 1, nowhere, 0);
  int num = points_number(&shape);
  SupportPoints* points = num > 0 ? memory_take(points_bytes(num)) : NULL;
  if (points && points_fill(points, &shape)) {
    const int* id = mesh_is_climbed(&shape) ? shape.graph + 2 + num : NULL;
    SupportTable* table = support_table_make(shape.vert, id, num, HULL_BAND);
    mjtNum size = POINT_UNIT / (mjtNum)points->scale;
    points->table = table;
    if (table && (!id || mark_dents(table, &shape, size))) {
      return points;
    }
    mju_free(table);
  }
  mju_free(points);
  return NULL;
}

const SupportPoints** hulls_make(const mjModel* m, const mjtByte* used) {
  const SupportPoints** hulls =
      memory_take_zero((size_t)m->nmesh * sizeof(const SupportPoints*) + 1);
  for (int i = 0; hulls && i < m->nmesh; i++) {
    hulls[i] = used[i] ? tabled_hull(m, i) : NULL;
  }
  return hulls;
}

void hulls_free(const SupportPoints** hulls, int nmesh) {
  for (int i = 0; hulls && i < nmesh; i++) {
    if (hulls[i]) {
      mju_free((void*)hulls[i]->table);
      mju_free((void*)hulls[i]);
    }
  }
  mju_free((void*)hulls);
}
