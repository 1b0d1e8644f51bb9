// support_cache.h: copies of meshes' vertices for fast support points, shared by the pairs of a
// step.
//
//   mj_collision:  | SupportCache | points of a mesh, at its first pair -->  | temporaries of pairs
//                   on the stack of mjData, until the stage ends
//
// Making a copy costs as much as a few searches, and most pairs that pass the broad phase need only
// a few. So the pairs of a stage share copies. Outside of the stage, or without room in the cache,
// a pair makes its own copy.
//
// With a copy for each pair mj_collision takes 1.12 (humanoid_mesh) to 1.55 times as long
// (bunnies), measured as in hull.h.
//                                                       theory/contact/convex.md, Support functions

#pragma once

#include <mujoco/mjdata.h>

#include "collision/convex/shape/support_points.h"

// Opens the cache on the stack, in a stack frame of the caller. It takes at most a fraction of the
// free bytes.
void support_cache_open(const mjModel* m, mjData* d);

// The same with copies that the caller has made and keeps, one for each mesh or NULL.
void support_cache_lend(const mjModel* m, mjData* d, const SupportPoints* const* points);

// Whether the copies are lent: they cost nothing then.
int support_cache_is_lent(const mjData* d);

// Closes the cache; the caller then ends the frame.
void support_cache_close(mjData* d);

// The cached copy of a shape's vertices, made now or before, valid until the stage ends. NULL if
// the shape has none or more than `most`, or if no cache is open or it is full.
const SupportPoints* support_cache_copy(const mjData* d, const ConvexShape* shape, int most);

// The cached copy, or else one on the stack, valid until the caller pops the stack. NULL if the
// stack has no room.
const SupportPoints* support_cache_find(mjData* d, const ConvexShape* shape, int most);
