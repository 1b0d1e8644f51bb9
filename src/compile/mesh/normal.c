// Normals where none are given, and indices of normals and texture coordinates. Sums are rounded to
// single precision after every term: with the order of operations kept, other programs find the same
// bits.                                                              theory/meshes.md, Mesh normals
#include <math.h>
#include <mujoco/mjmodel.h>
#include <string.h>

#include "base/memory.h"
#include "compile/mesh/mesh.h"

// A face bends away from its vertex's mean normal if their cosine is below this.
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

// Adds a face's normal, weighted by area, to the sum of one of its vertices.
static void add_weighted(float sum[3], const double normal[3], double weight) {
  for (int k = 0; k < 3; k++) {
    sum[k] = (float)(sum[k] + normal[k] * weight);
  }
}

// Takes away from every vertex's sum the faces that bend away from it. They are summed up on their
// own, in the same order: where all of them bend away exactly nothing is left.
static void take_sharp(Mesh* mesh) {
  size_t count = 3 * (size_t)mesh->nvert;
  float* mean = mesh_copy(mesh->normal, count, sizeof(float));
  float* away = mesh_take(count, sizeof(float));
  memset(away, 0, count * sizeof(float));
  for (int i = 0; i < mesh->nvert; i++) {
    normalize(mean + 3 * (size_t)i);
  }
  for (int i = 0; i < mesh->nface; i++) {
    double n[3], weight = mesh_facenormal(n, mesh, mesh->face + 3 * (size_t)i);
    for (int j = 0; j < 3; j++) {
      size_t adr = 3 * (size_t)mesh->face[3 * (size_t)i + (size_t)j];
      double cosine = n[0] * mean[adr] + n[1] * mean[adr + 1] + n[2] * mean[adr + 2];
      if (cosine < sharp_cosine) {
        add_weighted(away + adr, n, weight);
      }
    }
  }
  for (size_t i = 0; i < count; i++) {
    mesh->normal[i] -= away[i];
  }
  heap_free(mean);
  heap_free(away);
}

static void make_normals(Mesh* mesh, int smooth) {
  size_t count = 3 * (size_t)mesh->nvert;
  mesh->normal = mesh_take(count, sizeof(float));
  mesh->nnormal = mesh->nvert;
  memset(mesh->normal, 0, count * sizeof(float));
  for (int i = 0; i < mesh->nface; i++) {
    double n[3], weight = mesh_facenormal(n, mesh, mesh->face + 3 * (size_t)i);
    for (int j = 0; j < 3; j++) {
      add_weighted(mesh->normal + 3 * (size_t)mesh->face[3 * (size_t)i + (size_t)j], n, weight);
    }
  }
  if (!smooth) {
    take_sharp(mesh);
  }
  for (int i = 0; i < mesh->nvert; i++) {
    normalize(mesh->normal + 3 * (size_t)i);
  }
}

void mesh_addnormals(Mesh* mesh, int smooth) {
  size_t ncorner = 3 * (size_t)mesh->nface;
  if (mesh->nnormal == 0) {
    make_normals(mesh, smooth);
  }
  if (!mesh->facenormal) {
    // several normals per vertex stand together
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
