// stick.h: soft contacts that don't creep (condyle.contact = stick).
//
// Friction of a soft contact is a damper: to hold a load at rest it must slip, slowly. Here a
// contact has bristles: its friction directions have a deformation z that grows with what it slips,
// and a spring,
//
//   aref_t = -b v_t - k z          b, k: as for positions, of solreffriction (or solref)
//
// so a load is held by z with v = 0. A contact that slides bends no further than its friction can
// hold. z is kept from step to step in cnd_memory (memory.h); nothing else changes: the problem is
// as convex, and the solvers are the same.
//                                                                                theory/sticking.md

#ifndef CONDYLE_CONSTRAINT_STICK_H_
#define CONDYLE_CONSTRAINT_STICK_H_

#include <mujoco/mjdata.h>

static inline int stick_is_on(const mjModel* m) {
  return m->cnd_contact.mode == cndCONTACT_STICK;
}

// Adds the springs to efc_aref.
void stick_reference(const mjModel* m, mjData* d);

// The deformations at the end of the step, into the memory. Reads forces, qacc and rows of the
// step, and the new qvel.
void stick_advance(const mjModel* m, mjData* d);

#endif  // CONDYLE_CONSTRAINT_STICK_H_
