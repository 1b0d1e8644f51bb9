// paint.h: parts from triangles that have a colour each, as STL and PLY have them.
//
// Materials are all that a renderer gets of colours: triangles of one colour become a part. Where
// there are very many colours, as of a scan, it gets their mean.

#pragma once

#include <stdint.h>

#include "meshfile/build.h"

enum {
  PAINT_NONE = 0,  // the colour of a triangle that has none
};

// A colour from its bytes, never PAINT_NONE unless it is invisible.
static inline uint32_t paint_color(unsigned red, unsigned green, unsigned blue, unsigned alpha) {
  return alpha << 24 | blue << 16 | green << 8 | red;
}

// Adds a shape as parts, one for each colour of its faces. color may be NULL. All have the texture,
// which may be NULL, too.
void paint_parts(MeshBuild* build, const MeshPart* shape, const uint32_t* color,
                 const char* texture);
