// copy.h: copies of models and data, complete or with only the arrays that drawing needs.
//
// The tables mark the arrays that drawing does not need as HEAVY. A copy for drawing leaves these
// arrays of the destination as they are.

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
