// sensor.h: what other modules need to know about sensors.

#ifndef CONDYLE_SENSOR_SENSOR_H_
#define CONDYLE_SENSOR_SENSOR_H_

#include <mujoco/mjdata.h>

#include "sensor/functions.h"
#include "sensor/table.h"

// Whether the model has a sensor of this type.
int sensor_exists(const mjModel* m, mjtSensor type);

#endif  // CONDYLE_SENSOR_SENSOR_H_
