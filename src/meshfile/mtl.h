// mtl.h: the materials of OBJ files.

#pragma once

#include "base/hash.h"
#include "meshfile/build.h"

typedef struct Materials_ {
  MeshBuild* build;
  Hash name;  // MtlEntry by name
  int nread;  // libraries
} Materials;

void mtl_start(Materials* materials, MeshBuild* build);

// Reads a library of materials, by its path relative to the mesh file. Returns 0 if there is no
// such file: its materials then have names only.
int mtl_read(Materials* materials, const char* path);

// Index of the material of a name, which is added if there is none.
int mtl_find(Materials* materials, const char* name);
