// manifold.h: several contacts where two polytopes touch in a face or along an edge.
//
// One contact can't keep a box from tipping. The penetration search ends at a triangle of A - B,
// whose corners name the vertices of A and B that touch. The faces and edges at these vertices,
// projected along the normal, overlap in the area of contact.
//
//          A's face        B's face, clipped by each edge of A's in turn
//        +-----------+
//        |     o=====|=====+           o  contacts
//        |     ‖     o     |
//        +-----o-----o     |
//              +-----------+                                    theory/contact/convex.md, Manifolds

#pragma once

#include <mujoco/mjdata.h>

#include "collision/convex/gjk.h"

// Contact points of two polytopes, at most max and at most mjMAXCONPAIR, from the result of
// epa_depth in g. point: on B; the opposite point of A is point - offset. Returns 0 if the shapes
// touch in a single point. The stack of d is scratch memory.
int convex_manifold(mjtNum point[mjMAXCONPAIR][3], mjtNum offset[3], const Gjk* g, mjData* d,
                    const ConvexShape* a, const ConvexShape* b, int max);

// The features behind such points: a face of shape `clips` (0: A, 1: B) clips a face or an edge of
// the other shape. Vertices and outward unit normals are in the world.
typedef struct ManifoldFeatures {
  int clips;
  int owner;  // the shape whose face has the direction of offset
  mjtNum clip_normal[3], owner_normal[3];
  int nclip, ncut;
  mjtNum clip[MAX_FACETS][3], cut[MAX_FACETS][3];
} ManifoldFeatures;

// The features of the same search, on the stack of d, which the caller has marked; NULL if there
// are none.
ManifoldFeatures* manifold_features(const Gjk* g, mjData* d, const ConvexShape* a,
                                    const ConvexShape* b);
