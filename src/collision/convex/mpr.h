// mpr.h: depth of two overlapping convex shapes by Minkowski portal refinement, of the library
// libccd.
//
// The legacy pipeline, chosen by mjDSBL_NATIVECCD. The depth is measured along the ray through the
// centres' difference, so in general it is larger than the shortest way out.
//                                                                             theory/convex.md, MPR

#ifndef CONDYLE_COLLISION_CONVEX_MPR_H_
#define CONDYLE_COLLISION_CONVEX_MPR_H_

#include <mujoco/mjmodel.h>

#include "collision/convex/shape.h"

// Depth of a and b with their margins, with the direction from a to b and the middle of the
// overlap; 0 if they are apart or just touch.
mjtNum mpr_depth(mjtNum normal[3], mjtNum pos[3], const mjModel* m, ConvexShape* a, ConvexShape* b);

#endif  // CONDYLE_COLLISION_CONVEX_MPR_H_
