// context.c: helpers of all steps of making a mesh: memory, areas and normals of faces, merging of
// vertices.
#pragma STDC FP_CONTRACT OFF

#include "compile/mesh/context.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/mesh/triangle.h"

// largest size of an array of a mesh
static const size_t max_bytes = (size_t)1 << 30;

void* mesh_take(size_t count, size_t size) {
  size_t bytes;
  if (!size_multiply(&bytes, count, size) || bytes > max_bytes) {
    mju_error("mesh is too large");
  }
  return heap_take(bytes);
}

void* mesh_copy(const void* items, size_t count, size_t size) {
  return memcpy(mesh_take(count, size), items, count * size);
}

double mesh_cross(double out[3], const double a[3], const double b[3], const double c[3]) {
  double u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
  }
  pose_cross(out, u, v);
  return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

double mesh_facearea(const Mesh* mesh, const int face[3]) {
  double p[3][3], normal[3];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      p[i][k] = mesh->vert[3 * (size_t)face[i] + (size_t)k];
    }
  }
  return mesh_cross(normal, p[0], p[1], p[2]) / 2;
}

KERNEL static void find_normals(FaceNormal* out, const float* vert, const int* face, int nface) {
  const Four zero = {0}, least = zero + mjMINVAL;
  const Four x[3] = {zero + 1, zero, zero};
  for (int i = 0; i < nface; i += LANES) {
    Triangles t;
    Four cross[3], length, normal[3];
    TRIANGLES_GATHER(&t, vert, face, i, nface);
    triangles_cross(cross, &length, &t);
    FourMask is_small = length < least;
    for (int k = 0; k < 3; k++) {
      Four unit = cross[k] / length;
      four_choose(&normal[k], &is_small, &x[k], &unit);
    }
    for (int lane = 0; lane < LANES && i + lane < nface; lane++) {
      out[i + lane] =
          (FaceNormal){{normal[0][lane], normal[1][lane], normal[2][lane]}, length[lane]};
    }
  }
}

FaceNormal* mesh_facenormals(const Mesh* mesh, const int* face, int nface) {
  FaceNormal* out = mesh_take((size_t)nface, sizeof(FaceNormal));
  find_normals(out, mesh->vert, face, nface);
  return out;
}

typedef struct Place_ {
  const double* point;
  int id;
} Place;

static int compare_places(const void* x, const void* y) {
  const Place *a = x, *b = y;
  for (int k = 0; k < 3; k++) {
    if (a->point[k] != b->point[k]) {
      return a->point[k] < b->point[k] ? -1 : 1;
    }
  }
  return a->id - b->id;
}

void mesh_weld(int* same, const double* point, int n) {
  Place* place = heap_take(((size_t)n + 1) * sizeof(Place));
  for (int i = 0; i < n; i++) {
    place[i] = (Place){point + 3 * (size_t)i, i};
  }
  qsort(place, (size_t)n, sizeof(Place), compare_places);
  for (int i = 0, first = 0; i < n; i++) {
    const double *p = place[first].point, *q = place[i].point;
    if (p[0] != q[0] || p[1] != q[1] || p[2] != q[2]) {
      first = i;
    }
    same[place[i].id] = place[first].id;
  }
  heap_free(place);
}
