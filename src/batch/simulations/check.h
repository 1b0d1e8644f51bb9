// check.h: checks of arguments, and of calls from within.

#pragma once

#include "batch/simulations/context.h"

// A batch whose simulation this thread runs. A function of mjb_apply may call other batches, whose
// simulations it runs inside.
typedef struct SimRunning_ {
  const mjBatch* b;
  const struct SimRunning_* outer;
} SimRunning;

// Begins and ends a simulation in this thread.
void sim_enter(SimRunning* here, const mjBatch* b);
void sim_leave(const SimRunning* here);

// Ends in mju_error unless b is given and this thread is not inside one of its simulations.
void sim_check(const char* function, const mjBatch* b);

// Runs call(argument) while no other thread runs anything on the batch; what it may call itself is
// allowed. An error in it comes out when the batch is free again.
void sim_alone(mjBatch* b, void (*call)(void* argument), void* argument);

void sim_check_stage(const char* function, int stage);
void sim_check_index(const char* function, const mjBatch* b, int sim);
