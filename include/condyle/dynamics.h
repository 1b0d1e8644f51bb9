// dynamics.h: forward dynamics in time linear in the number of dofs.

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

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_DYNAMICS_H_
