// body_pairs.h: which bodies can possibly touch.
//
// Every collidable body gets a box around the boxes of its geoms. Bodies of one kinematic
// tree are neighbours in body order and usually in space, so boxes are nested in two levels: trees
// are swept against each other first, and only bodies of trees whose boxes overlap are compared. So
// n robots that don't touch cost n, not (bodies of n robots)^2.
//
//     trees      [  A  ]   [ B [ ] C  ]      sweep along the axis of largest spread
//     bodies      a1 a2 ..    b.. c..        all pairs of few, sweep of many
//
// Nothing here is remembered between steps or computed beforehand from fields that programs edit
// (bit masks, margins, sizes, flags): the answer depends on the model and the positions alone.
//                                                                  theory/collision.md, Broad phase

#ifndef CONDYLE_COLLISION_BROAD_BODY_PAIRS_H_
#define CONDYLE_COLLISION_BROAD_BODY_PAIRS_H_

#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"
#include "collision/broad/pair_list.h"

// Appends the pairs of bodies that pass the filters on bits, welds and parents, and whose bounds
// (with margins) overlap or which need no such test; first id < second id, no pair twice, in no order.
// A filter of the program, unless it is NULL, replaces the bits of geoms. The list lives on the
// stack of mjData, and so do the boxes of geoms that are returned: of those that can collide, the
// rest is undefined; NULL if no pair needs them.
const Box* broad_phase(PairList* out, const mjModel* m, mjData* d, mjfConFilt filter);

#endif  // CONDYLE_COLLISION_BROAD_BODY_PAIRS_H_
