// prism.h: the solid under one triangle of a height field, a convex shape.
//
//        3-------5           three vertices on top, in the order in which the strip met them,
//        |\     /|           and below each of them one at the bottom of the field
//        | \   / |
//        |   4   |
//        0---|---2
//         \  |  /
//            1                                           theory/contact/collision.md, Height fields

#pragma once

#include "collision/convex/shape.h"
#include "collision/hfield/grid.h"

typedef struct Prism {
  ConvexShape shape;  // passed to the general collider: must be first
  mjtNum vertex[6][3];
} Prism;

// Starts a prism: its bottom is that of the field, its top vertices come from prism_add.
void prism_init(Prism* p, const HfieldGrid* g);

// Replaces the oldest top vertex by vertex k of the strip of triangles between `row` and the next
// row. The vertex is raised by `raise`.
//
//    row+1  0---2---4---6
//           |  /|  /|  /|
//           | / | / | / |
//    row    1---3---5---7
//
void prism_add(Prism* p, const HfieldGrid* g, int row, int k, mjtNum raise);

// Sets the shape's centre, once the top is complete.
void prism_center(Prism* p);

// Whether the search ends at this prism.
typedef int PrismTest(void* context, Prism* p);

// Tests the prisms, with tops raised by `raise`, of the cell that contains a point (in the frame of
// the field) and of its neighbours. Returns whether one passed.
int prism_find(const HfieldGrid* g, const mjtNum point[3], mjtNum raise, PrismTest* test,
               void* context);
