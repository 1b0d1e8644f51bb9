// hulls.c: copies of the vertices of meshes, each with its table.

#include "lanes/shapes/hulls.h"

#include <mujoco/api/base.h>

#include "base/memory/memory.h"

// A band that covers that of colliders, with room for the rounding of directions and heights.
#define HULL_BAND ((mjtNum)1.01 * POINT_BAND / POINT_UNIT)

static SupportPoints* hull_make(const mjModel* m, int mesh) {
  static const mjtNum nowhere[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  ConvexShape shape;
  convex_placed(&shape, m, mjGEOM_MESH, mesh, nowhere + 1, nowhere + 1, nowhere, 0);
  int num = points_number(&shape);
  SupportPoints* points = num > 0 ? memory_take(points_bytes(num)) : NULL;
  if (points && points_fill(points, &shape)) {
    const int* id = mesh_is_climbed(&shape) ? shape.graph + 2 + num : NULL;
    points->table = support_table_make(shape.vert, id, num, HULL_BAND);
    if (points->table) {
      return points;
    }
  }
  mju_free(points);
  return NULL;
}

const SupportPoints** hulls_make(const mjModel* m, const mjtByte* used) {
  const SupportPoints** hulls =
      memory_take_zero((size_t)m->nmesh * sizeof(const SupportPoints*) + 1);
  for (int i = 0; hulls && i < m->nmesh; i++) {
    hulls[i] = used[i] ? hull_make(m, i) : NULL;
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
