// sensor.h: the functions of the interface for sensors: those that src/sensor defines.
// Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_SENSOR_H_
#define MUJOCO_API_SENSOR_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// questions

// Evaluates the sensors of the stages position, velocity and acceleration, into sensordata. Those
// of the velocity stage compute the velocities of subtrees, those of the acceleration stage cacc,
// cfrc_int and cfrc_ext, each if a sensor needs them.
MJAPI void mj_sensorPos(const mjModel* m, mjData* d);
MJAPI void mj_sensorVel(const mjModel* m, mjData* d);
MJAPI void mj_sensorAcc(const mjModel* m, mjData* d);

// additions of later releases: 3.13

// 1 if a point of the world is inside a site's shape, not on its surface, else 0.
MJAPI int mj_insideSite(const mjModel* m, const mjData* d, int siteid, const mjtNum point[3]);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_SENSOR_H_
