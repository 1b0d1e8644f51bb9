// profile.h: the time that a step spends on each pair of geoms.
//
// mjData.timer holds the time of each stage, on the program's clock (mjcb_time). The callback here
// gets the time of the narrow phase for each pair.

#ifndef CONDYLE_PROFILE_H_
#define CONDYLE_PROFILE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Called for every pair of geoms in the narrow phase, with geom1 and geom2 in order of their types.
// ncon is the number of contacts, duration the time in the unit of mjcb_time (0 without a clock).
// It is called from the thread that steps, and must not change model or data.
typedef void (*cndfPair)(const mjModel* m, const mjData* d, int geom1, int geom2, int ncon,
                         mjtNum duration);

// The callback. NULL, its value at the start and after mj_resetCallbacks, means that nothing is
// measured.
MJAPI extern cndfPair cnd_observePair;

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_PROFILE_H_
