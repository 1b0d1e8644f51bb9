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

#include "meshfile/types.h"

// Reads a mesh file. The extension of its name says which format it has; `others` may be NULL, and
// then there are no other files. A file of points or lines has no parts. Returns NULL with a
// sentence in `error` that says what is wrong and where. The caller frees the result with
// meshfile_free.
MeshFile* meshfile_read(const char* name, const void* bytes, size_t size,
                        const MeshFileAccess* others, char* error, int error_size);

void meshfile_free(MeshFile* file);

// Moves a file to the heap of an owner (base/memory/memory.h).
void meshfile_follow(MeshFile* file, void* owner);

// The path that a text in a mesh file means, its %20 decoded. The caller frees it (heap_free).
char* meshfile_path(const char* text, size_t length);

// Tells the other files that a glTF or GLB names, as paths relative to it: its buffers, and its
// images where they are asked for. Files of other formats, and broken ones, name none.
typedef void MeshFileTell(void* user, const char* path);
void meshfile_others(const char* name, const void* bytes, size_t size, int with_images,
                     MeshFileTell* tell, void* user);

// The known extensions as text, for messages: ".dae .gltf .glb .ply .stl .obj".
const char* meshfile_extensions(void);
