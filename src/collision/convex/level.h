// level.h: pairs that rounding keeps apart, as long as nothing of them changes.
//
// Of flat faces that lie on each other at distance zero the last bits say whether there is a
// contact, and only the whole search can tell. A machine at rest asks the same question in every
// step. So the poses are kept of meshes that had no contact; if they are the same to the last bit,
// and so is all else that the search reads, then the answer is.
//                                                       theory/contact/convex.md, Hulls that touch

#pragma once

#include "collision/convex/shape.h"
#include "model/data/apart.h"

static inline int touch_is_of(const Touch* t, const int geom[2]) {
  return t->geom[0] == geom[0] + 1 && t->geom[1] == geom[1] + 1;
}

// Keeps the poses of the meshes of two geoms that have no contact. The slot must be theirs.
void level_keep(Touch* slot, const mjData* d, const ConvexShape* a, const ConvexShape* b,
                const int geom[2]);

// Whether the meshes of two geoms without margin are as they were when they had no contact.
int level_is_kept(const Touch* slot, const mjModel* m, const mjData* d, const int geom[2]);
