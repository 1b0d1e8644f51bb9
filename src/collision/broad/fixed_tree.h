// fixed_tree.h: which geoms of a body are near those of a large fixed one.
//
// Descending two trees together opens the nodes of a large body again for each part of a small one.
// Here the tree of the large body is asked once for its leaves in the box around the other, and the
// other's tree for the geoms in the box of each such leaf. Both ask by boxes along the axes of the
// fixed tree, six comparisons each; frames of boxes come in for the few pairs that are left.
//                                                            theory/contact/collision.md, Mid phase

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"
#include "collision/broad/pair_list.h"

// Appends the pairs of geoms of bodies b1 and b2, of which one has a tree of its own
// (body_has_tree), that the joint descent of both trees finds as well. box: of the other's geoms.
// filter: the program's, or NULL.
void fixed_tree_pairs(PairList* out, const mjModel* m, mjData* d, const GeomBox* box, int b1,
                      int b2, mjfConFilt filter);
