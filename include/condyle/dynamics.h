// dynamics.h: forward dynamics in time that grows with the number of dofs alone.

#ifndef CONDYLE_DYNAMICS_H_
#define CONDYLE_DYNAMICS_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Acceleration without constraints (nv numbers, m/s^2 or rad/s^2) by the articulated-body
// algorithm:
// qacc_smooth up to rounding, but from bodies and joints, without M, its factor and qfrc_bias.
// Needs kinematics, mj_comPos, mj_comVel, and qfrc_passive and qfrc_actuator of the moment, which
// mj_forward leaves; reads qfrc_applied and xfrc_applied. Nothing in d is written. If a tendon has
// armature, which couples dofs beyond the tree, it is solved by the factor of M: mj_factorM,
// qfrc_bias.
//                                                                      theory/articulated-body.md
MJAPI void cnd_forwardAba(const mjModel* m, mjData* d, mjtNum* qacc);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_DYNAMICS_H_
