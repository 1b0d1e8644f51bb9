// sensor.h: sensors: what they may measure, and how many numbers they give.

#ifndef CONDYLE_COMPILE_MECHANISM_SENSOR_H_
#define CONDYLE_COMPILE_MECHANISM_SENSOR_H_

#include "compile/context.h"

// nsensordata.
void compile_sensorsizes(Compile* c, mjModel* m);

// Could the sensors of a model with valid ids have been compiled?
int compile_soundsensors(const mjModel* m);

void compile_sensors(Compile* c);

// Sizes of sensors that plugins compute; after compile_plugins.
void compile_pluginsensors(Compile* c);

#endif  // CONDYLE_COMPILE_MECHANISM_SENSOR_H_
