// macro.h: the state of a <flexcomp> while it is read.

#pragma once

#include <condyle/behaviour.h>
#include <string.h>

#include "compile/flex/cage.h"
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

// Has the model the behaviour flex?
static inline int macro_is_later(const Macro* macro) {
  return macro->reader->spec->option.behaviour >> cndBEHAVIOUR_flex & 1;
}

// Number of what pins can hold: points, or the nodes of a cage.
static inline size_t macro_count_pins(const Macro* macro) {
  const Flexcomp* comp = &macro->comp;
  return comp->by_nodes ? (size_t)cage_nodes(comp->order, comp->cells) : macro_count_points(macro);
}

static inline int macro_any_pinned(const Macro* macro) {
  return memchr(macro->comp.pinned, 1, macro_count_pins(macro)) != NULL;
}

// Adds a hinge for each edge of an open chain that twists, on a body of its own in the world, but
// for ends that are pinned. Elements count used points only. (twist.c)
void macro_add_twists(const Macro* macro);

// Makes the flex, bodies, joints and equality of a macro after points, elements and pins are read.
// (generate.c)
void macro_generate(Macro* macro);
