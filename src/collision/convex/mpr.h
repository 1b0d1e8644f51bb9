// mpr.h: depth of two overlapping convex shapes by the library libccd's Minkowski portal
// refinement.
//
// It is the legacy pipeline, which mjDSBL_NATIVECCD chooses. The depth is measured along the line
// of centres, so in general it is more than the least depth.
//                                                                     theory/contact/convex.md, MPR

#pragma once

#include <mujoco/mjmodel.h>

#include "collision/convex/shape.h"

// Depth of a and b with their margins; normal: from a to b, pos: the middle of the overlap. Returns
// 0 if they are apart or just touch.
mjtNum mpr_depth(mjtNum normal[3], mjtNum pos[3], const mjModel* m, ConvexShape* a, ConvexShape* b);
