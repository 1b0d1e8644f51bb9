// batch.h: running a call over worlds, for the functions of batches.

#pragma once

#include "batch/context.h"

// batch_start begins a call on this many workers, with a mask (NULL: all worlds) and the arguments
// in batch->call; batch_finish ends it.
void batch_start(cndBatch* batch, const mjtByte* mask, WorldCall call, int helpers);
cndtRun batch_finish(cndBatch* batch);

// The same for a call that steps worlds, which may run in lanes (blocks.h).
void batch_start_steps(cndBatch* batch, const mjtByte* mask, WorldCall call, int helpers);

// Runs a call on all threads.
cndtRun batch_run(cndBatch* batch, const mjtByte* mask, WorldCall call);
cndtRun batch_run_steps(cndBatch* batch, const mjtByte* mask, WorldCall call);

// 1 if the call is cancelled; asked by the threads between two steps.
int batch_cancelled(cndBatch* batch, const Slot* slot);
