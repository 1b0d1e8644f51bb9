// msh.c: reads MSH, MuJoCo's own binary mesh format, kept for old models.
//
//   int32 nvertex, nnormal, ntexcoord, nface
//   float vertex[3 nvertex], normal[3 nnormal], texcoord[2 ntexcoord];  int32 face[3 nface]
#include <mujoco/api/base.h>
#include <stdint.h>
#include <string.h>

#include "compile/mesh/steps.h"

// Copies the next `count` items of the file and advances *cursor.
static void* copy_items(const char** cursor, size_t count, size_t size) {
  void* items = mesh_copy(*cursor, count, size);
  *cursor += count * size;
  return items;
}

void mesh_readmsh(Mesh* mesh, const MeshRequest* request) {
  int32_t n[4];
  if (request->file->size == 0) {
    mju_error("MSH file '%s' is empty", request->file->shown);
  }
  if (request->file->size < sizeof(n)) {
    mju_error("missing header in MSH file '%s'", request->file->shown);
  }
  memcpy(n, request->file->bytes, sizeof(n));
  int nvert = n[0], nnormal = n[1], ntexcoord = n[2], nface = n[3];
  if (nvert < 4 || nface < 0 || nnormal < 0 || ntexcoord < 0 || (nnormal > 0 && nnormal != nvert) ||
      (ntexcoord > 0 && ntexcoord != nvert)) {
    mju_error("invalid sizes in MSH file '%s'", request->file->shown);
  }
  uint64_t words = 4 + 3 * (uint64_t)nvert + 3 * (uint64_t)nnormal + 2 * (uint64_t)ntexcoord +
                   3 * (uint64_t)nface;
  if (4 * words > INT32_MAX) {
    mju_error("too large sizes in MSH file '%s'.", request->file->shown);
  }
  if (request->file->size != 4 * words) {
    mju_error("unexpected file size in MSH file '%s'", request->file->shown);
  }

  const char* cursor = request->file->bytes + sizeof(n);
  mesh->nvert = nvert;
  mesh->nnormal = nnormal;
  mesh->ntexcoord = ntexcoord;
  mesh->nface = nface;
  mesh->vert = copy_items(&cursor, 3 * (size_t)nvert, sizeof(float));
  mesh->normal = nnormal ? copy_items(&cursor, 3 * (size_t)nnormal, sizeof(float)) : NULL;
  mesh->texcoord = ntexcoord ? copy_items(&cursor, 2 * (size_t)ntexcoord, sizeof(float)) : NULL;
  mesh->face = nface ? copy_items(&cursor, 3 * (size_t)nface, sizeof(int)) : NULL;

  // the vertex indices of faces are also those of normals and texture coordinates
  size_t ncorner = 3 * (size_t)nface;
  mesh->facenormal = nface && nnormal ? mesh_copy(mesh->face, ncorner, sizeof(int)) : NULL;
  mesh->facetexcoord = nface && ntexcoord ? mesh_copy(mesh->face, ncorner, sizeof(int)) : NULL;
}
