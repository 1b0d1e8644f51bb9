// enclosed.h: how far a convex shape reaches out of another one.
//                                                     theory/time/sensors.md, Enclosed objects

#pragma once

#include "collision/convex/shape.h"

// The largest distance of a point of the object from the room, if some are outside; else minus the
// clearance, by which all of the object may be inflated until it touches the room's surface. Both
// shapes are compact, without margins; meshes stand for their hulls.
mjtNum enclosed_reach(const ConvexShape* object, const ConvexShape* room);

// Whether a point is strictly inside the hull of a mesh; x is in the frame of the mesh.
int enclosed_point(const mjModel* m, int mesh, const mjtNum x[3]);
