// smooth.h: the functions of the interface for kinematics, inertia, forces and everything else that
// needs no contact: those that src/smooth defines. Programs include mujoco.h; its conventions hold
// here.

#ifndef MUJOCO_API_SMOOTH_H_
#define MUJOCO_API_SMOOTH_H_

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjversion.h>

#ifdef __cplusplus
extern "C" {
#endif

// stages

// Actuator forces and qfrc_actuator.
MJAPI void mj_fwdActuation(const mjModel* m, mjData* d);

// Potential energy into energy[0]: gravity and springs.
MJAPI void mj_energyPos(const mjModel* m, mjData* d);

// Kinetic energy into energy[1].
MJAPI void mj_energyVel(const mjModel* m, mjData* d);

// Poses of bodies, joints, geoms and sites from qpos.
MJAPI void mj_kinematics(const mjModel* m, mjData* d);

// Centers of mass of subtrees; inertias and motion axes about them.
MJAPI void mj_comPos(const mjModel* m, mjData* d);

// Poses of cameras and lights.
MJAPI void mj_camlight(const mjModel* m, mjData* d);

// Vertices, boxes of elements, edges and their derivatives of flexes.
MJAPI void mj_flex(const mjModel* m, mjData* d);

// Paths, lengths and moment arms of tendons.
MJAPI void mj_tendon(const mjModel* m, mjData* d);

// Lengths and moments of actuators.
MJAPI void mj_transmission(const mjModel* m, mjData* d);

// Inertia matrix qM by composite bodies.
MJAPI void mj_crb(const mjModel* m, mjData* d);

// The whole inertia matrix: composite bodies, tendon armature, and its compressed form M.
MJAPI void mj_makeM(const mjModel* m, mjData* d);

// Factors M = L'DL without fill-in.
MJAPI void mj_factorM(const mjModel* m, mjData* d);

// x = inv(M) y for n row vectors of length nv; x and y may be the same.
MJAPI void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n);

// x = sqrt(inv(D)) inv(L') y for n row vectors; sqrtInvD has length nv.
MJAPI void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y,
                      const mjtNum* sqrtInvD, int n);

// Velocities of bodies and rates of motion axes.
MJAPI void mj_comVel(const mjModel* m, mjData* d);

// Passive forces: springs, dampers, gravity compensation, medium.
MJAPI void mj_passive(const mjModel* m, mjData* d);

// Velocities and angular momenta of subtrees.
MJAPI void mj_subtreeVel(const mjModel* m, mjData* d);

// result[nv] = M qacc + bias by recursive Newton-Euler; without the first term if flg_acc is 0.
MJAPI void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result);

// support functions

// Jacobians (3 x nv) of a point fixed to a body, given in the world frame: translation jacp,
// rotation jacr; either may be NULL.
MJAPI void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                  const mjtNum point[3], int body);

// mj_jac at the origin of the body frame.
MJAPI void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);

// mj_jac at the body's center of mass.
MJAPI void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);

// Jacobian (3 x nv) of the center of mass of a subtree.
MJAPI void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body);

// Jacobians at the center of a geom; either may be NULL.
MJAPI void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom);

// Jacobians at a site; either may be NULL.
MJAPI void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site);

// Jacobians (3 x nv) of a point and of a direction fixed to a body; either may be NULL.
MJAPI void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis,
                           const mjtNum point[3], const mjtNum axis[3], int body);

// Time derivatives of the Jacobians of mj_jac; either may be NULL.
MJAPI void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                     const mjtNum point[3], int body);

// The matrix (3 x nv) that maps qvel to the angular momentum of a subtree about its center of mass.
MJAPI void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body);

#if mjVERSION_API >= 400
// dst (nv x nv) = the full inertia matrix, d->M.
static inline void mj_fullM(const mjModel* m, const mjData* d, mjtNum* dst) {
  mju_sym2dense(dst, d->M, m->nv, m->M_rownnz, m->M_rowadr, m->M_colind);
}
#else
// dst (nv x nv) = the full inertia matrix from M given in the layout of mjData.qM.
MJAPI void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M);
#endif

// res[nv] = M vec[nv].
MJAPI void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// res[nv] = sqrt(D) L vec[nv], whose squared norm is vec' M vec.
MJAPI void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Adds M to dst: sparse rows if the three patterns are given (room for the union is needed), else
// the lower triangle of a dense matrix.
MJAPI void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind);

// Adds to qfrc_target[nv] the generalized force of a force and a torque, given in the world frame,
// at a point of a body; either may be NULL.
MJAPI void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3],
                      const mjtNum point[3], int body, mjtNum* qfrc_target);

// Velocity (angular rad/s, linear m/s) of an object at its origin, in its own axes if flg_local,
// else in world axes. objtype: body (at its center of mass), xbody, geom, site or camera; others
// are an error. Zero for what is fixed to the world.
MJAPI void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid,
                             mjtNum res[6], int flg_local);

// Acceleration (angular, linear with gravity subtracted) of an object, with the arguments of
// mj_objectVelocity. Needs mj_rnePostConstraint.
MJAPI void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid,
                                 mjtNum res[6], int flg_local);

// qvel[nv] that leads from qpos1[nq] to qpos2[nq] in time dt (s); turns go the shorter way.
MJAPI void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1,
                               const mjtNum* qpos2);

// Moves qpos[nq] along qvel[nv] for the time dt (s).
MJAPI void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt);

// Makes every quaternion in qpos[nq] a unit quaternion.
MJAPI void mj_normalizeQuat(const mjModel* m, mjtNum* qpos);

// World position xpos and matrix xmat of a frame at (pos, quat) in a body. sameframe (mjtSameFrame)
// tells which products can be left out. xpos or xmat may be NULL, and then pos or quat.
MJAPI void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                           const mjtNum quat[4], int body, mjtByte sameframe);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_SMOOTH_H_
