// awake.h: which trees sleep, and how stages pass over them.
//
// d->tree_asleep is the truth: negative numbers are awake, others the next tree of the cycle that
// fell asleep together. The lists of bodies and dofs follow from it. Stages walk over runs, ranges
// of consecutive bodies that are awake or static, with their joints, dofs, geoms and sites. If
// nothing sleeps there is one run with everything, so that their loops are those of a model
// without sleep.
//
//   bodies    world  box  | asleep ... asleep |  robot . . . .  | asleep |  (empty)
//             run 0       | gap 0             |  run 1          | gap 1  |  run 2
//
// Runs and gaps alternate, beginning with the run of the world. Trees are consecutive, so a gap has
// whole trees.                                               theory/time/sleep.md, What is left out

#pragma once

#include <mujoco/mjdata.h>
#include <string.h>

#include "model/tree/body_runs.h"

static inline const AwakeRun* awake_run(const mjData* d, int i) {
  return (const AwakeRun*)(const void*)d->cnd_run + i;
}

// Copies numbers of dofs that are awake.
static inline void awake_copy(const mjData* d, mjtNum* to, const mjtNum* from) {
  for (int i = 0; i < d->cnd_nrun; i++) {
    const AwakeRun* run = awake_run(d, i);
    memcpy(to + run->dof, from + run->dof, (size_t)(run->dof_end - run->dof) * sizeof(mjtNum));
  }
}

// The trees [begin, end) of gap i, which lies behind run i. There are nrun - 1 gaps.
typedef struct AwakeGap_ {
  int tree, tree_end;
} AwakeGap;

static inline AwakeGap awake_gap(const mjModel* m, const mjData* d, int i) {
  const AwakeRun* run = awake_run(d, i);
  return (AwakeGap){m->body_treeid[run[0].body_end], m->body_treeid[run[1].body - 1] + 1};
}

// Does anything sleep?
static inline int awake_some_sleep(const mjModel* m, const mjData* d) {
  return d->ntree_awake < m->ntree;
}

// Does the model let trees sleep, or do some?
static inline int awake_concerns(const mjModel* m, const mjData* d) {
  return m->opt.enableflags & mjENBL_SLEEP || awake_some_sleep(m, d);
}

static inline int tree_sleeps(const mjData* d, int tree) {
  return tree >= 0 && !d->tree_awake[tree];
}

static inline int body_sleeps(const mjData* d, int body) {
  return d->body_awake[body] == mjS_ASLEEP;
}

// Does a tendon touch trees, all of which sleep?
int tendon_sleeps(const mjModel* m, const mjData* d, int tendon);

// Does a flex sleep? Its trees fall asleep and wake together.
int flex_sleeps(const mjModel* m, const mjData* d, int flex);

// Does an object sleep? Objects without a body don't.
int object_sleeps(const mjModel* m, const mjData* d, int type, int id);

// Does all that an actuator drives sleep?
int actuator_sleeps(const mjModel* m, const mjData* d, int actuator);

// Makes the one run with everything, from sizes alone.
void awake_start(const mjModel* m, mjData* d);

// Writes what follows from tree_asleep: tree_awake, the lists, their numbers, and the runs.
void awake_update(const mjModel* m, mjData* d);

// Stops a tree: nothing of its motion stays.
void awake_stop(const mjModel* m, mjData* d, int tree);

// Keeps the coordinates of a tree that falls asleep, and the pose of the mocap body that carries
// it, to find out later whether the program has moved them.
void awake_keep(const mjModel* m, mjData* d, int tree);

// Wakes a tree and its cycle: sets tree_asleep to a negative number, or lowers it to that if the
// tree is awake already. The caller updates.
void awake_wake(const mjModel* m, mjData* d, int tree, int counter);

// Wakes all.
void awake_wake_all(const mjModel* m, mjData* d);

// tree_asleep of a tree that has just moved.
enum {
  FULLY_AWAKE = -(1 + mjMINAWAKE)
};
