// why.h: which models and options the code in lanes knows.

#pragma once

#include <mujoco/mjmodel.h>
#include <stddef.h>

#include "lanes/setup/sensor_table.h"

// Larger models gain little.
enum {
  MOST_DOFS = 128
};

// Writes why the parts of a model can't be stepped in lanes. Returns 0 if they can.
int why_model(char* text, size_t size, const mjModel* m);

// Why the options of a model, or callbacks, can't be; NULL if they can.
const char* why_options(const mjModel* m);

// Writes why the sensors of a model can't be read in lanes. Returns 0 if they can.
int why_sensors(char* text, size_t size, const mjModel* m);

// What a kind of sensor needs, by the table of those that lanes read.
LaneNeed sensor_need(int type);

// Whether equalities between bodies, or tendons along their paths, act on bodies with forces that
// lanes don't add to those on bodies.
int coupled_bodies(const mjModel* m);
