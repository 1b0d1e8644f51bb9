// tree_runs.h: loops over runs of awake bodies, in parts of whole trees on the threads of a pool.
//
// What a stage does with a tree depends on no other, so a long run can be cut wherever one begins,
// and trees of the same shape can be computed side by side (model/tree/alike.h).
//                                                   theory/data.md, Threads within one step

#pragma once

#include "model/data/awake.h"
#include "model/tree/alike.h"

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

// The groups of trees that stages compute side by side, and the runs of all other bodies.
typedef struct TreeGroups_ {
  int n, nplain;
  const int *tree, *group;  // as in AlikeLists
  const AwakeRun* plain;
} TreeGroups;

static inline TreeGroups tree_groups(const mjModel* m, const mjData* d) {
  int own = awake_some_sleep(m, d), n = own ? d->cnd_ngroup : m->cnd_ngroup;
  if (!m->cnd_ngroup || !n) {
    return (TreeGroups){0, d->cnd_nrun, NULL, NULL, awake_run(d, 0)};
  }
  return (TreeGroups){n, own ? d->cnd_nplain : m->cnd_nplain,
                      own ? d->cnd_group_tree : m->cnd_group_tree,
                      own ? d->cnd_group : m->cnd_group,
                      (const AwakeRun*)(const void*)(own ? d->cnd_plain : m->cnd_plain)};
}

// Works on the groups [begin, end).
typedef void (*GroupCall)(void* argument, const TreeGroups* groups, int begin, int end);

// Calls `beside` for all groups and `call` for the runs of all other bodies, or for parts of them,
// in any order. Calls use no stack and don't warn.
void trees_share(const mjModel* m, mjData* d, RunCall call, GroupCall beside, void* argument);

// Calls `call` for the runs of all other bodies alone.
void plain_share(const mjModel* m, mjData* d, const TreeGroups* groups, RunCall call,
                 void* argument);

// Calls `beside` for all groups alone.
void groups_share(const mjModel* m, mjData* d, const TreeGroups* groups, GroupCall beside,
                  void* argument);
