// body_pairs.h: which bodies can possibly touch.
//
// Every collidable body gets a box around the boxes of its geoms. Bodies of one kinematic tree are
// neighbours in body order and usually in space, so boxes are nested in two levels. Trees are swept
// against each other first; only bodies of trees whose boxes overlap are compared. For n robots
// that don't touch, the cost grows about as n, not as (bodies of n robots)^2. Trees that don't move
// are swept against those that do, and not against each other.
//
//     trees      [  A  ]   [ B [ ] C  ]      sweep along the axis of largest spread
//     bodies      a1 a2 ..    b.. c..        all pairs if few, sweep if many
//
// Nothing is remembered between steps, and nothing is computed beforehand from fields that programs
// edit (bit masks, margins, sizes, flags). The pairs depend on the model and the positions alone.
//                                                          theory/contact/collision.md, Broad phase

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"
#include "collision/broad/pair_list.h"
#include "collision/broad/travel.h"

// Appends the pairs of bodies that pass the filters (bits, welds, parents) and whose boxes overlap,
// margins included. A body without bounds is paired with every moving one. In a pair the first id
// is the smaller one; no pair comes twice, and the order is undefined. filter: the program's, or
// NULL; it replaces the bit test of geoms. travel: what is fast, or NULL; boxes then hold all that
// geoms sweep. Returns the boxes of all geoms that can collide, except those of bodies with a tree
// (body_has_tree), whose entries are undefined; NULL if no pair needs boxes. List and boxes lie on
// the stack of d.
const GeomBox* broad_phase(PairList* out, const mjModel* m, mjData* d, mjfConFilt filter,
                           const Travel* travel);

// Whether two bodies pass the filters.
int bodies_may_meet(const mjModel* m, int b1, int b2, mjfConFilt filter);
