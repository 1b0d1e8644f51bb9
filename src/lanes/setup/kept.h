// kept.h: whether a model is still what it was. Programs may change numbers of a model between two
// calls of a batch; what lanes make of these is kept as long as none has changed. The arrays are
// compared with a copy, bit by bit, which takes a tenth of what filling in the constants does.

#pragma once

#include <mujoco/mjmodel.h>

typedef struct LaneKept LaneKept;

// A copy of nothing yet, for models with the sizes of m. NULL if memory is out. Freeing NULL is
// allowed.
LaneKept* structure_kept_make(const mjModel* m);
void structure_kept_free(LaneKept* kept);

// Whether options and arrays are those that were taken last. Assets, whose tables are made once
// for a batch, are left out.
int structure_kept_is_same(const LaneKept* kept, const mjModel* m);
void structure_kept_take(LaneKept* kept, const mjModel* m);
