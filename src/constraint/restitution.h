// restitution.h: contacts of soft models that bounce.
//
// A spring-damper that is critically damped, which is what soft contacts are, never gives back
// speed. A pair of geoms with a coefficient of restitution e therefore collides: while it
// approaches faster than a threshold, its rows ask for the velocity after an impact at the end of
// the step,
//
//   v -> -e v   along the normal, and, as far as friction can do that, along its own directions
//
// and the solver finds the forces. That friction gives back the same part is what keeps an impact
// from gaining energy, however the bodies are hit. Slower contacts rest as all others do. Rows of
// such a pair have the largest impedance there is, because what a row yields it can't give back.
//
// An impact happens within one step, so integrators that look into a step must not see half of it:
// Runge-Kutta takes steps with an impact whole (step/runge_kutta.c), and in its stages contacts
// that would bounce wait for the next step.                      theory/constraints.md, Restitution

#ifndef CONDYLE_CONSTRAINT_RESTITUTION_H_
#define CONDYLE_CONSTRAINT_RESTITUTION_H_

#include <mujoco/mjdata.h>

// The coefficient of a contact: the larger one of its sides, at most 1.
mjtNum restitution_of(const mjModel* m, const mjContact* contact);

// Does a soft contact have another coefficient than zero?
int restitution_is_soft(const mjModel* m, const mjContact* contact);

// Replaces the reference accelerations (efc_aref) of contacts that bounce. Reads efc_vel and
// efc_aref.
void restitution_reference(const mjModel* m, mjData* d);

// Is there one that bounces in this step? Reads efc_vel.
int restitution_bounces(const mjModel* m, const mjData* d);

#endif  // CONDYLE_CONSTRAINT_RESTITUTION_H_
