// sight.h: whether another geom is in the way of two that are about to collide.
//
// Pairs are looked at one by one, so a ball above a table would also collide with the floor below.
// The line between the points that will touch, at the beginning of the step, tells: what it crosses
// is hit first.                                       theory/contact/speculative.md, Line of sight

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/travel.h"

// A pair of geoms; the first one travels further.
typedef struct SightPair {
  int first, second;
} SightPair;

// Whether a geom that the first one may collide with, and is not in contact with, crosses the line
// between two points. filter: the program's, or NULL.
int sight_is_blocked(const mjModel* m, mjData* d, SightPair pair, const mjtNum from[3],
                     const mjtNum to[3], mjfConFilt filter);
