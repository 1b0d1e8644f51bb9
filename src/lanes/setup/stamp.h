// stamp.h: a number of the structure of a model, to notice that it has changed under a batch.

#pragma once

#include <mujoco/mjmodel.h>
#include <stdint.h>

// A hash of the ids, types and flags from which a LaneStructure is made, and of which rows the
// numbers of the model make at all: friction loss, springs and dampers of tendons.
uint64_t structure_stamp(const mjModel* m);
