// copy.h: copies of models and of data, of all or of what drawing needs.
//
// The tables say which arrays drawing does not need: those called HEAVY. In such a copy they keep
// what the destination had.

#pragma once

#include <mujoco/mjdata.h>

typedef enum CopyKind_ {
  COPY_ALL,
  COPY_DRAWN,
} CopyKind;

// mj_copyModel and mj_copyData for the public function whose name errors begin with; the pair of m
// and src has been checked.
mjModel* model_copy(const char* function, mjModel* dest, const mjModel* src, CopyKind kind);
mjData* data_copy(const char* function, mjData* dest, const mjModel* m, const mjData* src,
                  CopyKind kind);
