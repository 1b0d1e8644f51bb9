// candidates.h: which bodies the broad phase looks at while some sleep.
//
// What sleeps meets only what is awake. A tree that sleeps is looked at if its box touches that of
// an awake tree, or if a plane moves; otherwise one comparison of boxes is all that it costs.
//                                                      theory/time/sleep.md, What is left out

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/travel.h"

// Writes the bodies that may collide, ascending; returns how many. Without sleep these are all.
// all: whether geoms count that have no bits; travel: what is fast, or NULL.
int candidate_bodies(int* body, const mjModel* m, mjData* d, int all, const Travel* travel);

// Is one of two bodies awake, so that they may collide? A body that can't move is not.
static inline int one_is_awake(const mjData* d, int b1, int b2) {
  return d->body_awake[b1] == mjS_AWAKE || d->body_awake[b2] == mjS_AWAKE;
}

// Whether a body has no bounds: the world, or a body fixed to the world that has a plane.
int body_is_unbounded(const mjModel* m, int body);
