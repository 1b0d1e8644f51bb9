// contact_law.h: the law of a contact: of a cone if `cone` is set and it has friction, else edges.

#pragma once

#include "lanes/laws/cone.h"
#include "lanes/laws/pyramid.h"

INLINE Change contact_change(const ContactSlot* slot, Real mu, int dim, int cone, Real step) {
  return cone && dim > 1 ? cone_change(slot, mu, dim, step) : pyramid_change(slot, dim, step);
}

INLINE void contact_line(Real* slope, Real* curvature, const ContactSlot* slot, Real mu, int cone,
                         Real step, int dim) {
  if (cone && dim > 1) {
    cone_line(slope, curvature, slot, mu, dim, step);
  } else {
    pyramid_line(slope, curvature, slot, dim, step);
  }
}

// Forces at x, or with `given` those that PGS has found.
INLINE void contact_force(Real f[6], const ContactSlot* slot, Real mu, int dim, int cone,
                          int given) {
  if (given) {
    f[0] = slot->v[0];
    copy_reals(f + 1, slot->v + 1, dim - 1);
  } else if (cone && dim > 1) {
    cone_force(f, slot, mu, dim);
  } else {
    pyramid_force(f, slot, dim);
  }
}

INLINE void contact_curvature(Real h[6][6], const ContactSlot* slot, Real mu, int dim, int cone) {
  if (cone && dim > 1) {
    cone_curvature(h, slot, mu, dim);
  } else {
    pyramid_curvature(h, slot, dim);
  }
}
