// composite.h: <composite>, a macro that generates many elements.
//
// Only the cable is supported, a chain of bodies along a curve.
//                                                               theory/plugins/cables.md, Composite

#pragma once

#include "mjcf/read/values.h"

// Adds a cable to a body, inside frame (may be NULL).
void read_composite(const Reader* reader, const Node* node, mjsBody* body, mjsFrame* frame);
