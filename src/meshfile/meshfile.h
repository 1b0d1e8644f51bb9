// meshfile.h: files of triangle meshes as other tools write them, with their parts and materials.
//
// A robot's maker ships Collada, glTF, PLY, STL or OBJ. Whoever loads it wants one thing of all of
// these: triangles in metres, grouped by material. Node trees, units, strips and polygons are
// resolved here. The readers are the engine's own, on Expat: they have to be fast, small enough for
// a page in a browser, and safe with hostile files.
//
//   bytes --(reader of the format)--> shapes --(node transforms, unit)--> MeshFile
//
// Coordinates are in metres where the file has a unit (Collada, glTF). Their axes are those of the
// file, also where it names another one than z as up: robots are described for tools that look at
// no up axis. In the robots that we know, inertias, collision shapes and other files of the same
// parts fit these coordinates, and don't fit turned ones. The axis is told, for whoever wants to
// turn them.
//
// What a file may ask for is bounded: it can't make more than 50 million triangles, nor many more
// than fit into its own bytes by instancing one shape again and again.

#pragma once

#include <stddef.h>

// What a renderer needs of a material.
typedef struct MeshMaterial_ {
  char* name;
  float rgba[4];
  int has_color;  // 0: the file says none, and rgba is white
  char* texture;  // path of the colour's image as the file says it, its %20 decoded; NULL if none
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
  char up;  // the axis that is up, 'x', 'y' or 'z'; 0 if the format has none
} MeshFile;

// Gives other files that a mesh file names (.mtl, .bin): bytes and size of the file `name`, a path
// relative to the mesh file, which stay valid until the mesh file is read. Returns 0 if there is no
// such file.
typedef struct MeshFileAccess_ {
  int (*read)(void* user, const char* name, const void** bytes, size_t* size);
  void* user;
} MeshFileAccess;

// Reads a mesh file. The extension of its name says which format it has; `others` may be NULL, and
// then there are no other files. Returns NULL with a sentence in `error` that says what is wrong
// and where. The caller frees the result with meshfile_free.
MeshFile* meshfile_read(const char* name, const void* bytes, size_t size,
                        const MeshFileAccess* others, char* error, int error_size);

void meshfile_free(MeshFile* file);

// Is it the extension of a known format, with its dot (".dae") and in any case?
int meshfile_known(const char* extension);

// The known extensions as text, for messages: ".dae .gltf .glb .ply .stl .obj".
const char* meshfile_extensions(void);
