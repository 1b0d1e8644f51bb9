// blocks.h: steps of several worlds side by side, where the model allows it.
//
// The worlds of a call are cut into blocks, one world for each lane; a short last block is filled
// up with copies. An item of the loop is then a block. What lanes can't do (warnings, resets, full
// slots, results that they don't compute) is done afterwards, world by world, by mj_step:
//
//   loop over blocks --> some worlds are left --> loop over these, as without lanes
//
// A world that is left has its old state still, so that the second loop makes all its steps.
//                                                                           docs/batch.md, Lanes

#pragma once

#include "batch/context.h"

// Makes structure and memory for the present way of stepping (batch->lanes.choice). Returns 0 if
// memory is out.
int blocks_make(cndBatch* batch);
void blocks_free(cndBatch* batch);

// Makes the loop of a call that steps the worlds of batch->mask one over blocks; leaves it as it is
// if they have to be stepped one by one.
void blocks_start(cndBatch* batch);

// Ends it; returns 1 if worlds are left, whose mask is then batch->mask. After a cancelled loop
// they are those that lack their last step alone.
int blocks_left(cndBatch* batch, int cancelled);

// The number of steps that a world is left with.
int blocks_steps(const cndBatch* batch, int world);
