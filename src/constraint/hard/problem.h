// problem.h: forces of hard constraints as a problem, and how far some forces are from solving it.
//
//   w = K f + b,   every block of f and w obeying its law       theory/hard-contacts.md, Conditions
//
//   HARD_FREE    w = 0
//   HARD_BOUND   w = 0 and |f| <= bound, or f = -bound sign(w)
//   HARD_PUSH    f >= 0, w >= 0, f w = 0
//   HARD_CONE    f in the cone |f_t| <= f_n;  w_n >= 0, w_n f_n = 0;
//                w_t = 0, or f_t = -f_n w_t / |w_t|

#ifndef CONDYLE_CONSTRAINT_HARD_PROBLEM_H_
#define CONDYLE_CONSTRAINT_HARD_PROBLEM_H_

#include "constraint/hard/matrix.h"

// A row with less on the diagonal of K can't be moved by its force.
#define HARD_IMMOBILE mjMINVAL

typedef struct HardProblem_ {
  mjData* d;  // its stack
  int nrow, nblock;
  const HardBlock* block;  // laws may differ from those of the matrix, and dims be smaller
  const HardMatrix* K;
  const mjtNum* b;
  mjtNum *f, *w;  // start and solution; w = K f + b
} HardProblem;

// How far f is from a solution: max |f - P(f - u / k)| / (1 + max |f|), where P is the nearest
// force that the law allows, u = w but for cones, whose w_n has |w_t| added, and k the mean
// diagonal of the block. Rows that can't be moved are not asked.
mjtNum hard_residual(const HardProblem* p, const int* list, int nlist);

// The largest force of the listed blocks.
mjtNum hard_largest(const HardProblem* p, const int* list, int nlist);

// What forces of a solution stay below: 10^6 times what single constraints would need, or have now.
// Where constraints contradict each other forces grow without end, and any residual is small beside
// them.
mjtNum hard_bound(const HardProblem* p, const int* list, int nlist);

// The nearest forces f (dim) that the law of a block allows.
void hard_project(mjtNum* f, const HardBlock* block);

// w = K f + b
void hard_multiply(HardProblem* p);

#endif  // CONDYLE_CONSTRAINT_HARD_PROBLEM_H_
