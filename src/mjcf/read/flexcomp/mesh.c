// mesh.c: makes flexes from triangle meshes. Faces become triangles, or tetrahedra with a common
// apex inside.
#include <mujoco/api/base.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/mesh/steps.h"
#include "mjcf/read/flexcomp/flexcomp.h"
#include "spec/vector.h"

// A file that is read under error_catch, because its reader ends in mju_error on problems.
typedef struct MeshFile_ {
  MeshRequest request;
  Mesh mesh;
} MeshFile;

static void read_file(void* argument) {
  MeshFile* file = argument;
  (file->request.format == MESH_STL ? mesh_readstl : mesh_readobj)(&file->mesh, &file->request);
}

static void free_mesh(Mesh* mesh) {
  heap_free(mesh->vert);
  heap_free(mesh->normal);
  heap_free(mesh->texcoord);
  heap_free(mesh->face);
  heap_free(mesh->facenormal);
  heap_free(mesh->facetexcoord);
}

// Adds the vertices as points, merging those at the same place. place[i] becomes the index of
// vertex i's point.
static void add_points(Flexcomp* comp, const Mesh* mesh, int* place) {
  size_t n = (size_t)mesh->nvert;
  double* vertex = heap_take(3 * n * sizeof(double));
  int* same = heap_take(n * sizeof(int));
  for (size_t i = 0; i < 3 * n; i++) {
    vertex[i] = mesh->vert[i];
  }
  mesh_weld(same, vertex, mesh->nvert);
  for (size_t i = 0; i < n; i++) {
    if (same[i] == (int)i) {
      place[i] = (int)(comp->point.num / 3);
      flexcomp_addpoint(comp, vertex[3 * i], vertex[3 * i + 1], vertex[3 * i + 2]);
    } else {
      place[i] = place[same[i]];
    }
  }
  heap_free(same);
  heap_free(vertex);
}

int flexcomp_issolid(const Flexcomp* comp, const int vertex[4]) {
  const double* o = comp->point.ptr;
  double side[3][3], normal[3];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      side[i][k] = o[3 * (size_t)vertex[i + 1] + (size_t)k] - o[k];
    }
  }
  pose_cross(normal, side[0], side[1]);
  return normal[0] * side[2][0] + normal[1] * side[2][1] + normal[2] * side[2][2] >= mjMINVAL;
}

static void add_faces(Flexcomp* comp, const Mesh* mesh, const int* place) {
  for (int f = 0; f < mesh->nface; f++) {
    const int* face = mesh->face + 3 * (size_t)f;
    const int vertex[4] = {0, place[face[0]], place[face[1]], place[face[2]]};
    if (comp->dim == 2) {
      flexcomp_addelement(comp, vertex + 1, 3);
    } else if (flexcomp_issolid(comp, vertex)) {
      flexcomp_addelement(comp, vertex, 4);
    }
  }
}

void flexcomp_addtexture(Flexcomp* comp, const Mesh* mesh) {
  if (!mesh->ntexcoord || !mesh->facetexcoord) {
    return;
  }
  comp->texcoord.num = comp->elemtexcoord.num = 0;
  size_t n = 2 * (size_t)mesh->ntexcoord, corners = 3 * (size_t)mesh->nface;
  memcpy(floats_push(&comp->texcoord, n), mesh->texcoord, n * sizeof(float));
  memcpy(ints_push(&comp->elemtexcoord, corners), mesh->facetexcoord, corners * sizeof(int));
}

static int check_mesh(const Mesh* mesh, char* error, size_t error_size) {
  int good = mesh->nvert > 0 && mesh->nface > 0 && mesh->nvert <= FLEXCOMP_MAX;
  for (size_t i = 0; good && i < 3 * (size_t)mesh->nface; i++) {
    good = mesh->face[i] >= 0 && mesh->face[i] < mesh->nvert;
  }
  for (size_t i = 0; good && i < 3 * (size_t)mesh->nvert; i++) {
    good = mesh->vert[i] - mesh->vert[i] == 0;  // finite
  }
  if (!good) {
    snprintf(error, error_size, "mesh has no faces, or they name vertices that it doesn't have");
  }
  return good;
}

int flexcomp_mesh(Flexcomp* comp, const char* file, const char* bytes, size_t size, char* error,
                  size_t error_size) {
  char type[64];
  const mjString none = {0};
  asset_type(type, &none, file);
  int stl = !strcmp(type, "model/stl");
  if (!stl && strcmp(type, "model/obj") != 0) {
    snprintf(error, error_size, "the file is neither STL nor OBJ");
    return 0;
  }
  AssetFile content = {.bytes = (char*)(uintptr_t)bytes, .size = size};
  path_show(content.shown, file);
  MeshFile reading = {.request = {.file = &content, .format = stl ? MESH_STL : MESH_OBJ}};
  int good = !error_catch(error, (int)error_size, read_file, &reading);
  good = good && check_mesh(&reading.mesh, error, error_size);
  if (good) {
    int* place = heap_take((size_t)reading.mesh.nvert * sizeof(int));
    if (comp->dim == 3) {
      flexcomp_addpoint(comp, comp->origin[0], comp->origin[1], comp->origin[2]);
    }
    add_points(comp, &reading.mesh, place);
    add_faces(comp, &reading.mesh, place);
    flexcomp_addtexture(comp, &reading.mesh);
    heap_free(place);
    free_mesh(&reading.mesh);
  }
  return good;
}
