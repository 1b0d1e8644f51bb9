// support_cache.h: vertices of meshes, copied once a step for the search of all pairs.
//
//     mj_collision:  | SupportCache | points of a mesh, at its first pair -->  | temporaries of pairs
//                     on the stack of mjData, until the stage ends
//
// A copy costs about as much as a few searches save, and most pairs that pass the broad phase need
// only a few. Where there is none (no stage under way, no more room) a pair makes its own.
//                                                               theory/convex.md, Support functions

#ifndef CONDYLE_COLLISION_CONVEX_SUPPORT_CACHE_H_
#define CONDYLE_COLLISION_CONVEX_SUPPORT_CACHE_H_

#include <mujoco/mjdata.h>

#include "collision/convex/shape/support_points.h"

// Makes room on the stack, within a frame of the caller's, a share of what is left at most.
void support_cache_open(const mjModel* m, mjData* d);

// Before that frame ends.
void support_cache_close(mjData* d);

// The vertices of a shape, copied now or before, valid until the stage ends; NULL if it has none,
// or too many, or there is no stage or no more room.
const SupportPoints* support_cache_kept(const mjData* d, const ConvexShape* shape);

// The same, or else a copy on the stack, valid until the caller pops that; NULL if there is no room
// there.
const SupportPoints* support_cache_find(mjData* d, const ConvexShape* shape);

#endif  // CONDYLE_COLLISION_CONVEX_SUPPORT_CACHE_H_
