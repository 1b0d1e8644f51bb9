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
  ConvexShape shape;  // what the general collider is given: must be first
  mjtNum vertex[6][3];
} Prism;

// A prism down to z = bottom whose top is yet to be made.
void prism_init(Prism* p, mjtNum bottom);

// Adds a vertex of the top; the oldest of three leaves.
void prism_add(Prism* p, mjtNum x, mjtNum y, mjtNum z);

// Puts the centre where the vertices are, after the last of them.
void prism_center(Prism* p);

#endif  // CONDYLE_COLLISION_HFIELD_PRISM_H_
