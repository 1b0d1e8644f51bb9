// dynamics.h: how the force that rigid bodies need for a motion changes with position and velocity.

#ifndef CONDYLE_DERIVATIVE_TREE_DYNAMICS_H_
#define CONDYLE_DERIVATIVE_TREE_DYNAMICS_H_

#include <mujoco/mjdata.h>

// A motion: joint velocities (NULL: at rest), joint accelerations (NULL: none), with or without
// gravity.
typedef struct {
  const mjtNum *velocity, *acceleration;
  int gravity;
} JointMotion;

// Motion of bodies and what it changes by, in the notation of kinematics.h: with V_<j and a_<j the
// velocity and acceleration before the joint of j, e_j the velocity after it,
//
//   D_j V_b = S_j x V_b + rate_j                   dV_b/dv_j = S_j
//   D_j a_b = S_j x a_b + lift_j - V_b x rate_j    da_b/dv_j = drift_j - V_b x S_j  da_b/dx_j = S_j
//
//   rate_j = V_<j x S_j      lift_j = a_<j x S_j + V_<j x rate_j      drift_j = (V_<j + e_j) x S_j
typedef struct {
  mjtNum *V, *a;                // 6 x nbody; the acceleration in the frame that falls freely
  mjtNum *rate, *lift, *drift;  // 6 x nv
  int is_moving;                // whether there are velocities
} BodyMotion;

// On the stack of d, which the caller has marked.
BodyMotion motion_make(const mjModel* m, mjData* d, const JointMotion* motion);

// Velocity and acceleration of a point p that moves with a body, in the world, and how they change
// with position and velocity of a dof j on the chain of the body. With s_j = the rotation of S_j:
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

// What a subtree adds up to: the force on it, and twice its linear momentum p and the matrix A,
// row-major, of
//
//   B S = (A s, -2 p x s)      S = (s, l),  B of theory/derivatives.md, Bias derivative
//
// Its inertia is d->crb.
typedef struct {
  mjtNum force[6], A[9], p2[3];
} Subtree;

// Of all bodies but the world, on the stack of d.
Subtree* motion_subtrees(const mjModel* m, mjData* d, const BodyMotion* motion);

// Forces on the subtree of `body`, or of dof j if that is below: how they change with position,
// velocity and acceleration of dof j.
void subtree_derivative(mjtNum by_q[6], mjtNum by_v[6], mjtNum by_x[6], const mjModel* m,
                        const mjData* d, const BodyMotion* motion, const Subtree* subtrees,
                        int body, int j);

// dq += scale d(force)/dq, dv += scale d(force)/dv (dv may be NULL), nv x nv, of
//
//   force = M x + c(q, v)          without what armature adds, which depends on neither
void dynamics_derivative(mjtNum* dq, mjtNum* dv, const mjModel* m, mjData* d,
                         const BodyMotion* motion, mjtNum scale);

#endif  // CONDYLE_DERIVATIVE_TREE_DYNAMICS_H_
