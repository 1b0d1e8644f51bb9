// sensor.h: compiling sensors, and checking those of binary models.

#pragma once

#include "compile/context.h"

// Sets nsensordata.
void compile_sensorsizes(Compile* c, mjModel* m);

// Are the sensors of a model with valid ids such as the compiler could have made?
int compile_validsensors(const mjModel* m);

void compile_sensors(Compile* c);

// Asks plugins for the dimensions of their sensors, then sets sensor_adr of all sensors and
// nsensordata. Call after compile_plugins.
void compile_pluginsensors(Compile* c);
