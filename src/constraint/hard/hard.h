// hard.h: rigid contacts, limits and equalities as one problem of forces per step.
//
// The rows are those of the soft model (efc_*), cones elliptic. What they must obey is written for
// the velocities at the end of the step, so impacts, resting contacts and friction are one thing:
//
//   v = K f + b,   K = h J X^-1 J',   b = J (v0 + h X^-1 qfrc_smooth)
//
// X is the matrix with which the integrator makes velocities of forces: M, or M plus what it takes
// of damping at the end of the step. A second solve finds the velocity that moves the configuration
// back, once, where bodies overlap or equalities have drifted apart: it adds no energy of motion.
//                                                                   theory/contact/hard-contacts.md

#pragma once

#include <mujoco/mjdata.h>

#include "constraint/hard/matrix.h"

static inline int hard_is_on(const mjModel* m) {
  return m->cnd_contact.mode == cndCONTACT_HARD;
}

// Writes efc_force, efc_state, qfrc_constraint, qacc, cnd_correction and the statistics. With an
// implicit integrator, qH and qHDiagInv must hold the factor of its matrix.
void hard_forward(const mjModel* m, mjData* d);

// The rows of d and the matrix of its integrator, on the stack: what K is made of.
void hard_system(HardSystem* s, const mjModel* m, mjData* d);

// Ends in an error of that function if contacts are hard: which forces they make is not determined
// by accelerations.
void hard_refuse_inverse(const mjModel* m, const char* function);

// The residual of efc_force, as the next solve would see it.
mjtNum hard_check(const mjModel* m, mjData* d);
