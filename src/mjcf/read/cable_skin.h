// cable_skin.h: a cable, and the skin that it may have.                  [theory/cables.md, Skin]

#ifndef CONDYLE_MJCF_READ_CABLE_SKIN_H_
#define CONDYLE_MJCF_READ_CABLE_SKIN_H_

#include "mjcf/read/values.h"

// A cable: its vertices, and what it is made of.
typedef struct Cable_ {
  const Reader* reader;
  const Node* node;
  const char* prefix;
  int nvert;      // of the curve: at least 2
  float* vert;    // nvert x 3
  mjsGeom* geom;  // what every link has
} Cable;

// Name of part i of a cable's links: prefix, kind and "first", "last" or i. buffer is large enough
// for prefixes of any length.
const char* cable_name(mjString* buffer, const Cable* cable, char kind, int i);

// Reads the <skin> of a cable (NULL: it has none) and adds the skin, if the cable is one of boxes.
void read_cableskin(const Cable* cable, const Node* node);

#endif  // CONDYLE_MJCF_READ_CABLE_SKIN_H_
