// small_model.h: a model put together by hand, for tests of the containers that need no compiler.
//
//   world -- base (free joint "root") -- arm (hinge "elbow")
//         -- target (mocap)
//
// One actuator with an activation, one equality, two keyframes, user data; names of all of them.

#pragma once

#include <mujoco/mujoco.h>

// Makes it; free with mj_deleteModel.
mjModel* small_model(void);

// Its sizes alone, in a struct without arrays.
mjModel small_model_sizes(void);
