// restitution.h: contacts of soft models that bounce.
//
// Soft contacts are critically damped, so they never bounce. A contact with a coefficient of
// restitution e > 0 that approaches faster than a threshold has an impact: the velocity v becomes
//
//   v -> -e v   along the normal and, within the friction cone, along the friction directions
//
// at the end of the step. Its reference accelerations ask for that velocity, and the solver finds
// the forces. Friction has the same coefficient, so that an impact never gains energy. Slower
// contacts are not changed. The rows have the largest possible impedance, because a row with a
// lower impedance reaches only a part of its reference acceleration.
//
// An impact takes one step and can't be divided. So Runge-Kutta integrates steps with an impact as
// a whole (step/runge_kutta.c), and in its later stages contacts that would bounce have no force.
//                                                        theory/contact/constraints.md, Restitution

#pragma once

#include <mujoco/mjdata.h>

// The coefficient of restitution of a contact: the larger one of its sides, at most 1.
mjtNum restitution_of(const mjModel* m, const mjContact* contact);

// Whether a contact of a soft model has a coefficient above zero.
int restitution_is_soft(const mjModel* m, const mjContact* contact);

// Replaces the reference accelerations (efc_aref) of contacts that bounce. Reads efc_vel and
// efc_aref.
void restitution_reference(const mjModel* m, mjData* d);

// Whether a contact bounces in this step. Reads efc_vel.
int restitution_bounces(const mjModel* m, const mjData* d);
