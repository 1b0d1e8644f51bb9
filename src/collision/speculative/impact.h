// impact.h: when two geoms that keep their velocities for a step come together.
//
// Conservative advancement (Mirtich, 1996): along the direction n between the nearest points, no
// two points of the geoms close faster than
//
//     vb = n.(dx1 - dx2) + |dw1| rbound1 + |dw2| rbound2
//
// so the time d / vb can't be too long. The geoms are moved by it, and their distance is measured
// anew, until they have come near. They never overlap on the way, so each distance is GJK's and has
// a definite direction.
//                                                   theory/contact/speculative.md, Time of impact
//
//     d ^
//    D0 |.
//       |  .  vb          each straight line ends at the target T, the next
//       |   `.  .         one begins at the true distance there
//       |     .   ` .
//     T +------.------.--
//       +----------------> t

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/travel.h"
#include "collision/convex/gjk.h"

// One of the two geoms, at its pose at the time that is looked at.
typedef struct Traveller {
  const GeomTravel* travel;
  int geom;
  mjtNum pos[3], mat[9];  // at the beginning of the step
  ConvexShape shape;      // now; a plane has only the pose
} Traveller;

typedef struct Impact {
  Traveller side[2];
  int is_plane;    // the first geom is one
  mjtNum margin;   // at which they count as touching
  mjtNum t;        // time of the impact, a fraction of the step; > 0
  mjtNum dist;     // at the poses of the shapes
  mjtNum target;   // distance that is still to be left when they have come together
  mjtNum closing;  // by how much the nearest points come closer in a whole step, > 0
  mjtNum n[3];     // unit normal, from the first geom to the second
  Gjk nearest;     // x1, x2: the nearest points; the last search
  int id;          // above a plane: the vertex of x2, -1 if it is none
} Impact;

// Whether two geoms, in order of type, which are more than margin apart, come together within the
// step. Uses d's stack as scratch memory.
int impact_find(Impact* out, const Travel* travel, const mjModel* m, mjData* d, int g1, int g2,
                mjtNum margin);

// The signed distance of two geoms now.
mjtNum impact_distance(const mjModel* m, mjData* d, int geom1, int geom2);

// Where a point that one of the geoms carries is at the beginning of the step.
void impact_origin(mjtNum out[3], const Impact* impact, int side, const mjtNum point[3]);
