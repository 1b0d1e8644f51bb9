// smoothing.h: a smoothing (homotopy) method: a path of solutions from an easy problem to the
// actual one.
//
// Sweeps can cycle, because the laws of contacts are not smooth: open, stick, slide. With a
// smoothing s > 0 they are smooth: every contact presses a little, every force is in the interior
// of its cone, and Newton's method applies. For large s, the solution is near the axes of the
// cones. For s -> 0, it becomes a solution of the actual problem. Mostly it suffices to decrease s
// step by step. But Coulomb's law can have several solutions. Where two of them meet and vanish,
// the path folds: s grows for a while. There the path is followed by its arc length.
//
//     f |    ____
//       |   /    ----- s falls: no solution nearby
//       |   |
//       |    ----------------- start
//       +---------------------- s
//                                                        theory/contact/hard-contacts.md, Smoothing

#pragma once

#include "constraint/hard/problem.h"

// Whether there are at most NEWTON_MOST_ROWS rows, and room for their equations on the stack.
int smoothing_applies(const HardProblem* p, const int* list, int nlist);

// Replaces f and w of the listed blocks by the best solution found, unless that has a larger
// residual than given, and returns its residual. Stops at the tolerance.
mjtNum smoothing_solve(HardProblem* p, const int* list, int nlist, mjtNum residual,
                       mjtNum tolerance);
