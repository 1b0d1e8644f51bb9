// manifold.h: several contacts where two polytopes touch in a face or along an edge.
//
// One contact can't keep a box from tipping. The triangle of A - B where the penetration search
// ended tells which vertices of A and B touch, they tell the faces and edges that meet there, and
// what those two have in common, seen along the normal, is where the shapes touch.
//
//          A's face        B's face, clipped by each edge of A's in turn
//        +-----------+
//        |     o=====|=====+           o  contacts
//        |     ‖     o     |
//        +-----o-----o     |
//              +-----------+                                     theory/convex.md, Manifolds

#ifndef CONDYLE_COLLISION_CONVEX_MANIFOLD_H_
#define CONDYLE_COLLISION_CONVEX_MANIFOLD_H_

#include <mujoco/mjdata.h>

#include "collision/convex/gjk.h"

// Where two polytopes touch, at most max points (mjMAXCONPAIR of them at most), after epa_depth has
// left its result in g. point: on B; the point of A across is point - offset. Returns 0 if they
// touch in no more than a point. The stack of d serves as scratch memory.
int convex_manifold(mjtNum point[mjMAXCONPAIR][3], mjtNum offset[3], const Gjk* g, mjData* d,
                    const ConvexShape* a, const ConvexShape* b, int max);

// What such points come of: a face of shape `clips` (0: A, 1: B) cuts a face or an edge of the
// other one. Vertices and outward unit normals are in the world.
typedef struct ManifoldFeatures {
  int clips;
  int owner;  // the shape whose face has the direction of offset
  mjtNum clip_normal[3], owner_normal[3];
  int nclip, ncut;
  mjtNum clip[MAX_FACETS][3], cut[MAX_FACETS][3];
} ManifoldFeatures;

// The same features again, on the stack of d, which the caller has marked; NULL if there are none.
ManifoldFeatures* manifold_features(const Gjk* g, mjData* d, const ConvexShape* a,
                                    const ConvexShape* b);

#endif  // CONDYLE_COLLISION_CONVEX_MANIFOLD_H_
