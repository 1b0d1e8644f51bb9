// sensor.h: compiling sensors.

#pragma once

#include "compile/context.h"

// Sets nsensordata.
void compile_sensorsizes(Compile* c, mjModel* m);

void compile_sensors(Compile* c);

// Asks plugins for the dimensions of their sensors, then sets sensor_adr of all sensors and
// nsensordata. Call after compile_plugins.
void compile_pluginsensors(Compile* c);
