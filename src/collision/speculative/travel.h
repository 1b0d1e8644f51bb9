// travel.h: how far geoms travel in the coming step, and which of them may pass through others.
//
// Collisions are found at the poses of a step's beginning. A geom that travels further than it is
// thick may be on one side of a thin one now and on its other side next, with no contact between.
// The flag speculative looks ahead: geoms keep their velocity for a step,
//
//     x(t) = x + t dx,  R(t) = exp(t [dw]) R,   0 <= t <= 1,   dx = h v,  dw = h w
//
// and bounds of fast geoms hold all that is swept. A stage without fast geoms makes no travel, and
// is as it was without the flag.                         theory/contact/speculative.md, Fast geoms

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"

// Travel of a geom in a step: of its centre, about its centre (rotation vector), and the largest of
// any of its points. Spheres don't turn.
typedef struct GeomTravel {
  mjtNum move[3], turn[3];
  mjtNum angle;   // |turn|
  mjtNum length;  // |move| + |turn| rbound
  int is_fast;    // length is at least the smallest half size of the geom's box
} GeomTravel;

// Travel of all geoms, on the stack of an mjData. is_fast: of bodies, whether a geom of theirs is.
typedef struct Travel {
  const GeomTravel* geom;  // ngeom
  const char* is_fast;     // nbody
} Travel;

// Finds the travel of all geoms from qvel, on the stack of d, which the caller pops. Returns 0 if
// the flag is off, the native pipeline is disabled, or no geom is fast.
int travel_open(Travel* out, const mjModel* m, mjData* d);

// Whether one of two geoms, or of two bodies, is fast. travel may be NULL: none is.
static inline int travel_has_fast_geoms(const Travel* travel, int g1, int g2) {
  return travel && (travel->geom[g1].is_fast || travel->geom[g2].is_fast);
}

static inline int travel_has_fast_bodies(const Travel* travel, int b1, int b2) {
  return travel && (travel->is_fast[b1] || travel->is_fast[b2]);
}

// Extends the box of a geom by what the geom sweeps.
void travel_extend(GeomBox* box, const Travel* travel, const mjModel* m, int geom);

// Whether the bounding spheres of two geoms are more than margin apart all along their way. A plane
// counts as its half-space, at the beginning and the end of the step.
int travel_spheres_apart(const Travel* travel, const mjModel* m, const mjData* d, int g1, int g2,
                         mjtNum margin);
