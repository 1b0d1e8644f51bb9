// wake.h: what wakes trees by touching them, and where trees sleep.
//                                                        theory/time/sleep.md, Waking

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"

// Wakes the trees that contacts of d tie to something awake. Returns whether something woke; the
// lists are updated then.
int collision_wake(const mjModel* m, mjData* d);

// The box around the geoms of a tree that sleeps, with their margins. It is computed once.
const GeomBox* asleep_box(const mjModel* m, mjData* d, int tree);

// Prepares asleep_box in a stage.
void asleep_boxes_open(const mjModel* m, mjData* d);
