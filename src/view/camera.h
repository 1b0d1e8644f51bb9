// camera.h: what cameras of a model see.

#pragma once

#include <mujoco/mjmodel.h>

// The sides of the frustum of a camera's sensor at the near plane: (down, up) and (left, right),
// all as positive lengths.
void camera_sensor_sides(float zver[2], float zhor[2], const mjModel* m, int camera, float near);
