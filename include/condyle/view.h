// view.h: moving a camera without a scene.

#ifndef CONDYLE_VIEW_H_
#define CONDYLE_VIEW_H_

#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

// Moves a camera that is the mouse's by an action (mjtMouse): mjv_moveCamera of 3.11 and later,
// where it has no scene. Where the camera stands and how much it sees follow from it and the model.
// Cameras that track a body are turned around it and zoomed only. mjMOUSE_TURN_V and mjMOUSE_TURN_H
// turn the camera where it stands. Unknown actions are an error, except for fixed cameras, which
// nothing moves.
MJAPI void cnd_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, mjvCamera* cam);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_VIEW_H_
