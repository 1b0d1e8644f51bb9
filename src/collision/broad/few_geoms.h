// few_geoms.h: pairs of geoms that may touch, of models with few geoms.
//
// The sphere or capsule around one geom is compared with those of four others at a time, without
// boxes, lists of bodies and sorting. Bit sets say which pairs may collide at all
// (model/meeting.h).
//
//     geom i   . . . . | x . x x | x x . .      cnd_geom_meet & (bounds meet)
//                        four at a time
//
// Only pairs without contact are dropped. Half-cheetah: 0.9 of the instructions of a step.
//                                                          theory/contact/collision.md, Broad phase

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/pair_list.h"

// Appends the pairs, sorted in the order in which they collide: by bodies, then by geoms. Needs
// meeting_holds(m).
void few_geoms_near(PairList* out, const mjModel* m, mjData* d);

// The order of a pair of geoms among all; see collide_bodies in driver.c.
uint64_t few_key(const mjModel* m, int g1, int g2);

// The bodies (lower, higher id) and geoms of a pair.
static inline int few_body(uint64_t key, int side) {
  return (int)(key >> (side ? 32 : 48) & 0xFFFF);
}

static inline int few_geom(uint64_t key, int side) {
  return (int)(key >> (side ? 0 : 16) & 0xFFFF);
}
