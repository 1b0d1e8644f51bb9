// stored.h: a mesh file that was read, as bytes that are read again in no time.

#pragma once

#include <stddef.h>

#include "meshfile/types.h"

// The bytes of a file: `size` of them. The caller frees them (heap_free).
void* meshfile_pack(size_t* size, const MeshFile* file);

// The file of these bytes, whatever they are; NULL if they are not one. The arrays of its parts lie
// in `bytes`, which must last as long.
MeshFile* meshfile_unpack(void* bytes, size_t size);
