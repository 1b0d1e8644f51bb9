// contact_parameters.h: regularizer, spring and impedance of the rows of contacts.
//                                                        theory/contact/constraints.md, Regularizer

#pragma once

#include "constraint/rows/spring_cache.h"

// Whether two contacts have the same geoms and dimension.
static inline int contact_same_geoms(const mjContact* a, const mjContact* b) {
  return a->geom[0] == b->geom[0] && a->geom[1] == b->geom[1] && a->dim == b->dim;
}

// Whether they have the same margin, friction and spring, too.
int contact_same_parameters(const mjContact* a, const mjContact* b);

// efc_diagApprox, KBIP, R, D and mu of one contact, or of n contacts of two geoms that share their
// parameters, whose rows follow each other from `row` on. exact: the diagonals of all rows of the
// step, if they are known; NULL: they are approximated.
void contact_parameters(const mjModel* m, mjData* d, mjContact* contact, int n, int row,
                        const mjtNum* exact, SpringCache* spring);
