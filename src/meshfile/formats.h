// formats.h: the readers, one for each format. They read the text of `build` and add to its file,
// or end in an error.

#pragma once

#include "meshfile/build.h"

void collada_read(MeshBuild* build);
