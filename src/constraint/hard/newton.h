// newton.h: the last steps to a solution, when sweeps have found which contacts are open, stick or
// slide.
//
// Sweeps get there slowly where forces have far to travel, through a stack of boxes, say. With the
// laws that apply at the moment taken for granted, the forces follow from linear equations:
//
//   stick, equality   w = 0
//   slide             w_n = 0,   f_t + f_n w_t / |w_t| = 0, linearized
//   open, at a bound  f stays
//
// They are solved by Gaussian elimination, with a small multiple of K's diagonal added so that
// forces of which the motion says nothing stay near what they are.
//                                                            theory/hard-contacts.md, Newton's step

#ifndef CONDYLE_CONSTRAINT_HARD_NEWTON_H_
#define CONDYLE_CONSTRAINT_HARD_NEWTON_H_

#include "constraint/hard/problem.h"

// More rows than these are too many to eliminate.
enum {
  NEWTON_MOST_ROWS = 400
};

// Moves f and w of the listed blocks one step, from forces of that residual. Returns 0, and changes
// nothing, if there are too many rows or the equations have no solution.
int newton_step(HardProblem* p, const int* list, int nlist, mjtNum residual);

#endif  // CONDYLE_CONSTRAINT_HARD_NEWTON_H_
