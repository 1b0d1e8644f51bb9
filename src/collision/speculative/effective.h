// effective.h: at which distance a soft contact lets two geoms come just as far as they may.
//
// The law of a contact asks for an acceleration that depends on its distance and on how fast it
// closes. Of a contact that is still open the true distance would stop all motion at once, or do
// nothing. So the law is solved for the distance at which the geoms keep the part t of their
// velocity: at the end of the step they then have come to where they touch.
//                                            theory/contact/speculative.md, The effective distance

#pragma once

#include <mujoco/mjtnum.h>

// What the law of a contact is made of, after the usual checks.
typedef struct EffectiveLaw {
  mjtNum h;         // time step, s
  mjtNum K, B;      // stiffness (1/s^2) and damping (1/s)
  mjtNum strength;  // impedance dm of deep contacts
  mjtNum width;     // of the impedance's curve
  int is_discrete;  // the integrator evaluates the spring at the end of the step
} EffectiveLaw;

// The effective distance of a contact that acts within margin, closes by `closing` in a step and
// touches at time t of it.
mjtNum effective_distance(const EffectiveLaw* law, mjtNum margin, mjtNum closing, mjtNum t);
