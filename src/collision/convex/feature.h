// feature.h: depth and deepest points of two hulls from the vertices that touch, and nothing else.
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

// The same where a search has come to these corners before, of the same meshes in other poses:
// depth and deepest points if the shapes still touch there, which the caller has to prove. along:
// about the normal out of A - B, whose exact direction goes to n. Returns 0 if edges are parallel.
int feature_again(mjtNum* depth, mjtNum n[3], Gjk* g, const ConvexShape* a, const ConvexShape* b,
                  const uint16_t corner[3][2], const mjtNum along[3]);

// The corners of feature_touch are (a, v), (b, v), (c, v) where a vertex is in a face of A, v first
// where it is in one of B, (p, r), (q, r), (p, s) where edges cross.
typedef enum TouchKind {
  TOUCH_FACE_OF_A,
  TOUCH_FACE_OF_B,
  TOUCH_EDGES
} TouchKind;

static inline TouchKind touch_kind(const uint16_t corner[3][2]) {
  return corner[1][1] != corner[2][1] ? corner[1][0] != corner[2][0] ? TOUCH_EDGES : TOUCH_FACE_OF_B
                                      : TOUCH_FACE_OF_A;
}
