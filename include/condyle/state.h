// state.h: everything on which the next step depends, as one vector.
//
// mj_getState takes parts of the state by the bits of mjtState. The vector here is the one of
// cndSTATE_INTEGRATION: time, qpos, qvel, act, histories of delays, the warm start, what the user
// sets (ctrl, applied forces, active equalities, mocap poses, user data), and the state of plugins
// and plastic springs. The memory of hard or sticking contacts (mjData.cnd_memory: forces of the
// last step, deformations) is part of mjSTATE_WARMSTART, right after qacc_warmstart; soft models
// have none. So mj_getState with mjSTATE_INTEGRATION saves it too. A program that saves
// mjSTATE_PHYSICS alone does not restore it.
//                                                               theory/conventions.md, State vector

#ifndef CONDYLE_STATE_H_
#define CONDYLE_STATE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sums of bits that have the histories and plastic springs of later releases under each
// mjVERSION_API; mjSTATE_FULLPHYSICS and mjSTATE_INTEGRATION have them under 400 alone. In models
// without them the vectors are the same.
enum {
  cndSTATE_FULLPHYSICS = mjSTATE_FULLPHYSICS | mjSTATE_HISTORY | mjSTATE_PLASTIC,
  cndSTATE_INTEGRATION = mjSTATE_INTEGRATION | mjSTATE_HISTORY | mjSTATE_PLASTIC
};

// Length of the state vector: mj_stateSize(m, cndSTATE_INTEGRATION). Ends in mju_error if an int
// can't count them.
MJAPI int cnd_stateSize(const mjModel* m);

// Copies the state of d to state (cnd_stateSize numbers).
MJAPI void cnd_getState(const mjModel* m, const mjData* d, mjtNum* state);

// Copies a state into d. Steps from equal states give equal bits. Nothing is normalised or
// recomputed: results of stages (frames, contacts, forces) stay as they are until mj_forward or the
// next step.
MJAPI void cnd_setState(const mjModel* m, mjData* d, const mjtNum* state);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_STATE_H_
