// problem.h: forces of hard constraints as a problem, and how far some forces are from solving it.
//
//   w = K f + b,   every block of f and w obeying its law       theory/hard-contacts.md, Conditions
//
//   HARD_FREE    w = 0
//   HARD_BOUND   w = 0 and |f| <= bound, or f = -bound sign(w)
//   HARD_PUSH    f >= 0, w >= 0, f w = 0
//   HARD_CONE    f in the cone |f_t| <= f_n;  w_n >= 0, w_n f_n = 0;
//                w_t = 0, or f_t = -f_n w_t / |w_t|
//
// Forces of different rows are compared by sqrt(K_rr) |f_r|, the root of a power: it has one unit
// for forces and torques, is the same whatever the units of mass and length are, and an error in it
// is a velocity as seen from the row that it moves.

#ifndef CONDYLE_CONSTRAINT_HARD_PROBLEM_H_
#define CONDYLE_CONSTRAINT_HARD_PROBLEM_H_

#include "constraint/hard/matrix.h"

typedef struct HardProblem_ {
  mjData* d;  // its stack
  int nrow, nblock;
  const HardBlock* block;  // laws may differ from those of the matrix, and dims be smaller
  const HardMatrix* K;
  const mjtNum* weight;  // sqrt(K_rr) of each row; 0: its force doesn't move it
  const mjtNum* size;    // of the terms whose sum b is, which its rounding is a part of
  const mjtNum* b;
  mjtNum *f, *w;  // start and solution; w = K f + b
} HardProblem;

// What forces are measured by, for the listed blocks: the largest weight |f| that a constraint
// alone would need, or more if even rounding needs more.
mjtNum hard_need(const HardProblem* p, const int* list, int nlist);

// The largest weight |f| of the listed blocks.
mjtNum hard_largest(const HardProblem* p, const int* list, int nlist);

// How far f is from a solution: max weight |f - P(f - w / k)| / max(need, weight |f|), where P is
// the nearest force that the law allows, of a cone the normal first, then the tangents within it,
// and k = weight^2. Rows that can't be moved are not asked.
mjtNum hard_residual(const HardProblem* p, const int* list, int nlist, mjtNum need);

// The nearest forces f (dim) that the law of a block allows.
void hard_project(mjtNum* f, const HardBlock* block);

// w = K f + b
void hard_multiply(HardProblem* p);

#endif  // CONDYLE_CONSTRAINT_HARD_PROBLEM_H_
