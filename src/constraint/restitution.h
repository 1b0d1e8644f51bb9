// restitution.h: contacts of soft models that bounce.
//
// Soft contacts are critically damped, so they never bounce. A pair of geoms with a coefficient of
// restitution e therefore has impacts: while it approaches faster than a threshold, its reference
// accelerations lead to the velocity after an impact at the end of the step,
//
//   v -> -e v   along the normal and, within the friction cone, along the friction directions
//
// and the solver finds the forces. Friction reflects the same part, so that an impact never gains
// energy, however the bodies are hit. Slower contacts rest as all others do. The rows of such a
// pair have the largest possible impedance, because a row that yields loses speed.
//
// An impact happens within one step, so integrators that look into a step must not see half of it:
// Runge-Kutta takes steps with an impact whole (step/runge_kutta.c), and in its stages contacts
// that would bounce wait for the next step.                      theory/constraints.md, Restitution

#ifndef CONDYLE_CONSTRAINT_RESTITUTION_H_
#define CONDYLE_CONSTRAINT_RESTITUTION_H_

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

#endif  // CONDYLE_CONSTRAINT_RESTITUTION_H_
