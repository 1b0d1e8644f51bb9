// body_pairs.h: which bodies can possibly touch.
//
// Every collidable body gets a box around the boxes of its geoms. Bodies of one kinematic tree are
// neighbours in body order and usually in space, so boxes are nested in two levels. Trees are swept
// against each other first; only bodies of trees whose boxes overlap are compared. The cost of n
// robots that don't touch grows about as n, not as (bodies of n robots)^2. Trees that don't move
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

// Appends the pairs of bodies that pass the filters on bits, welds and parents, and whose boxes
// with margins overlap; a body without bounds is paired with every moving one. first id < second
// id, no pair twice, in no order. filter: of the program, replaces the bits of geoms unless it is
// NULL. Returns the boxes of geoms that can collide but those of bodies with a tree
// (body_has_tree), other entries undefined; NULL if no pair needs them. List and boxes stand on the
// stack of d.
const GeomBox* broad_phase(PairList* out, const mjModel* m, mjData* d, mjfConFilt filter);

// Whether a body has no bounds: the world, or a body fixed to the world that has a plane.
int body_is_unbounded(const mjModel* m, int body);

// Whether two bodies pass the filters.
int bodies_may_meet(const mjModel* m, int b1, int b2, mjfConFilt filter);

// Appends all pairs (i, j) of overlapping boxes.
void box_overlaps(PairList* out, mjData* d, const GeomBox* box, int num);
