// smooth_law.h: the laws of contact, limits and friction, made smooth by a power tau > 0 (W).
//
// f: force, w: relative velocity of a row. As in interior-point methods, f w = 0 becomes f w = tau,
// and tau goes to 0:
//
//   HARD_PUSH    f > 0, w > 0, f w = tau
//   HARD_BOUND   |f| < bound, w = tau / (bound + f) - tau / (bound - f)
//   HARD_CONE    f_n w_n = tau, and |f_t| < f_n, w_t = -2 tau f_t / (f_n^2 - |f_t|^2)
//   HARD_FREE    w = 0
//
// With the friction bound held at the present normal force, these are the optimality conditions of
// a convex problem with log barriers, such as -tau log f, at the limits of the forces. For tau = 0
// they are the laws of problem.h. They are solved as f = P(f - w / k), k = weight^2 (friction: the
// largest of its rows), P: the smoothed projection onto the allowed forces, which is defined for
// any f and w, also infeasible ones.
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
