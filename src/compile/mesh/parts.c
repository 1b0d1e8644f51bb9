// parts.c: reads the formats of other tools by src/meshfile, as one mesh of all parts.
//
// The reference has none of these formats. Corners at the same place become one vertex, so that the
// mesh is as closed as its maker has drawn it; normals and texture coordinates keep their own
// indices. Normals count only where every part has them.
#include <mujoco/api/base.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory/memory.h"
#include "compile/mesh/steps.h"
#include "meshfile/meshfile.h"
#include "meshfile/weld.h"
#include "model/files/resource.h"

static const char* extension_of(MeshFormat format) {
  return format == MESH_COLLADA ? ".dae"
         : format == MESH_GLTF  ? ".gltf"
         : format == MESH_GLB   ? ".glb"
                                : ".ply";
}

// Reads a file whose name is relative to the mesh file.
static char* read_beside(const AssetFile* file, const char* name, size_t* size) {
  char reason[200];
  int length = path_dirlength(file->name);
  char* directory = heap_take((size_t)length + 1);
  memcpy(directory, file->name, (size_t)length);
  directory[length] = 0;
  char* path = resource_path(directory, name);
  char* bytes =
      path ? resource_read(size, file->vfs, file->directory, path, reason, sizeof(reason)) : NULL;
  heap_free(directory);
  heap_free(path);
  return bytes;
}

static int give_beside(void* user, const char* name, const void** bytes, size_t* size) {
  *bytes = read_beside(user, name, size);
  return *bytes != NULL;
}

// The numbers of all parts together.
static void count_parts(Mesh* mesh, const MeshFile* file) {
  int has_normals = 1, has_texcoords = 0;
  for (int i = 0; i < file->npart; i++) {
    has_normals &= file->part[i].normal != NULL;
    has_texcoords |= file->part[i].texcoord != NULL;
    mesh->nvert += file->part[i].nvert;
    mesh->nface += file->part[i].nface;
  }
  mesh->nnormal = has_normals ? mesh->nvert : 0;
  mesh->ntexcoord = has_texcoords ? mesh->nvert : 0;
}

static void copy_parts(Mesh* mesh, const MeshFile* file) {
  size_t nvert = 0, nface = 0;
  for (int i = 0; i < file->npart; i++) {
    const MeshPart* part = &file->part[i];
    size_t n = (size_t)part->nvert;
    memcpy(mesh->vert + 3 * nvert, part->vert, 3 * n * sizeof(float));
    if (mesh->nnormal) {
      memcpy(mesh->normal + 3 * nvert, part->normal, 3 * n * sizeof(float));
    }
    // images are stored with the top row first; parts without coordinates have zeros
    for (size_t k = 0; part->texcoord && k < n; k++) {
      mesh->texcoord[2 * (nvert + k)] = part->texcoord[2 * k];
      mesh->texcoord[2 * (nvert + k) + 1] = 1 - part->texcoord[2 * k + 1];
    }
    for (size_t k = 0; k < 3 * (size_t)part->nface; k++) {
      mesh->face[3 * nface + k] = part->face[k] + (int)nvert;
    }
    nvert += n;
    nface += (size_t)part->nface;
  }
}

// Joins vertices at the same place.
static void weld(Mesh* mesh) {
  int* vertex = mesh_take((size_t)mesh->nvert, sizeof(int));
  mesh->nvert = weld_points(vertex, mesh->vert, (size_t)mesh->nvert);
  for (size_t i = 0; i < 3 * (size_t)mesh->nface; i++) {
    mesh->face[i] = vertex[mesh->face[i]];
  }
  heap_free(vertex);
}

void mesh_readparts(Mesh* mesh, const MeshRequest* request) {
  const AssetFile* asset = request->file;
  const char *extension = extension_of(request->format), *dot = strrchr(asset->shown, '.');
  int is_named = dot && strcasecmp(dot, extension) == 0;
  char name[PATH_SHOWN + 8], error[300];
  snprintf(name, sizeof(name), "%s%s", asset->shown, is_named ? "" : extension);
  const MeshFileAccess access = {give_beside, (void*)asset};
  MeshFile* file = meshfile_read(name, asset->bytes, asset->size, &access, error, sizeof(error));
  if (!file) {
    mju_error("%s", error);
  }
  if (!file->npart) {
    mju_error("%s: the file has no triangles", name);
  }
  count_parts(mesh, file);
  size_t ncorner = 3 * (size_t)mesh->nface;
  mesh->vert = mesh_take(3 * (size_t)mesh->nvert, sizeof(float));
  mesh->normal = mesh->nnormal ? mesh_take(3 * (size_t)mesh->nnormal, sizeof(float)) : NULL;
  mesh->texcoord = mesh->ntexcoord ? heap_zero(2 * (size_t)mesh->ntexcoord, sizeof(float)) : NULL;
  mesh->face = mesh_take(ncorner, sizeof(int));
  copy_parts(mesh, file);
  meshfile_free(file);
  mesh->facenormal = mesh->nnormal ? mesh_copy(mesh->face, ncorner, sizeof(int)) : NULL;
  mesh->facetexcoord = mesh->ntexcoord ? mesh_copy(mesh->face, ncorner, sizeof(int)) : NULL;
  weld(mesh);
}

typedef struct Keying_ {
  Digest* key;
  const AssetFile* file;
} Keying;

static void add_other(void* user, const char* name) {
  const Keying* keying = user;
  size_t size;
  char* bytes = read_beside(keying->file, name, &size);
  digest_add(keying->key, name, strlen(name));
  digest_add(keying->key, bytes ? bytes : "", bytes ? size : 0);
  heap_free(bytes);
}

void mesh_keyothers(Digest* key, const MeshRequest* request) {
  const AssetFile* file = request->file;
  int is_gltf = request->format == MESH_GLTF || request->format == MESH_GLB;
  if (is_gltf && file->bytes) {
    Keying keying = {key, file};
    meshfile_others(extension_of(request->format), file->bytes, file->size, 0, add_other, &keying);
  }
}
