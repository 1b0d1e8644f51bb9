// A mesh as a signed distance field.
#include <math.h>
#include <mujoco/mjtnum.h>

#include "base/memory.h"
#include "compile/mesh/mesh.h"
#include "compile/mesh/octree.h"
#include "compile/mesh/signed_distance.h"

// Distances at the corners of all cells. In order of their depth, so that the ends of a side are
// known before a corner hangs on it.
static void set_coefficients(Mesh* mesh, double* value, const Octree* tree,
                             const SignedDistance* surface) {
  for (int depth = 0; depth <= OCT_DEPTH; depth++) {
    for (int i = 0; i < mesh->noct; i++) {
      for (int slot = 0; slot < 8 && mesh->octdepth[i] == depth; slot++) {
        int corner = octree_corner(tree, i, slot), end[4];
        if (isnan(value[corner])) {
          int n = octree_ends(end, tree, corner);
          double p[3], sum = 0;
          for (int k = 0; k < n; k++) {
            sum += value[end[k]];
          }
          octree_point(p, tree, corner);
          value[corner] = n ? sum / n : distance_at(surface, p);
        }
        mesh->octcoeff[8 * (size_t)i + (size_t)slot] = (mjtNum)value[corner];
      }
    }
  }
}

static void write_cells(Mesh* mesh, const Octree* tree) {
  size_t n = (size_t)octree_count(tree);
  mesh->octdepth = mesh_take(n, sizeof(int));
  mesh->octchild = mesh_take(8 * n, sizeof(int));
  mesh->octaabb = mesh_take(6 * n, sizeof(mjtNum));
  mesh->octcoeff = mesh_take(8 * n, sizeof(mjtNum));
  mesh->noct = (int)n;
  for (size_t i = 0; i < n; i++) {
    int child;
    double aabb[6];
    octree_cell(&mesh->octdepth[i], &child, aabb, tree, (int)i);
    for (size_t k = 0; k < 8; k++) {
      mesh->octchild[8 * i + k] = child < 0 ? -1 : child + (int)k;
    }
    for (size_t k = 0; k < 6; k++) {
      mesh->octaabb[6 * i + k] = (mjtNum)aabb[k];
    }
  }
}

void mesh_addoctree(Mesh* mesh, const double* point) {
  BvhNodes nodes = {mesh->bvhdepth, mesh->bvhchild, mesh->bvhnodeid, mesh->bvhaabb};
  Octree* tree = octree_make(point, mesh->face, mesh->nface, mesh->lower, mesh->upper);
  SignedDistance* surface = distance_make(point, mesh->nvert, mesh->face, mesh->nface, nodes);
  double* value = heap_take(OCT_NCORNER * sizeof(double));
  write_cells(mesh, tree);
  for (int i = 0; i < OCT_NCORNER; i++) {
    value[i] = NAN;
  }
  set_coefficients(mesh, value, tree, surface);
  octree_free(tree);
  distance_free(surface);
  heap_free(value);
}
