// formats.h: the readers, one for each format. They read the text of `build` and add to its file,
// or end in an error.

#pragma once

#include "meshfile/build.h"

void collada_read(MeshBuild* build);
void gltf_read(MeshBuild* build);
void glb_read(MeshBuild* build);
void ply_read(MeshBuild* build);
void stl_read(MeshBuild* build);
void obj_read(MeshBuild* build);
