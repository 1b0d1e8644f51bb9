// macro.h: a <flexcomp> while it is read.

#ifndef CONDYLE_MJCF_FLEXCOMP_MACRO_H_
#define CONDYLE_MJCF_FLEXCOMP_MACRO_H_

#include <string.h>

#include "mjcf/flexcomp/flexcomp.h"
#include "spec/spec.h"

// What is being read: the macro, its flex so far, and where it stands.
typedef struct Macro_ {
  Flexcomp comp;
  const Reader* reader;
  const Node* node;
  mjsBody* parent;
  mjsFlex* flex;
  const char* name;
  double lower[3], upper[3];  // box around all points
  char* used;                 // by point: some element has it
  int equality;
  mjtNum solref[mjNREF], solimp[mjNIMP];
  SpecObject* instance;  // of the plugin that the vertices' bodies use
} Macro;

static inline size_t macro_count_points(const Macro* macro) {
  return macro->comp.point.num / 3;
}

static inline int macro_any_pinned(const Macro* macro) {
  return memchr(macro->comp.pinned, 1, macro_count_points(macro)) != NULL;
}

// Makes the flex, bodies, joints and the equality of a macro that has been read, pins and all.
//                                                                                        generate.c
void macro_generate(Macro* macro);

#endif  // CONDYLE_MJCF_FLEXCOMP_MACRO_H_
