// types.h: what is read from a mesh file, and how it gets at others.

#pragma once

#include <stddef.h>

// What a renderer needs of a material.
typedef struct MeshMaterial_ {
  char* name;
  float rgba[4];
  int has_color;  // 0: the file says none, and rgba is white
  char* texture;  // path of the colour's image as the file says it, its %20 decoded; NULL if none
  void* image;    // the image itself (PNG or JPEG) where it is inside of the file; else NULL
  size_t image_size;
} MeshMaterial;

// Triangles of one material. Normals are unit vectors, and texture coordinates have their origin in
// the lower left corner of the image; each is NULL if the file has none.
typedef struct MeshPart_ {
  float* vert;  // nvert x 3
  int nvert;
  float* normal;    // nvert x 3
  float* texcoord;  // nvert x 2
  int* face;        // nface x 3
  int nface;
  int material;  // index, -1 if none
  char* name;    // of the node, geometry or group, "" if it has none
} MeshPart;

typedef struct MeshFile_ {
  MeshPart* part;
  int npart;
  MeshMaterial* material;
  int nmaterial;
  char up;        // the axis that is up, 'x', 'y' or 'z'; 0 if the format has none
  int is_packed;  // 1 if arrays and texts lie in memory of somebody else (stored.h)
} MeshFile;

// Gives other files that a mesh file names (.mtl, .bin): bytes and size of the file `name`, a path
// relative to the mesh file, which stay valid until the mesh file is read. Returns 0 if there is no
// such file.
typedef struct MeshFileAccess_ {
  int (*read)(void* user, const char* name, const void** bytes, size_t* size);
  void* user;
} MeshFileAccess;
