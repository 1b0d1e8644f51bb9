// normal.c: computes missing normals, and indices of normals and texture coordinates. Sums are
// rounded to single precision after every term, in a fixed order, so that the bits are those of the
// reference.                                                   theory/model/meshes.md, Mesh normals
#include <math.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "compile/mesh/steps.h"

// A face is sharp at a vertex if the cosine between its normal and the vertex's mean normal is
// below this.
static const double sharp_cosine = 0.8;

static void normalize(float n[3]) {
  float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if ((double)length > mjMINVAL) {
    for (int k = 0; k < 3; k++) {
      n[k] /= length;
    }
  } else {
    n[0] = n[1] = 0;
    n[2] = 1;
  }
}

static void normalize_all(float* normal, int n) {
  for (size_t i = 0; i < (size_t)n; i++) {
    normalize(normal + 3 * i);
  }
}

// Sums the normals of each vertex's faces, weighted by area: of all faces, or of those that are
// sharp against the mean normals. Tiny faces don't count.
static float* sum_normals(const Mesh* mesh, const FaceNormal* facing, const float* mean) {
  size_t count = 3 * (size_t)mesh->nvert;
  float* sum = mesh_take(count, sizeof(float));
  memset(sum, 0, count * sizeof(float));
  for (int i = 0; i < mesh->nface; i++) {
    const int* f = mesh->face + 3 * (size_t)i;
    const double *n = facing[i].normal, length = facing[i].length;
    double weight = length * length < POSE_EPS ? 0 : length;
    for (int j = 0; j < 3; j++) {
      size_t adr = 3 * (size_t)f[j];
      const float* m = mean ? mean + adr : NULL;
      if (m && !(n[0] * m[0] + n[1] * m[1] + n[2] * m[2] < sharp_cosine)) {
        continue;
      }
      for (size_t k = 0; k < 3; k++) {
        sum[adr + k] = (float)(sum[adr + k] + n[k] * weight);
      }
    }
  }
  return sum;
}

static void make_normals(Mesh* mesh, const FaceNormal* facing, int smooth) {
  mesh->normal = sum_normals(mesh, facing, NULL);
  mesh->nnormal = mesh->nvert;

  // Subtract the sharp faces. Their sum is made separately in the same order, so that exactly 0 is
  // left if all faces are sharp.
  if (!smooth) {
    size_t count = 3 * (size_t)mesh->nvert;
    float* mean = mesh_copy(mesh->normal, count, sizeof(float));
    normalize_all(mean, mesh->nvert);
    float* away = sum_normals(mesh, facing, mean);
    for (size_t i = 0; i < count; i++) {
      mesh->normal[i] -= away[i];
    }
    heap_free(mean);
    heap_free(away);
  }
  normalize_all(mesh->normal, mesh->nvert);
}

void mesh_addnormals(Mesh* mesh, const FaceNormal* facing, int smooth) {
  size_t ncorner = 3 * (size_t)mesh->nface;
  if (mesh->nnormal == 0) {
    make_normals(mesh, facing, smooth);
  }
  if (!mesh->facenormal) {
    // the normals of a vertex are consecutive
    int stride = mesh->nnormal / mesh->nvert;
    mesh->facenormal = mesh_take(ncorner, sizeof(int));
    for (size_t i = 0; i < ncorner; i++) {
      mesh->facenormal[i] = stride * mesh->face[i];
    }
  }
  if (!mesh->facetexcoord && mesh->ntexcoord) {
    mesh->facetexcoord = mesh_copy(mesh->face, ncorner, sizeof(int));
  }
}
