// sensor.h: what other modules need to know about sensors.

#pragma once

#include <mujoco/mjdata.h>

#include "sensor/functions.h"
#include "sensor/table.h"

// Stores the values of all sensors that have a buffer and are due, in a step after its forces.
//                                                            theory/time/history.md, Sensors
void sensor_store(const mjModel* m, mjData* d);

// Whether the model has a sensor of this type.
int sensor_exists(const mjModel* m, mjtSensor type);
