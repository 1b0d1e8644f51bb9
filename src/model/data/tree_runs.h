// tree_runs.h: loops over runs of awake bodies, in parts of whole trees on the threads of a pool.
//
// What a stage does with a tree depends on no other, so a long run can be cut wherever one begins,
// and trees of the same shape can be computed side by side (model/tree/alike.h).
//                                                   theory/data.md, Threads within one step

#pragma once

#include "model/data/awake.h"
#include "model/data/share.h"
#include "model/tree/alike.h"

// Works on the bodies of a run, which has joints, dofs and geoms but may be without its sites.
typedef void (*RunCall)(void* argument, const AwakeRun* run);

// The argument of loops that need no more.
typedef struct RunData_ {
  const mjModel* m;
  mjData* d;
} RunData;

enum {
  RUN_LEAST = 512  // bodies that are worth to wake a thread
};

// Is a run cut?
static inline int run_is_cut(const mjData* d, const AwakeRun* run) {
  return share_pays(d, run->body_end - run->body, RUN_LEAST);
}

// Calls call for parts of a run in any order. Calls use no stack and don't warn.
void run_cut(const mjModel* m, mjData* d, const AwakeRun* run, RunCall call, void* argument);

// The same for a run or, if it is cut, for its parts. These loops are inline: of a step of a
// pendulum calls to them took 5%.
static inline void run_share(const mjModel* m, mjData* d, const AwakeRun* run, RunCall call,
                             void* argument) {
  if (run_is_cut(d, run)) {
    run_cut(m, d, run, call, argument);
  } else {
    call(argument, run);
  }
}

// The same for all runs of d.
static inline void runs_share(const mjModel* m, mjData* d, RunCall call, void* argument) {
  for (int i = 0; i < d->cnd_nrun; i++) {
    run_share(m, d, awake_run(d, i), call, argument);
  }
}

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

// Calls `call` for the runs of all bodies without a group, or for parts of them, in any order.
// Calls use no stack and don't warn.
static inline void plain_share(const mjModel* m, mjData* d, const TreeGroups* groups, RunCall call,
                               void* argument) {
  for (int i = 0; i < groups->nplain; i++) {
    run_share(m, d, groups->plain + i, call, argument);
  }
}

// Calls `beside` for all groups, of which there are some.
void groups_cut(const mjModel* m, mjData* d, const TreeGroups* groups, GroupCall beside,
                void* argument);

// The same if there are any.
static inline void groups_share(const mjModel* m, mjData* d, const TreeGroups* groups,
                                GroupCall beside, void* argument) {
  if (groups->n) {
    groups_cut(m, d, groups, beside, argument);
  }
}

// Both.
static inline void trees_share(const mjModel* m, mjData* d, RunCall call, GroupCall beside,
                               void* argument) {
  TreeGroups groups = tree_groups(m, d);
  plain_share(m, d, &groups, call, argument);
  groups_share(m, d, &groups, beside, argument);
}
