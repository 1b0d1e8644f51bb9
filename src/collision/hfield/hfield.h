// hfield.h: contacts of a height field with a convex shape that is not a geom.

#pragma once

#include "collision/convex/shape.h"

// Contacts, in the world, of the height field of a geom with a shape in the frame of that geom. lo
// and hi bound the shape and select the prisms. corrects: whether normals become those of the
// shape's surface where it has one.
int hfield_shape(mjContact* con, const mjModel* m, const mjData* d, int geom, ConvexShape* shape,
                 mjtNum lo[3], mjtNum hi[3], mjtNum margin, int corrects);
