// check.c: checks that must hold before anything is computed from a mesh.
//                                                               theory/model/meshes.md, Mesh checks
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "compile/mesh/steps.h"

// Copies a list of inline data: *out = copy of in[count].
static void take_list(void** out, const void* in, size_t count, size_t size) {
  if (count) {
    *out = mesh_copy(in, count, size);
  }
}

// Checks an array of inline data. Its length must be a multiple of `group`. The file must not have
// the same kind of data (infile).
static void check_list(const MeshRequest* request, const char* name, size_t count, size_t group,
                       int infile) {
  if (count % group != 0 || count > 0x7FFFFFFF) {
    mju_error("%s%s must be a multiple of %d", name, group == 2 ? "" : " data", (int)group);
  }
  if (count && infile && request->format != MESH_INLINE) {
    mju_error("repeated %s specification", name);
  }
}

void mesh_addinline(Mesh* mesh, const MeshRequest* request) {
  const mjsMesh* s = request->spec;
  const mjFloatVec *v = s->uservert, *n = s->usernormal, *t = s->usertexcoord;
  const mjIntVec *f = s->userface, *fn = s->userfacenormal, *ft = s->userfacetexcoord;
  check_list(request, "vertex", v->num, 3, mesh->nvert);
  check_list(request, "normal", n->num, 3, mesh->nnormal);
  check_list(request, "texcoord", t->num, 2, mesh->ntexcoord);
  check_list(request, "face", f->num, 3, mesh->nface);
  mesh->nvert = v->num ? (int)(v->num / 3) : mesh->nvert;
  mesh->nnormal = n->num ? (int)(n->num / 3) : mesh->nnormal;
  mesh->ntexcoord = t->num ? (int)(t->num / 2) : mesh->ntexcoord;
  mesh->nface = f->num ? (int)(f->num / 3) : mesh->nface;
  size_t ncorner = 3 * (size_t)mesh->nface;
  if (fn->num && mesh->facenormal) {
    mju_error("repeated facenormal specification");
  }
  if (ft->num && mesh->facetexcoord) {
    mju_error("repeated facetexcoord specification");
  }
  if (fn->num && fn->num != ncorner) {
    mju_error("face data must have the same size as face normal data");
  }
  if (ft->num && ft->num != ncorner) {
    mju_error("face data must have the same size as face texcoord data");
  }
  take_list((void**)&mesh->vert, v->ptr, v->num, sizeof(float));
  take_list((void**)&mesh->normal, n->ptr, n->num, sizeof(float));
  take_list((void**)&mesh->texcoord, t->ptr, t->num, sizeof(float));
  take_list((void**)&mesh->face, f->ptr, f->num, sizeof(int));
  take_list((void**)&mesh->facenormal, fn->ptr, fn->num, sizeof(int));
  take_list((void**)&mesh->facetexcoord, ft->ptr, ft->num, sizeof(int));
}

// Checks that indices are in [least, count).
static void check_indices(const Mesh* mesh, const int* index, int least, int count,
                          const char* what) {
  for (int i = 0; index && i < 3 * mesh->nface; i++) {
    if (index[i] < least || index[i] >= count) {
      mju_error("in face %d, %s index %d does not exist", i / 3, what, index[i]);
    }
  }
}

static void drop_unless(int** index, int count) {
  if (count == 0) {
    heap_free(*index);
    *index = NULL;
  }
}

static int compare_edges(const void* a, const void* b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

// Checks the orientation: if all triangles face outside, every edge is passed once in each
// direction. Triangles of almost no area don't count.
static void check_orientation(const Mesh* mesh, const MeshRequest* request) {
  const double least = 1e-15;
  size_t n = 0;
  uint64_t* edge = mesh_take(3 * (size_t)mesh->nface, sizeof(uint64_t));
  for (int i = 0; i < mesh->nface; i++) {
    const int* f = mesh->face + 3 * (size_t)i;
    if (mesh_facearea(mesh, f) > sqrt(least)) {
      for (int k = 0; k < 3; k++) {
        edge[n++] = (uint64_t)f[k] << 32 | (uint64_t)f[(k + 1) % 3];
      }
    }
  }
  qsort(edge, n, sizeof(uint64_t), compare_edges);
  for (size_t i = 1; i < n; i++) {
    if (edge[i] == edge[i - 1]) {
      mju_error(
          "faces of mesh '%s' have inconsistent orientation. Please check the faces "
          "containing the vertices %d and %d.",
          request->name, (int)(edge[i] >> 32) + 1, (int)(edge[i] & 0x7FFFFFFF) + 1);
    }
  }
  heap_free(edge);
}

void mesh_check(Mesh* mesh, const MeshRequest* request) {
  if (mesh->nvert < 4) {
    mju_error("at least 4 vertices required");
  }
  for (int i = 0; i < 3 * mesh->nvert; i++) {
    if (!isfinite(mesh->vert[i])) {
      mju_error("vertex coordinate %d is not finite", i / 3);
    }
  }
  if (mesh->ntexcoord && !mesh->facetexcoord && mesh->ntexcoord != mesh->nvert &&
      request->format != MESH_OBJ) {
    mju_error(
        "texcoord must be 2*nv if face texcoord indices are not provided in an OBJ "
        "file");
  }
  // drop indices of normals or texture coordinates if there are none of these
  drop_unless(&mesh->facenormal, mesh->nnormal);
  drop_unless(&mesh->facetexcoord, mesh->ntexcoord);
  check_indices(mesh, mesh->face, 0, mesh->nvert, "vertex");
  check_indices(mesh, mesh->facenormal, -1, mesh->nnormal, "normal");
  check_indices(mesh, mesh->facetexcoord, -1, mesh->ntexcoord, "texcoord");
  if (request->spec->inertia == mjMESH_INERTIA_EXACT) {
    check_orientation(mesh, request);
  }
}
