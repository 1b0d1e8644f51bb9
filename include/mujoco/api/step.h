// step.h: the functions of the interface for steps and their stages: those that src/step defines.
// Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_STEP_H_
#define MUJOCO_API_STEP_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjversion.h>

#ifdef __cplusplus
extern "C" {
#endif

// data

// Makes the data of a simulation of m, in the state after a reset; NULL, with a warning, if memory
// is out. If the model lets trees sleep, those that begin asleep do (mj_forward is called for
// that).
MJAPI mjData* mj_makeData(const mjModel* m);

// Sets the state to qpos0, everything else to zero. Trees may begin asleep, as in mj_makeData.
MJAPI void mj_resetData(const mjModel* m, mjData* d);

// Like mj_resetData, but fills whatever is not state or input with a byte, to make the use of stale
// results visible. Counts and indices are zero, so that nothing is read through them.
MJAPI void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value);

// Resets, then takes the state of a keyframe; any other number than 0 <= key < nkey only resets.
MJAPI void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key);

// simulation

// One step in time: forward dynamics, then integration. Calls mjcb_control.
MJAPI void mj_step(const mjModel* m, mjData* d);

// The first half of a step, up to what depends on velocity; afterwards the user sets controls.
MJAPI void mj_step1(const mjModel* m, mjData* d);

// The second half of a step: actuation, acceleration, integration (never Runge-Kutta).
MJAPI void mj_step2(const mjModel* m, mjData* d);

// Forward dynamics: acceleration and everything else that follows from state and inputs.
MJAPI void mj_forward(const mjModel* m, mjData* d);

// Inverse dynamics: from qacc to qfrc_inverse.
MJAPI void mj_inverse(const mjModel* m, mjData* d);

// Forward dynamics, leaving out stages up to skipstage (mjtStage), whose results are still valid,
// and sensors and energy if skipsensor is set.
MJAPI void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// mj_inverse with the shortcuts of mj_forwardSkip.
MJAPI void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// stages

// Poses of everything: kinematics, centers of mass, cameras and lights, flexes, tendons. Of 3.4.
MJAPI void mj_fwdKinematics(const mjModel* m, mjData* d);

// All that depends on position: kinematics, inertia, collision, constraint rows.
MJAPI void mj_fwdPosition(const mjModel* m, mjData* d);

// All that depends on velocity: velocities, passive forces, bias, reference accelerations.
MJAPI void mj_fwdVelocity(const mjModel* m, mjData* d);

// qfrc_smooth and qacc_smooth: motion without constraints.
MJAPI void mj_fwdAcceleration(const mjModel* m, mjData* d);

// Integrates one step, semi-implicit Euler.
MJAPI void mj_Euler(const mjModel* m, mjData* d);

// Integrates one step, Runge-Kutta of order N (4).
MJAPI void mj_RungeKutta(const mjModel* m, mjData* d, int N);

// Integrates one step, implicit in velocity (both kinds).
MJAPI void mj_implicit(const mjModel* m, mjData* d);

// The parts of mj_inverse.
MJAPI void mj_invPosition(const mjModel* m, mjData* d);
MJAPI void mj_invVelocity(const mjModel* m, mjData* d);

// Runs inverse dynamics after forward dynamics and stores their disagreement in solver_fwdinv.
MJAPI void mj_compareFwdInv(const mjModel* m, mjData* d);

// Look for nan or huge numbers in qpos, qvel, qacc; warn and, unless disabled, reset. After a reset
// mj_checkAcc also runs forward dynamics.
MJAPI void mj_checkPos(const mjModel* m, mjData* d);
MJAPI void mj_checkVel(const mjModel* m, mjData* d);
MJAPI void mj_checkAcc(const mjModel* m, mjData* d);

// derivatives by finite differences: x is nudged by eps (in its own unit), and the change divided
// by it

// Derivatives by finite differences of a step and its sensors, about the state and controls of d:
//
//   d(next x) = A dx + B du      d(sensordata) = C dx + D du      x = (qpos, qvel, act), u = ctrl
//
// Matrices are row-major. With n = 2 nv + na, A is n x n, B n x nu, C nsensordata x n, D
// nsensordata x nu; each may be NULL. Positions and their changes are tangent vectors, as
// velocities times a second (mj_integratePos, mj_differentiatePos), so quaternions count three.
// flg_centered nudges to both sides, for twice the cost. A control is not nudged out of its range,
// and has no effect if it is out of it. All integrators; the implicit ones take the matrix that
// they solve with as independent of controls and activations.
// State and inputs are as before; the rest of d is what the last nudge has left. Nothing is checked
// or reset: a state without a finite step has no finite derivatives.
// Errors: eps that is zero or not finite, an arena too small for a few states.
MJAPI void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, CND_BOOL flg_centered,
                            mjtNum* A, mjtNum* B, mjtNum* C, mjtNum* D);

// mjd_inverseFD, below, but m is M, and DmDq is nv x nC, as in 4.0.0.
MJAPI void cnd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, CND_BOOL flg_actuation,
                         mjtNum* DfDq, mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv,
                         mjtNum* DsDa, mjtNum* DmDq);

#if mjVERSION_API >= 400
static inline void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtBool flg_actuation,
                                 mjtNum* DfDq, mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq,
                                 mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq) {
  cnd_inverseFD(m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq);
}
#else
// Derivatives of inverse dynamics by finite differences, about qpos (q), qvel (v) and qacc (a), by
// nudges to one side. f is qfrc_inverse, without the forces of the actuators if flg_actuation is
// set; s is sensordata, m is qM. Row i holds the derivatives by input i: DfDq, DfDv and DfDa are
// nv x nv, DsDq, DsDv and DsDa nv x nsensordata, DmDq nv x nM; each may be NULL. Positions are
// tangent vectors. What is left in d is as with mjd_transitionFD. Errors: those of
// mjd_transitionFD, the noslip solver (which inverse dynamics does not know), Runge-Kutta in
// discrete time.
MJAPI void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation,
                         mjtNum* DfDq, mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv,
                         mjtNum* DsDa, mjtNum* DmDq);
#endif

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_STEP_H_
