// step.h: the functions of the interface for steps and their stages: those that src/step defines.
// Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_STEP_H_
#define MUJOCO_API_STEP_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

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

// Inverse dynamics with the same shortcuts.
MJAPI void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// stages

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

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_STEP_H_
