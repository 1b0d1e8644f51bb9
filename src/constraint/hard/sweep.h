// sweep.h: sweeps of projected Gauss-Seidel: each block in turn takes the forces that its law asks
// for, those of the others being as they are.
//                                                theory/contact/hard-contacts.md, Sweeps

#pragma once

#include "constraint/hard/cone.h"
#include "constraint/hard/problem.h"

enum {
  SWEEP_DIM = 6
};

// What blocks need to be solved whole: a cone, or the factor of a free block.
typedef union SweepLocal_ {
  Cone cone;
  mjtNum L[SWEEP_DIM * SWEEP_DIM];
} SweepLocal;

void sweep_local(SweepLocal* local, const HardProblem* p, int i);

// The new forces of a block, its own effect on w taken into account exactly.
void sweep_block(mjtNum* f, const HardProblem* p, int i, SweepLocal* local);

// One sweep, forwards or backwards; local NULL: row by row. Blocks that can't be moved are passed
// over.
void sweep(HardProblem* p, const int* list, int nlist, SweepLocal* local, int backwards);
