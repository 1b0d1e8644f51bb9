// dynamics.h: derivatives of the force that rigid bodies need for a motion (M x + c), by position
// and velocity.

#pragma once

#include <mujoco/mjdata.h>

// A motion: joint velocities (NULL: at rest), joint accelerations (NULL: none), with or without
// gravity.
typedef struct {
  const mjtNum *velocity, *acceleration;
  int gravity;
} JointMotion;

// Twists V and spatial accelerations a of bodies, and their derivatives by dof j, in the notation
// of kinematics.h. The names rate, lift and drift are of this code, for three terms of the
// derivatives. V_<j and a_<j belong to the frame before the joint of j, e_j is the twist after the
// joint:
//
//   D_j V_b = S_j x V_b + rate_j                   dV_b/dv_j = S_j
//   D_j a_b = S_j x a_b + lift_j - V_b x rate_j    da_b/dv_j = drift_j - V_b x S_j  da_b/dx_j = S_j
//
//   rate_j = V_<j x S_j      lift_j = a_<j x S_j + V_<j x rate_j      drift_j = (V_<j + e_j) x S_j
typedef struct {
  mjtNum *V, *a;                // 6 x nbody; the acceleration less that of gravity
  mjtNum *rate, *lift, *drift;  // 6 x nv
  int is_moving;                // whether there are velocities
} BodyMotion;

// Computes the motion of all bodies, on the stack of d, which the caller has marked.
BodyMotion motion_make(const mjModel* m, mjData* d, const JointMotion* motion);

// Velocity and acceleration, in the world, of a point p that is fixed to a body, and their
// derivatives by a dof j on the chain of the body. s_j is the rotation of S_j:
//
//   v = V(p)                    D_j v = s_j x v + rate_j(p)                dv/dv_j = S_j(p)
//   a = a_b(p) + w x v          D_j a = s_j x a + (D_j a_b - S_j x a_b)(p) + rate_w x v
//                                       + w x rate_j(p)
//                               da/dv_j = (da_b/dv_j)(p) + s_j x v + w x S_j(p)
typedef struct {
  mjtNum v[3], a[3];
} PointMotion;

PointMotion motion_point(const mjModel* m, const mjData* d, const BodyMotion* motion, int body,
                         const mjtNum p[3]);
PointMotion motion_point_by_position(const mjModel* m, const mjData* d, const BodyMotion* motion,
                                     int body, const mjtNum p[3], int j);
PointMotion motion_point_by_velocity(const mjModel* m, const mjData* d, const BodyMotion* motion,
                                     int body, const mjtNum p[3], int j);

// Sums over a subtree: the force on it, and the velocity-dependent operator B in the derivative of
// the bias force by motion along an axis S = (s, l), s: rotation, l: translation.
//
//   B S = (A s, -2 p x s)                              theory/time/derivatives.md, Bias derivative
//
// So the row-major 3 x 3 matrix A and twice the linear momentum p are all that is stored. The
// inertia of the subtree is d->crb.
typedef struct {
  mjtNum force[6], A[9], p2[3];
} Subtree;

// Subtrees of all bodies but the world, on the stack of d.
Subtree* motion_subtrees(const mjModel* m, mjData* d, const BodyMotion* motion);

// Derivatives of the force on the subtree of `body`, or of dof j if that is below `body`, by
// position, velocity and acceleration of dof j.
void subtree_derivative(mjtNum by_q[6], mjtNum by_v[6], mjtNum by_x[6], const mjModel* m,
                        const mjData* d, const BodyMotion* motion, const Subtree* subtrees,
                        int body, int j);

// dq += scale d(force)/dq, dv += scale d(force)/dv (dv may be NULL), both nv x nv, of
//
//   force = M x + c(q, v)
//
// Armature is left out: its part of the force depends on neither q nor v.
void dynamics_derivative(mjtNum* dq, mjtNum* dv, const mjModel* m, mjData* d,
                         const BodyMotion* motion, mjtNum scale);

// out[k nv + j] += D_j M_kk, nv x nv, of the bodies' inertia. The composite inertias are known.
void inertia_diagonal_derivative(mjtNum* out, const mjModel* m, const mjData* d);
