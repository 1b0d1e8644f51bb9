// tendon_load.h: forces of spatial tendons on the bodies along their paths.

#pragma once

#include <mujoco/mjdata.h>

// Adds sign * (force, torque), acting at a point, to a body.
typedef void LoadBody(const mjModel* m, mjData* d, int body, const mjtNum force[3],
                      const mjtNum torque[3], const mjtNum point[3], mjtNum sign);

// Loads the ends of all straight pieces between two bodies with the forces of spatial tendons: of
// springs, dampers, armature, actuators, friction, limits and equalities.
void tendon_load(const mjModel* m, mjData* d, LoadBody* load);
