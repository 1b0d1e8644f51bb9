// dynamics.h: how the force that rigid bodies need for a motion changes with position and velocity.

#ifndef CONDYLE_DERIVATIVE_DYNAMICS_H_
#define CONDYLE_DERIVATIVE_DYNAMICS_H_

#include <mujoco/mjdata.h>

// A motion: joint velocities (NULL: at rest), joint accelerations (NULL: none), with or without gravity.
typedef struct {
  const mjtNum *velocity, *acceleration;
  int gravity;
} Motion;

// Motion of bodies and what it changes by, in the notation of kinematics.h: with V_<j and a_<j the
// velocity and acceleration before the joint of j, e_j the velocity after it,
//
//   D_j V_b = S_j x V_b + rate_j                   dV_b/dv_j = S_j
//   D_j a_b = S_j x a_b + lift_j - V_b x rate_j    da_b/dv_j = drift_j - V_b x S_j     da_b/dx_j = S_j
//
//   rate_j = V_<j x S_j      lift_j = a_<j x S_j + V_<j x rate_j      drift_j = (V_<j + e_j) x S_j
typedef struct {
  mjtNum *V, *a;                // 6 x nbody; the acceleration in the frame that falls freely
  mjtNum *rate, *lift, *drift;  // 6 x nv
} BodyMotion;

// On the stack of d, which the caller has marked.
BodyMotion motion_make(const mjModel* m, mjData* d, const Motion* motion);

// dq += scale d(force)/dq, dv += scale d(force)/dv (dv may be NULL), nv x nv, of
//
//   force = M x + c(q, v)          without what armature adds, which depends on neither
void dynamics_derivative(mjtNum* dq, mjtNum* dv, const mjModel* m, mjData* d,
                         const BodyMotion* motion, mjtNum scale);

#endif  // CONDYLE_DERIVATIVE_DYNAMICS_H_
