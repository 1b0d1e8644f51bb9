// hull.c: extreme vertices of the hulls of meshes.

#include <string.h>

#include "model/derived/parts.h"

// A hull in mesh_graph: number of its vertices, number of faces, a number for each vertex, and then
// the id of each vertex in its mesh.
static void hull_extrema(int extreme[27], const float* vert, const int* graph) {
  int n = graph[0];
  const int* id = graph + 2 + n;
  for (int k = 0; k < 27; k++) {
    int i0 = k / 9 - 1, i1 = k / 3 % 3 - 1, i2 = k % 3 - 1;
    float x = (float)i0, y = (float)i1, z = (float)i2, best = 0;
    extreme[k] = 0;
    for (int i = 0; i < n; i++) {
      const float* v = vert + 3 * (size_t)id[i];
      float height = v[0] * x + v[1] * y + v[2] * z;
      if (!i || height > best) {
        best = height;
        extreme[k] = i;
      }
    }
  }
}

void write_extrema(mjModel* m) {
  for (int i = 0; i < m->nmesh; i++) {
    int graph = m->mesh_graphadr[i];
    int* extreme = m->mesh_extrema + 27 * (size_t)i;
    memset(extreme, 0, 27 * sizeof(int));
    if (graph >= 0) {
      hull_extrema(extreme, m->mesh_vert + 3 * (size_t)m->mesh_vertadr[i], m->mesh_graph + graph);
    }
  }
}
