// prism.h: the solid under one triangle of a height field, a convex shape.
//
//        3-------5           three vertices on top, in the order in which the strip met them,
//        |\     /|           and below each of them one at the bottom of the field
//        | \   / |
//        |   4   |
//        0---|---2
//         \  |  /
//            1                                                   theory/collision.md, Height fields

#ifndef CONDYLE_COLLISION_HFIELD_PRISM_H_
#define CONDYLE_COLLISION_HFIELD_PRISM_H_

#include "collision/convex/shape.h"

typedef struct Prism {
  ConvexShape shape;  // passed to the general collider: must be first
  mjtNum vertex[6][3];
} Prism;

// Makes a prism down to z = bottom, whose top has no vertices yet.
void prism_init(Prism* p, mjtNum bottom);

// Adds a vertex of the top in place of the oldest of three.
void prism_add(Prism* p, mjtNum x, mjtNum y, mjtNum z);

// Sets the shape's centre, once the top is complete.
void prism_center(Prism* p);

#endif  // CONDYLE_COLLISION_HFIELD_PRISM_H_
