// data.h: data as they are made and reset, before anything is computed for them.

#pragma once

#include <mujoco/mjdata.h>

// Data in their initial state; NULL, with a warning, if memory runs out.
mjData* data_make(const mjModel* m);

// Returns data to their initial state. value: a byte that fills what a step computes, for tests.
void data_reset(const mjModel* m, mjData* d, unsigned char value);

// Copies the state of a keyframe, which must exist.
void data_load_key(const mjModel* m, mjData* d, int key);
