// profile.h: which pairs of geoms a step's time goes to.
//
// mjData.timer tells the time of each stage, as a clock of the program's (mjcb_time) gives it; this
// tells what the narrow phase of the collision stage spends on each pair.

#ifndef CONDYLE_PROFILE_H_
#define CONDYLE_PROFILE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Is told of every pair of geoms that went through the narrow phase, in order of type: how many
// contacts came of it and the time it took, in the unit of mjcb_time (0 without a clock). Called
// from the thread that steps; must not change model or data.
typedef void (*cndfPair)(const mjModel* m, const mjData* d, int geom1, int geom2, int ncon,
                         mjtNum duration);

// NULL, as at the start and after mj_resetCallbacks: nobody is told, and nothing is measured.
MJAPI extern cndfPair cnd_observePair;

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_PROFILE_H_
