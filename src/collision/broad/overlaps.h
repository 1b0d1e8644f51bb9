// overlaps.h: which of many axis-aligned boxes overlap.

#pragma once

#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"
#include "collision/broad/pair_list.h"

// The number of boxes up to which comparing all pairs is faster than sorting.
enum {
  BOXES_FEW = 24
};

// Appends all pairs (i, j) of overlapping boxes of one sequence, i before j where they are sorted.
void box_overlaps(PairList* out, mjData* d, const GeomBox* box, int num);

// Appends all pairs (i, j) of overlapping boxes of two sequences.
void boxes_between(PairList* out, mjData* d, const GeomBox* box1, int num1, const GeomBox* box2,
                   int num2);
