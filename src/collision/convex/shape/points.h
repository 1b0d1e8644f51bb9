// points.h: the vertices of a mesh for many support questions, all lanes at once.
//
// The highest vertex along l is looked for in single precision, that of the vertices:
//
//     h_i = l . v_i,  top = max h:  the answer is i if h_i >= top - band for this i only
//
// Then it is what any exact search of all vertices finds, and a climb over the hull too: the band is
// wide enough for the rounding of the heights, and for dents that the rounding of the vertices has
// made in the hull. Otherwise vertices are about equally high, and the way of a search decides.
//                                                               theory/convex.md, Support functions

#ifndef CONDYLE_COLLISION_CONVEX_SHAPE_POINTS_H_
#define CONDYLE_COLLISION_CONVEX_SHAPE_POINTS_H_

#include "base/simd.h"
#include "collision/convex/shape.h"

enum {
  MOST_POINTS = 256  // whole vectors
};

struct ConvexPoints {
  int num;                      // 0: not yet copied
  float size;                   // largest coordinate
  float coord[3][MOST_POINTS];  // x, y, z; behind the last, zeros up to a whole vector
};

// Copies the vertices of a mesh or, if asked to, of its hull; at least one, at most MOST_POINTS.
void points_fill(ConvexPoints* p, const ConvexShape* mesh, int of_hull);

// The point clearly highest along l; -1 if there is none.
int points_top(const ConvexPoints* p, const mjtNum l[3]);

#endif  // CONDYLE_COLLISION_CONVEX_SHAPE_POINTS_H_
