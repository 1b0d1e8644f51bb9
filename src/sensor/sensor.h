// sensor.h: what other modules need to know about sensors.

#pragma once

#include <mujoco/mjdata.h>

#include "sensor/functions.h"
#include "sensor/table.h"

// Whether the model has a sensor of this type.
int sensor_exists(const mjModel* m, mjtSensor type);
