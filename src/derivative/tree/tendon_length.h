// tendon_length.h: second derivatives of the length of a tendon, whose gradient is its Jacobian.
//
// The length of a piece of string is a function L of the places of its two ends, as they are seen
// from a frame: that of the geom it wraps, or the world. With u the velocities of the ends against
// the frame,
//
//   J_k = G . u_k        D_j J_k = sum of w (h . u_j) (h . u_k)  +  G . D_j u_k
//
// where the sum, over at most six directions h, is the Hessian of L.
//                                                   theory/exact-derivatives.md, Lengths of strings

#ifndef CONDYLE_DERIVATIVE_TREE_TENDON_LENGTH_H_
#define CONDYLE_DERIVATIVE_TREE_TENDON_LENGTH_H_

#include "derivative/tree/kinematics.h"

// The part of D (J' force) of a tendon that is not due to constant forces at its points, which go
// into loads: G += that part, nv x nv. force is a number. Returns 1 if the tendon is at a kink: the
// string grazes a geom, or its ends and a sphere's center are on a line.
int tendon_derivative(mjtNum* G, Load* loads, const mjModel* m, mjData* d, int tendon,
                      mjtNum force);

// out += scale d(length)/dq, nv numbers. A fixed tendon that names a joint twice has a row of J
// that is not that.
void tendon_length_derivative(mjtNum* out, const mjModel* m, const mjData* d, int tendon,
                              mjtNum scale);

// out += scale D (J z) with constant z, nv numbers; W are the velocities that z gives.
void tendon_rate_derivative(mjtNum* out, const mjModel* m, mjData* d, int tendon, const Twists* W,
                            mjtNum scale);

#endif  // CONDYLE_DERIVATIVE_TREE_TENDON_LENGTH_H_
