// gjk.h: distance of two convex shapes by walking towards the point of A - B nearest to the origin.
//
// A simplex of up to four vertices of the Minkowski difference converges; each step adds the vertex
// furthest against its nearest point and drops those that don't carry the new nearest point. If the
// origin gets enclosed the shapes overlap and the simplex is where the penetration search
// (convex/epa.h) starts.                                                      theory/convex.md, GJK

#ifndef CONDYLE_COLLISION_CONVEX_GJK_H_
#define CONDYLE_COLLISION_CONVEX_GJK_H_

#include <mujoco/mjmodel.h>

#include "collision/convex/support.h"

// A distance that is only known to be beyond the cutoff.
#define GJK_FAR ((mjtNum)mjMAXVAL)

typedef struct Gjk {
  mjtNum tolerance;
  int iterations;
  mjtNum cutoff;       // larger distances don't matter; 0: only whether the shapes overlap
  int discrete;        // both shapes are polytopes without margin
  mjtNum most_normal;  // n.n above which a face counts as degenerate, m^4
  const mjtNum* axis;  // from a to b, where bounds of them overlap least; NULL: not known
  Vertex vert[4];      // final simplex; after epa_depth, a triangle of the surface of A - B
  int num;
  mjtNum x1[3], x2[3];  // nearest points on A and B
  mjtNum overlap;       // along the direction of those seen where it is least: no depth is more
  int is_of_hull;       // hull_depth has found the triangle: its corners come in any order
} Gjk;

// Distance of a and b; fills in the simplex, the nearest points and the overlap. The first five
// members are inputs, the axis one of hull.h.
mjtNum gjk_distance(Gjk* g, ConvexShape* a, ConvexShape* b);

// Whether two points agree in every coordinate.
static inline int is_same(const mjtNum p[3], const mjtNum q[3]) {
  return mju_abs(p[0] - q[0]) < mjMINVAL && mju_abs(p[1] - q[1]) < mjMINVAL &&
         mju_abs(p[2] - q[2]) < mjMINVAL;
}

#endif  // CONDYLE_COLLISION_CONVEX_GJK_H_
