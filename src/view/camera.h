// camera.h: what cameras of a model see.

#pragma once

#include <mujoco/mjmodel.h>

// The sides of what the sensor of a camera sees at the near plane: (down, up), (left, right), all
// positive lengths.
void camera_sensor_sides(float zver[2], float zhor[2], const mjModel* m, int camera, float near);
