// run.h: running a call over the selected simulations.

#pragma once

#include "batch/simulations/context.h"

// Checks a selection and begins the description of a call.
SimCall sim_call(const char* function, const mjBatch* b, const int* ids, int nid, SimRun run);

// Runs a call and returns how many simulations failed.
int sim_run(mjBatch* b, const SimCall* call);

// Sets parts of the state from numbers in the order of the bits, as mj_setState, but for
// equalities: any number but 0 makes them active.
void sim_set_state(const mjModel* m, mjData* d, const mjtNum* numbers, unsigned int sig);

// Loads a row and its counters of warnings.
void sim_load(const mjBatch* b, const mjModel* m, mjData* d, int sim);

// Says that the data of a persistent simulation no longer hold the stages of its row.
void sim_forget_stages(mjBatch* b, int sim);

// Whether d holds the velocity stage of the present row, but for inputs that it doesn't read.
int sim_is_ahead(const mjBatch* b, int sim);
