// alike.h: trees of the same shape, which stages compute side by side, one in each lane of a
// vector.
//
// Trees are alike if their bodies have the same parents, types of joints and numbers of geoms, in
// the same order, and their rows of M the same entries. Masses, offsets and all other numbers may
// differ. Those that are alike are listed together; a group is as many of them as a vector has
// lanes, or the few that are left at the end. All other bodies are plain, and stages walk over them
// in runs: large trees, few of a shape, and free bodies with a diagonal M, such as boxes, for which
// reading and writing takes longer than is gained.
//
//   trees     world  robot 0 .. 3   cart   robot 4, 5, 6        4 lanes
//   groups           0              -      1
//   plain     run 0                 run 1            run 2 (empty)
//
// While nothing sleeps the groups are the model's, else those of the data, of trees that are awake.
// A tree has the same result in any lane, whoever its neighbours are.
//                                                   theory/smooth/inertia.md, Trees side by side

#pragma once

#include "model/tree/body_runs.h"

// The largest trees that share vectors: what a stage knows of a group is on its stack.
enum {
  ALIKE_BODIES = 32,
  ALIKE_DOFS = 40,
  ALIKE_ENTRIES = 400  // of M
};

// Lists of groups. group[2 k] and group[2 k + 1]: the place of group k in `tree`, and how many it
// has.
typedef struct AlikeLists_ {
  int *tree, *group;
  AwakeRun* plain;
  int ngroup, nplain;
} AlikeLists;

static inline AlikeLists alike_lists_of(mjData* d) {
  return (AlikeLists){d->cnd_group_tree, d->cnd_group, (AwakeRun*)(void*)d->cnd_plain,
                      d->cnd_ngroup, d->cnd_nplain};
}

// Finds the trees that are alike and groups all of them: writes cnd_alike, cnd_alike_tree,
// cnd_group, cnd_plain and their numbers. Needs tree_{bodyadr, bodynum, dofadr, dofnum} and the
// pattern of M.
void alike_find(mjModel* m);

// The same where it pays; elsewhere there are no groups.
void alike_write(mjModel* m);

// Groups the trees that are alike and awake.
void alike_group(AlikeLists* out, const mjModel* m, const int* awake);
