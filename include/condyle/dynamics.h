// dynamics.h: forward dynamics in time linear in the number of dofs, and numerical functions that
// give other results in 4.0.0, whose programs call them by their names there (mujoco.h).

#ifndef CONDYLE_DYNAMICS_H_
#define CONDYLE_DYNAMICS_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Acceleration without constraints (nv numbers, m/s^2 or rad/s^2) by the articulated-body
// algorithm. It equals qacc_smooth up to rounding, but needs neither M and its factor nor
// qfrc_bias. It reads the results of kinematics, mj_comPos and mj_comVel, and qfrc_passive,
// qfrc_actuator, qfrc_applied and xfrc_applied; mj_forward leaves them all in d. Nothing in d is
// written. If a tendon has armature, which couples dofs across the tree, the factor of M
// (mj_factorM) and qfrc_bias are used instead.
//                                                                 theory/smooth/articulated-body.md
MJAPI void cnd_forwardAba(const mjModel* m, mjData* d, mjtNum* qacc);

// mju_round, but halves go away from zero, and what is beyond int becomes the nearest one.
MJAPI int cnd_roundAway(mjtNum x);

// mju_cholFactor, but the column below a pivot that becomes mindiag is 0.
MJAPI int cnd_cholFactor(mjtNum* mat, int n, mjtNum mindiag);

// mju_cholFactorBand, but the result is the smallest pivot itself, not its square.
MJAPI mjtNum cnd_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd,
                                mjtNum diagmul);

// mju_eig3, but what is negligible is a part of the largest element.
MJAPI int cnd_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_DYNAMICS_H_
