// why.h: which models and options the code in lanes knows.

#pragma once

#include <mujoco/mjmodel.h>
#include <stddef.h>

#include "lanes/setup/sensor_table.h"

// Larger models gain little.
enum {
  MOST_DOFS = 1024,
  MOST_TREES = 32  // of models whose solver ends before the minimum
};

// Writes why the parts of a model can't be stepped in lanes. Returns 0 if they can.
int why_model(char* text, size_t size, const mjModel* m);

// Why the options of a model, or callbacks, can't be; NULL if they can. minimum: a model that
// allows few iterations is taken to its minimum.
const char* why_options(const mjModel* m, int minimum);

// Whether a model allows so few iterations that lanes go the way of the scalar engine.
int lanes_end_early(const mjModel* m, int minimum);

// Writes why the sensors of a model can't be read in lanes. Returns 0 if they can.
int why_sensors(char* text, size_t size, const mjModel* m);

// What a sensor needs, by the table of those that lanes read.
LaneNeed sensor_need(const mjModel* m, int i);

// Whether equalities between bodies, or tendons along their paths, act on bodies with forces that
// lanes don't add to those on bodies.
int coupled_bodies(const mjModel* m);
