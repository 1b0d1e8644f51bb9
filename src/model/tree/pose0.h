// pose0.h: where bodies are at qpos0, from the model alone: joints move nothing there.

#pragma once

#include <mujoco/mjmodel.h>

// A point fixed to a body, from its frame to the world.
void point_at_rest(mjtNum out[3], const mjModel* m, int body, const mjtNum point[3]);

// The axes of a body, as the quaternion from its frame to the world.
void axes_at_rest(mjtNum quat[4], const mjModel* m, int body);
