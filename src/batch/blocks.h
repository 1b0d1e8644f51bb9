// blocks.h: steps of several worlds side by side, where the model allows it.
//
// The worlds of a call are cut into blocks with one world per lane; a short last block is filled up
// with copies. The items of the loop are then blocks. What lanes can't do (warnings, resets, full
// slots, results that they don't compute) is done afterwards by mj_step, world by world:
//
//   loop over blocks --> some worlds are left --> loop over these, as without lanes
//
// A world that is left still has its old state, so the second loop makes all of its steps.
//                                                                           docs/batch.md, Lanes

#pragma once

#include "batch/context.h"

// Makes the structure and memory of lanes for the present choice (batch->lanes.choice). Returns 0
// if memory is out.
int blocks_make(cndBatch* batch);
void blocks_free(cndBatch* batch);

// Makes the loop of a call step blocks instead of single worlds; batch->mask says which worlds.
// Changes nothing if the worlds have to be stepped one by one.
void blocks_start(cndBatch* batch);

// Ends the loop over blocks. Returns 1 if worlds are left, and sets batch->mask to these. After a
// cancelled loop only worlds that lack nothing but their last step are left.
int blocks_left(cndBatch* batch, int cancelled);

// Sums up a call that has ended, or was cancelled.
void blocks_end(cndBatch* batch, int cancelled);

// An estimate of the speed of lanes over that of one by one, by what they have counted.
double blocks_gain(const LaneCount* count, int lanes);

// The time of the thread in seconds, 0 if nobody asks.
double blocks_clock(const cndBatch* batch);

// The number of steps that a world still has to make.
int blocks_steps(const cndBatch* batch, int world);
