// summit.h: support points of hulls by a walk from where an earlier search has ended.
//
// A search of all vertices costs as much as the mesh has vertices. Where the answer is nearly
// known, a walk over the hull's edges looks at the vertices around it only. It ends with the
// summit: all vertices that are connected with the highest one by others no lower than a level.
//
//               highest
//         o----*--o
//        /     |   \         level
//   ----o------o----o-----------------
//      /       |     \       lower vertices have a higher neighbour
//
// The summit holds the highest vertex although rounded vertices leave dents in the hull. Where it
// has one vertex without a higher neighbour, every climb ends there, wherever it starts: so what is
// found is a function of the direction alone.
//                                                       theory/contact/convex.md, Support functions

#pragma once

#include "collision/convex/shape.h"

// For all of these: the mesh is one that mesh_is_climbed. l: direction in its frame. start: hull
// vertex, any number.

enum {
  SUMMIT_TIED = -1,  // vertices are as high to the last bit
  SUMMIT_WIDE = -2   // too many are about as high to look at
};

// The hull vertex where each climb along l ends; a negative number, of those above, if that may
// depend on where it starts.
int summit_support(const ConvexShape* mesh, const mjtNum l[3], int start);

// The highest vertex of all, the first one if several are; found by looking at all if too many are
// about as high.
int summit_highest(const ConvexShape* mesh, const mjtNum l[3], int start);

// mesh_level for a mesh whose vertices need not be copied.
int summit_level(int* level, int most, const ConvexShape* mesh, const mjtNum l[3], int id,
                 mjtNum tie);
