// stick.h: soft contacts and friction loss that don't creep (condyle.contact = stick).
//
// Friction of a soft contact is a damper: to hold a load at rest it must slip slowly. Here a
// contact has bristles: its friction directions have a deformation z that grows with their slip,
// and a spring,
//
//   aref_t = -b v_t - k z          b, k: as for positions, of solreffriction (or solref)
//
// so z holds a load with v = 0. The deformation of a sliding contact is limited by its friction.
// Friction loss of joints and tendons has one bristle per row. z is stored from step to step in
// cnd_memory (memory.h). Nothing else changes: the problem stays convex, and the solvers are the
// same.
//                                                                        theory/contact/sticking.md

#pragma once

#include <mujoco/mjdata.h>

static inline int stick_is_on(const mjModel* m) {
  return m->cnd_contact.mode == cndCONTACT_STICK;
}

// Adds the springs to efc_aref.
void stick_reference(const mjModel* m, mjData* d);

// Stores the deformations at the end of the step. Reads forces, qacc and rows of the step, and the
// new qvel.
void stick_advance(const mjModel* m, mjData* d);
