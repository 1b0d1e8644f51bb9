// sensor.h: compiling sensors, and checking those of binary models.

#ifndef CONDYLE_COMPILE_MECHANISM_SENSOR_H_
#define CONDYLE_COMPILE_MECHANISM_SENSOR_H_

#include "compile/context.h"

// Sets nsensordata.
void compile_sensorsizes(Compile* c, mjModel* m);

// Are the sensors of a model with valid ids such as the compiler could have made?
int compile_validsensors(const mjModel* m);

void compile_sensors(Compile* c);

// Sets the sizes of plugin sensors; after compile_plugins.
void compile_pluginsensors(Compile* c);

#endif  // CONDYLE_COMPILE_MECHANISM_SENSOR_H_
