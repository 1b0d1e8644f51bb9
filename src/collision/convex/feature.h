// feature.h: depth and deepest points of two meshes from the vertices that touch, and nothing else.
//
// Searches reach the same face of A - B on different ways, and end with different triangles of it.
// Depths from these differ in their last digits. Here all follows from the sets of vertices that
// are furthest along the face's normal, so the result is the same whichever search has found it.
//                                                    theory/contact/convex.md, Hulls that touch

#pragma once

#include "collision/convex/gjk.h"

// Replaces the triangle in g, whose normal out of A - B is the unit vector u, by one of definite
// corners, and the deepest points by those that belong to it. *depth: about the depth on entry,
// that of the triangle on return. Returns 0, with nothing changed, unless the shapes touch in a
// single point: a vertex of one in a face of the other, or two crossing edges. The vertices must
// be copied.
int feature_touch(mjtNum* depth, Gjk* g, const ConvexShape* a, const ConvexShape* b,
                  const mjtNum u[3]);
