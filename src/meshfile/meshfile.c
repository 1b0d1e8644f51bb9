// meshfile.c: chooses the reader of a file, and catches its errors.

#include "meshfile/meshfile.h"

#include <mujoco/api/base.h>
#include <string.h>
#include <strings.h>

#include "base/memory/error.h"
#include "meshfile/build.h"
#include "meshfile/formats.h"

enum {
  MOST_TRIANGLES = 50000000,
  ALWAYS_TRIANGLES = 2000000,  // that any file may make by instancing
  MOST_NODES = 500000,         // visited
};

static const struct {
  const char* extension;
  void (*read)(MeshBuild* build);
} formats[] = {
    {".dae", collada_read}, {".gltf", gltf_read}, {".glb", glb_read},
    {".ply", ply_read},     {".stl", stl_read},   {".obj", obj_read},
};

enum {
  NFORMAT = sizeof(formats) / sizeof(formats[0])
};

static int find_format(const char* extension) {
  int i = 0;
  while (i < NFORMAT && strcasecmp(extension, formats[i].extension) != 0) {
    i++;
  }
  return i;
}

char* meshfile_path(const char* text, size_t length) {
  return build_path(text, length);
}

const char* meshfile_extensions(void) {
  return ".dae .gltf .glb .ply .stl .obj";
}

// The blocks of a reader are in `scratch`, so that nothing is left of them when it is done.
typedef struct Request_ {
  MeshBuild build;
  Heap scratch;
} Request;

static void keep(void* item, void* owner) {
  if (item) {
    heap_follow(item, owner);
  }
}

// Moves the blocks of a file, but its first one, to the heap of an owner.
static void keep_contents(MeshFile* file, void* owner) {
  for (int i = 0; i < file->npart && !file->is_packed; i++) {
    MeshPart* part = &file->part[i];
    void* items[] = {part->vert, part->normal, part->texcoord, part->face, part->name};
    for (size_t k = 0; k < sizeof(items) / sizeof(items[0]); k++) {
      keep(items[k], owner);
    }
  }
  for (int i = 0; i < file->nmaterial && !file->is_packed; i++) {
    keep(file->material[i].name, owner);
    keep(file->material[i].texture, owner);
    keep(file->material[i].image, owner);
  }
  keep(file->part, owner);
  keep(file->material, owner);
}

void meshfile_follow(MeshFile* file, void* owner) {
  keep_contents(file, owner);
  heap_follow(file, owner);
}

static void read_text(MeshBuild* build, int format) {
  // a file can't hold more triangles than bytes; the rest is for instances
  size_t most = ALWAYS_TRIANGLES + build->size / 2;
  build->triangles = build->triangles_most = most < MOST_TRIANGLES ? most : MOST_TRIANGLES;
  build->nodes = MOST_NODES;

  // readers of text rely on a 0 at the end
  char* copy = heap_take(build->size + 1);
  memcpy(copy, build->bytes, build->size);
  copy[build->size] = 0;
  build->bytes = copy;
  formats[format].read(build);
}

static void read_file(void* argument) {
  Request* request = argument;
  MeshBuild* build = &request->build;
  const char* dot = strrchr(build->name, '.');
  int format = find_format(dot ? dot : "");
  if (format == NFORMAT) {
    build_fail(build, NULL, "the format is unknown; known are %s", meshfile_extensions());
  }
  if (!build->size) {
    build_fail(build, NULL, "the file is empty");
  }
  build->file = heap_zero(1, sizeof(MeshFile));
  heap_enter(&request->scratch);
  read_text(build, format);
  keep_contents(build->file, build->file);
  heap_drop(&request->scratch);
  heap_leave(&request->scratch);
}

MeshFile* meshfile_read(const char* name, const void* bytes, size_t size,
                        const MeshFileAccess* others, char* error, int error_size) {
  Request request = {.build = {.name = name, .bytes = bytes, .size = size, .others = others}};
  request.scratch.ring.next = request.scratch.ring.prev = &request.scratch.ring;
  if (error_size > 0) {
    error[0] = 0;
  }
  if (error_catch(error, error_size, read_file, &request)) {
    heap_drop(&request.scratch);
    return NULL;
  }
  return request.build.file;
}

static void free_contents(MeshFile* file) {
  for (int i = 0; i < file->npart; i++) {
    heap_free(file->part[i].vert);
    heap_free(file->part[i].normal);
    heap_free(file->part[i].texcoord);
    heap_free(file->part[i].face);
    heap_free(file->part[i].name);
  }
  for (int i = 0; i < file->nmaterial; i++) {
    heap_free(file->material[i].name);
    heap_free(file->material[i].texture);
    heap_free(file->material[i].image);
  }
}

void meshfile_free(MeshFile* file) {
  if (!file) {
    return;
  }
  if (!file->is_packed) {
    free_contents(file);
  }
  heap_free(file->part);
  heap_free(file->material);
  heap_free(file);
}
