// travel.h: how far geoms travel in the coming step, and which pairs may pass through each other.
//
// Collisions are found at the poses of a step's beginning. Of two geoms, one that travels further
// than the thinner one is thick may be on one side of the other now and on its other side next,
// with no contact between. The flag speculative looks ahead: geoms keep their velocity for a step,
//
//     x(t) = x + t dx,  R(t) = exp(t [dw]) R,   0 <= t <= 1,   dx = h v,  dw = h w
//
// and bounds hold all that is swept. A stage without fast pairs is as it was without the flag.
//                                                       theory/contact/speculative.md, Fast pairs

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/vec.h"
#include "collision/broad/geom_box.h"

// Travel of a geom in a step: of its centre, and about its centre (rotation vector). Spheres don't
// turn.
typedef struct GeomTravel {
  mjtNum move[3], turn[3];
  mjtNum angle;   // |turn|
  mjtNum length;  // of the longest way of a point, at most: |move| + |turn| rbound
  mjtNum thin;    // smallest half size of the geom's box; infinite if it takes no part
} GeomTravel;

// The longest way and the smallest thickness of a body's geoms.
typedef struct BodyTravel {
  mjtNum length, thin;
} BodyTravel;

// Travel of all geoms and bodies, on the stack of an mjData.
typedef struct Travel {
  const GeomTravel* geom;  // ngeom
  const BodyTravel* body;  // nbody
} Travel;

// Finds the travel of all geoms from qvel, on the stack of d, which the caller pops. Returns 0 if
// the flag is off, the native pipeline is disabled, or no pair can be fast.
int travel_open(Travel* out, const mjModel* m, mjData* d);

// Whether a pair is fast: the longer way is at least the smaller thickness.
static inline int travel_is_fast(mjtNum length1, mjtNum thin1, mjtNum length2, mjtNum thin2) {
  mjtNum length = num_max(length1, length2);
  return length > 0 && length >= num_min(thin1, thin2) && length < mjMAXVAL;
}

// Whether two geoms are a fast pair, or two bodies may have one. travel may be NULL: none is.
static inline int travel_geoms_fast(const Travel* travel, int g1, int g2) {
  return travel && travel_is_fast(travel->geom[g1].length, travel->geom[g1].thin,
                                  travel->geom[g2].length, travel->geom[g2].thin);
}

static inline int travel_bodies_fast(const Travel* travel, int b1, int b2) {
  return travel && travel_is_fast(travel->body[b1].length, travel->body[b1].thin,
                                  travel->body[b2].length, travel->body[b2].thin);
}

// Extends the box of a geom by what the geom sweeps.
void travel_extend(GeomBox* box, const Travel* travel, const mjModel* m, int geom);

// Whether the bounding spheres of two geoms are more than margin apart all along their way. A plane
// counts as its half-space, at the beginning and the end of the step.
int travel_spheres_apart(const Travel* travel, const mjModel* m, const mjData* d, int g1, int g2,
                         mjtNum margin);
