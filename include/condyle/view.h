// view.h: moving a camera without a scene, and what the mouse does in 4.0.0.

#ifndef CONDYLE_VIEW_H_
#define CONDYLE_VIEW_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

// Moves a free or tracking camera by an action of the mouse (mjtMouse), without a scene, as
// mjv_moveCamera of 3.11 and later does. Where the camera stands and how much it sees follow from
// the camera and the model. Cameras that track a body are turned around it and zoomed only.
// mjMOUSE_TURN_V and mjMOUSE_TURN_H turn the camera where it stands. Unknown actions are an error,
// except for fixed cameras, which nothing moves.
MJAPI void cnd_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, mjvCamera* cam);

// mjv_applyPerturbForce of 4.0.0: what is pulled and turned has the torques of both (in 3.3.7 that
// of the turn alone), and the world has none.
MJAPI void cnd_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_VIEW_H_
