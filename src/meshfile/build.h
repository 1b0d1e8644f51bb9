// build.h: a mesh file while it is read: what its readers share.
//
// Readers run under error_catch (base/memory/error.h), so heap_take always answers and an error
// ends the whole call. Shapes are made in the frame of their own geometry and then placed, once for
// each node that shows them.

#pragma once

#include <mujoco/mjmacro.h>

#include "base/memory/memory.h"
#include "meshfile/types.h"

typedef struct MeshBuild_ {
  const char* name;   // of the file, for messages
  const char* bytes;  // ends with a 0 behind its last byte
  size_t size;
  const MeshFileAccess* others;
  MeshFile* file;
  size_t part_room, material_room;
  size_t triangles_most;
  size_t triangles;  // that may still be added
  size_t nodes;      // that may still be visited
} MeshBuild;

// An affine transformation: x -> m[0..2, 4..6, 8..10] x + m[3, 7, 11], a matrix of three rows.
typedef struct MeshPlace_ {
  double m[12];
} MeshPlace;

extern const MeshPlace mesh_noplace;

// The transformation by `b`, then by `a`.
MeshPlace place_join(const MeshPlace* a, const MeshPlace* b);

// Translation, rotation by a unit quaternion (w, x, y, z), and scaling.
MeshPlace place_make(const double move[3], const double quat[4], const double scale[3]);

// Ends the reading with an error. `at` is a position in the text, whose line the message then
// names, or NULL.
_Noreturn void build_fail(const MeshBuild* build, const char* at, const char* format, ...)
    mjPRINTFLIKE(3, 4);

// Room for one more item in an array of `room` items of which `count` are used.
void* build_grow(void* items, size_t* room, size_t count, size_t size);

// A copy of a text, with percent escapes decoded if it is the name of a file.
char* build_text(const char* text, size_t length);
char* build_path(const char* text, size_t length);

// Adds a material. rgba may be NULL; name and texture are copied, and may be NULL, too.
int build_material(MeshBuild* build, const char* name, const float* rgba, const char* texture);

// Adds a copy of a shape, placed, with the material and name of the shape. A mirrored one gets its
// triangles reversed. Ends in an error if a coordinate is not finite, or there are too many.
void build_part(MeshBuild* build, const MeshPart* shape, const MeshPlace* place);

// Counts a visited node; ends in an error where nodes refer to each other endlessly.
void build_visit(MeshBuild* build, const char* at, int depth);

// Gives vertices whose normal has no length the mean of their triangles' normals. The others become
// unit vectors.
void build_normals(MeshPart* part);

// The content of another file, by its path relative to this one. Returns 0 if there is none.
int build_other(const MeshBuild* build, const char* name, const char** bytes, size_t* size);
