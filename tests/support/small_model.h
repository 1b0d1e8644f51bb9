// small_model.h: a model put together by hand, for tests of the containers that need no compiler.
//
//   world -- base (free joint "root") -- arm (hinge "elbow")
//         -- target (mocap)
//
// One actuator with an activation, one equality, two keyframes, user data; names of all of them.

#ifndef CONDYLE_TESTS_SUPPORT_SMALL_MODEL_H_
#define CONDYLE_TESTS_SUPPORT_SMALL_MODEL_H_

#include <mujoco/mujoco.h>

// Makes it; free with mj_deleteModel.
mjModel* small_model(void);

// Its sizes alone, in a struct without arrays.
mjModel small_model_sizes(void);

#endif  // CONDYLE_TESTS_SUPPORT_SMALL_MODEL_H_
