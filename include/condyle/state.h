// state.h: all that the next step depends on, as one vector.
//
// mj_getState takes parts of the state by the bits of mjtState. The vector here is the one of
// mjSTATE_INTEGRATION: time, qpos, qvel, act, the warm start, what the user sets (ctrl, applied
// forces, active equalities, mocap poses, user data) and the state of plugins, in the order of the
// bits. What contacts remember when they are hard or stick (mjData.cnd_memory: forces of the last
// step, deformations) is a part of mjSTATE_WARMSTART, right after qacc_warmstart; soft models have
// none. So a program that saves mjSTATE_INTEGRATION by mj_getState has it too, and one that saves
// mjSTATE_PHYSICS alone goes on from bristles and forces that belong to another moment.
//                                                               theory/conventions.md, State vector

#ifndef CONDYLE_STATE_H_
#define CONDYLE_STATE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// How many numbers the state has: those of mj_stateSize(m, mjSTATE_INTEGRATION). An error, and 0,
// if an int can't count them.
MJAPI int cnd_stateSize(const mjModel* m);

// Copies the state of d out to state (cnd_stateSize numbers).
MJAPI void cnd_getState(const mjModel* m, const mjData* d, mjtNum* state);

// Copies a state into d. Steps from equal states are equal bit by bit. Nothing is normalised or
// recomputed: results of stages (frames, contacts, forces) are those of before until mj_forward or
// the next step.
MJAPI void cnd_setState(const mjModel* m, mjData* d, const mjtNum* state);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_STATE_H_
