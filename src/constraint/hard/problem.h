// problem.h: the complementarity problem of hard constraints, and the residual of given forces.
//
//   w = K f + b,   every block of f and w obeying its law
//                                                       theory/contact/hard-contacts.md, Conditions
//
//   HARD_FREE    w = 0
//   HARD_BOUND   w = 0 and |f| <= bound, or f = -bound sign(w)
//   HARD_PUSH    f >= 0, w >= 0, f w = 0
//   HARD_CONE    f in the cone |f_t| <= f_n;  w_n >= 0, w_n f_n = 0;
//                w_t = 0, or f_t = -f_n w_t / |w_t|
//
// Forces of different rows are compared by weight |f_r| with weight = sqrt(K_rr). This has the same
// unit for forces and torques, and comparisons don't depend on the units of mass and length.

#pragma once

#include "constraint/hard/matrix.h"

typedef struct HardProblem_ {
  mjData* d;  // its stack
  int nrow, nblock;
  const HardBlock* block;  // laws may differ from those of K's blocks, and dims may be smaller
  const HardMatrix* K;
  const HardSystem* system;  // what K is made of
  const mjtNum* weight;      // sqrt(K_rr) of each row; 0: its force has no effect on its velocity
  const mjtNum* size;        // sum of |terms| of b: scale of its rounding error
  const mjtNum* b;
  mjtNum *f, *w;  // start and solution; w = K f + b
} HardProblem;

// The unit of the residual for the listed blocks: the largest weight |f| that a single constraint
// would need on its own, but at least what rounding errors of b cause.
mjtNum hard_need(const HardProblem* p, const int* list, int nlist);

// The largest weight |f| of the listed blocks.
mjtNum hard_largest(const HardProblem* p, const int* list, int nlist);

// The residual of f: max weight |f - P(f - w / k)| / max(need, weight |f|), with k = weight^2. P
// projects to the forces that the law allows. In a cone, P projects the normal force first, then
// friction at that normal force. Rows of weight 0 are skipped.
mjtNum hard_residual(const HardProblem* p, const int* list, int nlist, mjtNum need);

// The same as a length, for line searches: the root of the sum of (weight |f - P(f - w / k)|)^2.
mjtNum hard_distance(const HardProblem* p, const int* list, int nlist);

// Projects f (dim) to the nearest forces that the law of a block allows.
void hard_project(mjtNum* f, const HardBlock* block);

// w = K f + b
void hard_multiply(HardProblem* p);
