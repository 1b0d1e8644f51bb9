// derive.h: the functions of the interface that read binary models and compute what follows from
// the rest of a model: those that src/compile/derive defines. Programs include mujoco.h; its
// conventions hold here.

#ifndef MUJOCO_API_DERIVE_H_
#define MUJOCO_API_DERIVE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Reads a model in the binary format. Returns NULL with a warning if the file is not one that this
// library could have written. vfs may be NULL. Free with mj_deleteModel.
MJAPI mjModel* mj_loadModel(const char* filename, const mjVFS* vfs);

// mj_loadModel for a model in memory.
MJAPI mjModel* mj_loadModelBuffer(const void* buffer, mjtSize buffer_sz);

// Recomputes all constants of m that follow from others at qpos0; d is working memory and ends up
// at qpos_spring. To be called after a change of masses, sizes, poses or qpos0. Running out of
// memory is an error (mju_error).
MJAPI void mj_setConst(mjModel* m, mjData* d);

// Finds the lengths between which an actuator can move, by pulling at it in a simulation with the
// options of m, and writes actuator_lengthrange. Returns 1, or 0 with the reason in error.
MJAPI int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error,
                            int error_sz);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_DERIVE_H_
