// tree_runs.h: loops over runs of awake bodies, in parts of whole trees on the threads of a pool.
//
// What a stage does with a tree depends on no other, so a long run can be cut wherever one begins.
//                                                   theory/data.md, Threads within one step

#pragma once

#include "model/data/awake.h"

// Works on the bodies of a run, which has joints, dofs and geoms but may be without its sites.
typedef void (*RunCall)(void* argument, const AwakeRun* run);

// The argument of loops that need no more.
typedef struct RunData_ {
  const mjModel* m;
  mjData* d;
} RunData;

// Is a run cut?
int run_is_cut(const mjData* d, const AwakeRun* run);

// Calls call for a run, or for its parts in any order. Calls use no stack and don't warn.
void run_share(const mjModel* m, mjData* d, const AwakeRun* run, RunCall call, void* argument);

// The same for all runs of d.
void runs_share(const mjModel* m, mjData* d, RunCall call, void* argument);
