// smoothing.h: forces found along a path from an easy problem to the one that is asked for.
//
// Sweeps can go in circles where the laws of contacts have corners: open, stick, slide. With a
// smoothing s > 0 they have none: every contact presses a little, every force is inside of its
// cone, and Newton's method applies. For large s the solution is near the axes of the cones; as s
// becomes 0 it becomes one of the problem itself. Mostly it is enough to make s smaller step by
// step. But solutions of Coulomb's law needn't stay as s falls: where two of them meet and vanish
// the path turns back, s grows for a while, and the path has to be followed by its length.
//
//     f |    ____
//       |   /    ----- s falls: no solution nearby
//       |   |
//       |    ----------------- start
//       +---------------------- s
//                                                        theory/hard-contacts.md, Smoothing

#ifndef CONDYLE_CONSTRAINT_HARD_SMOOTHING_H_
#define CONDYLE_CONSTRAINT_HARD_SMOOTHING_H_

#include "constraint/hard/problem.h"

// Not if there are more than NEWTON_MOST_ROWS rows, or no room for their equations.
int smoothing_applies(const HardProblem* p, const int* list, int nlist);

// Replaces f and w of the listed blocks by the best that is found, if it has a smaller residual
// than they, and returns its residual. Stops at the tolerance.
mjtNum smoothing_solve(HardProblem* p, const int* list, int nlist, mjtNum residual,
                       mjtNum tolerance);

#endif  // CONDYLE_CONSTRAINT_HARD_SMOOTHING_H_
