// smooth_law.h: the laws of contact, limits and friction, made smooth by a work tau > 0.
//
//   HARD_PUSH    f > 0, w > 0, f w = tau
//   HARD_BOUND   |f| < bound, w = tau / (bound + f) - tau / (bound - f)
//   HARD_CONE    f_n w_n = tau, and |f_t| < f_n, w_t = -2 tau f_t / (f_n^2 - |f_t|^2)
//   HARD_FREE    w = 0
//
// These are the conditions for the least work of the motion with barriers -tau log f before the
// ends of the laws, friction being bounded by the normal force as it is. For tau = 0 they are the
// laws. Written as f = P(f - w / k), as the laws themselves, they have a value for all f and w.
//                                                        theory/contact/hard-contacts.md, Smoothing

#pragma once

#include "constraint/hard/dofs.h"

typedef struct Smoothing_ {
  mjtNum tau;       // W
  mjtNum friction;  // |f_t| < friction f_n instead of f_n
} Smoothing;

// Computes missing = f - P(f - w / k) of a block with forces f, velocities w, and unless tangent is
// NULL the linear equations that make it zero. weight: the roots of k, 0 for rows that can't be
// moved.
void smooth_law(mjtNum* missing, HardTangent* tangent, const HardBlock* block, const mjtNum* weight,
                const mjtNum* f, const mjtNum* w, Smoothing by);
