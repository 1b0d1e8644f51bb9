// gjk.h: distance of two convex shapes, by the point of A - B nearest to the origin.
//
// A simplex of up to four vertices of the Minkowski difference A - B moves towards that point. Each
// step adds the support point opposite to the simplex's nearest point x, and drops the vertices
// that have no weight in the new x. If the simplex encloses the origin the shapes overlap, and the
// penetration search (convex/epa.h) starts from it.                   theory/contact/convex.md, GJK

#pragma once

#include <mujoco/mjmodel.h>

#include "collision/convex/support.h"
#include "model/data/apart.h"

// A distance that is only known to be beyond the cutoff.
#define GJK_FAR ((mjtNum)mjMAXVAL)

typedef struct Gjk {
  mjtNum tolerance;
  int iterations;
  mjtNum cutoff;       // larger distances aren't computed; 0: only whether the shapes overlap
  int discrete;        // both shapes are polytopes without margin
  int later;           // by the rules of the behaviour gjkepa
  mjtNum most_normal;  // n.n above which a face counts as degenerate, m^4
  const mjtNum* axis;  // from a to b, along which their boxes overlap least; NULL: not known
  Vertex vert[4];      // final simplex; after epa_depth, a triangle of the surface of A - B
  int num;
  mjtNum x1[3], x2[3];  // nearest points on A and B
  mjtNum overlap;       // the least overlap over all directions tried: an upper bound on the depth
  mjtNum apart[3];      // direction from a to b in which some support plane has separated them
  int is_of_hull;       // the triangle is that of feature_touch, not of EPA
  int is_deep;          // what displaced_depth finds: the shapes do more than touch
  Touch* touch;         // where hull_depth keeps its polytope, and for which geoms; NULL: nowhere
  int geom[2];
} Gjk;

// Distance of a and b; fills in the simplex, the nearest points and the overlap. The first six
// members of g are inputs; axis, touch and geom are inputs of hull_depth.
mjtNum gjk_distance(Gjk* g, ConvexShape* a, ConvexShape* b);

// Whether two points agree in every coordinate.
static inline int is_same(const mjtNum p[3], const mjtNum q[3]) {
  return mju_abs(p[0] - q[0]) < mjMINVAL && mju_abs(p[1] - q[1]) < mjMINVAL &&
         mju_abs(p[2] - q[2]) < mjMINVAL;
}
