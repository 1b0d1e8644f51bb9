// complete.h: which models ask for contacts that the reference leaves out.
//
// A soft model has MuJoCo's contacts, number by number. MuJoCo finds none for some poses of boxes
// that cross or contain each other, a single point for flat convex faces unless multiccd is set,
// and sideways normals at the edges between cells of height fields. Rigid contacts can't push out
// what has no contact, and contacts that stick can't hold a face at a point that jumps. Each choice
// is made here and nowhere else.
//                                                  theory/contact/collision.md, Boxes in each other

#pragma once

#include <mujoco/mjmodel.h>

#include "model/behaviour.h"

// Whether two boxes that overlap always have contacts as deep as they overlap.
static inline int boxes_are_complete(const mjModel* m) {
  return m->cnd_contact.mode != cndCONTACT_SOFT;
}

// Whether the flag multiccd asks for several contacts of convex pairs. It is off unless it is
// enabled or, with the behaviour multiccd, on unless it is disabled.
static inline int several_asked(const mjModel* m) {
  return behaves(m, cndBEHAVIOUR_multiccd) ? !(m->opt.disableflags & mjDSBL_MULTICCD)
                                           : (m->opt.enableflags & mjENBL_MULTICCD) != 0;
}

// Whether two polytopes have as many contacts as their touching faces ask for.
static inline int faces_are_complete(const mjModel* m) {
  return m->cnd_contact.mode != cndCONTACT_SOFT || several_asked(m);
}

// Whether contacts of height fields have normals of the surface only, none of the inside.
static inline int surfaces_are_complete(const mjModel* m) {
  return m->cnd_contact.mode != cndCONTACT_SOFT;
}
