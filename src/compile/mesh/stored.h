// stored.h: finished meshes in the store on disk (base/store.h).

#pragma once

#include "base/store.h"
#include "compile/mesh/context.h"

// The mesh of an entry, and one reference to it; NULL if there is none that is whole and whose
// indices are all in range.
Mesh* mesh_fetch(Store* store, const Digest* key);

// Writes a mesh.
void mesh_store(Store* store, const Digest* key, const Mesh* mesh);

// The content of an entry (store_pack), and back: mesh_unpack lets an empty mesh have its arrays in
// `content`, and returns 0 if that is none of a mesh.
void* mesh_pack(size_t* size, const Mesh* mesh);
int mesh_unpack(Mesh* mesh, void* content, size_t size);
