// constraint.h: the functions of the interface for constraint rows and their solvers: those that
// src/constraint defines. Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_CONSTRAINT_H_
#define MUJOCO_API_CONSTRAINT_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// stages

// Constraint forces and qacc.
MJAPI void mj_fwdConstraint(const mjModel* m, mjData* d);

// Constraint forces and qfrc_constraint from qacc.
MJAPI void mj_invConstraint(const mjModel* m, mjData* d);

// Accelerations of bodies and the forces between them, after the constraints are solved.
MJAPI void mj_rnePostConstraint(const mjModel* m, mjData* d);

// Constraint rows of equalities, friction loss, limits and contacts.
MJAPI void mj_makeConstraint(const mjModel* m, mjData* d);

// Constraint islands.
MJAPI void mj_island(const mjModel* m, mjData* d);

// The rows in force space (efc_AR), for solvers that need them.
MJAPI void mj_projectConstraint(const mjModel* m, mjData* d);

// Velocities and reference accelerations of the rows.
MJAPI void mj_referenceConstraint(const mjModel* m, mjData* d);

// States and forces of the rows and qfrc_constraint, from jar[nefc] = J qacc - efc_aref. Writes the
// cost to cost unless NULL, and the Hessians of elliptic contacts if flg_coneHessian is set.
MJAPI void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1],
                               int flg_coneHessian);

// support functions

// res[nefc] = J vec[nv], J dense or sparse as it is.
MJAPI void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// res[nv] = J' vec[nefc].
MJAPI void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Force (N) and torque (N m) of contact id in its frame, acting on the second object; zeros if
// there is no such contact or it has no constraint rows.
MJAPI void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_CONSTRAINT_H_
