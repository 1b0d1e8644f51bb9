// tendon_length.h: second derivatives of the length of a tendon; its first derivative is the
// Jacobian of the tendon.
//
// The length of a piece of string is a function L of the places of its two ends, as seen from a
// frame: the frame of the geom that it wraps, or the world. With the velocities u of the ends
// relative to that frame and the gradient G of L,
//
//   J_k = G . u_k        D_j J_k = sum of w (h . u_j) (h . u_k)  +  G . D_j u_k
//
// The sum over at most six directions h, with weights w, is the Hessian of L.
// Symbols: kinematics.h (D_j).
//                                              theory/time/exact-derivatives.md, Lengths of strings

#pragma once

#include "derivative/tree/kinematics.h"

// G += D (J' force) of a tendon with a number `force`, nv x nv. The part that is due to constant
// forces at the points of the tendon goes into loads instead. Returns 1 at a kink: the string
// grazes a geom, or its ends and the center of a sphere are on a line.
int tendon_derivative(mjtNum* G, Load* loads, const mjModel* m, mjData* d, int tendon,
                      mjtNum force);

// out += scale d(length)/dq, nv numbers. It differs from the row of J if a fixed tendon names a
// joint twice.
void tendon_length_derivative(mjtNum* out, const mjModel* m, const mjData* d, int tendon,
                              mjtNum scale);

// out += scale D (J z) with constant z, nv numbers; W: twists of the bodies at the joint velocities
// z.
void tendon_rate_derivative(mjtNum* out, const mjModel* m, mjData* d, int tendon, const Twists* W,
                            mjtNum scale);
