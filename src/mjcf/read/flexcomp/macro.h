// macro.h: the state of a <flexcomp> while it is read.

#pragma once

#include <string.h>

#include "mjcf/read/flexcomp/flexcomp.h"
#include "spec/spec.h"

// A macro while it is read, with its flex so far and its place in the model.
typedef struct Macro_ {
  Flexcomp comp;
  const Reader* reader;
  const Node* node;
  mjsBody* parent;
  mjsFlex* flex;
  const char* name;
  double lower[3], upper[3];  // box around all points
  char* used;                 // 1 for each point that an element has
  int equality;
  mjtNum solref[mjNREF], solimp[mjNIMP];
  SpecObject* instance;  // plugin instance of the vertices' bodies
} Macro;

static inline size_t macro_count_points(const Macro* macro) {
  return macro->comp.point.num / 3;
}

static inline int macro_any_pinned(const Macro* macro) {
  return memchr(macro->comp.pinned, 1, macro_count_points(macro)) != NULL;
}

// Makes the flex, bodies, joints and equality of a macro after points, elements and pins are read.
// (generate.c)
void macro_generate(Macro* macro);
