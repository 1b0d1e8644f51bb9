// cable_skin.h: a cable and its optional skin.
// [theory/plugins/cables.md, Skin]

#pragma once

#include "mjcf/read/values.h"

// A cable: its vertices and its parts.
typedef struct Cable_ {
  const Reader* reader;
  const Node* node;
  const char* prefix;
  int nvert;      // vertices of the curve, at least 2
  float* vert;    // nvert x 3
  mjsGeom* geom;  // the geom of every link
} Cable;

// Name of part i of a cable: prefix, kind, and "first", "last" or i. Written to buffer.
const char* cable_name(mjString* buffer, const Cable* cable, char kind, int i);

// Reads the <skin> of a cable (node may be NULL) and adds the skin if the cable is made of boxes.
void read_cableskin(const Cable* cable, const Node* node);
