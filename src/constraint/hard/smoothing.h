// smoothing.h: a path of solutions from an easy problem to the actual one.
//
// Sweeps can cycle, because the laws of contacts are not smooth: open, stick, slide. With a work
// tau > 0 they are (smooth_law.h): every contact presses a little, every force is in the interior
// of its cone, and Newton's method with a line search applies. There is a solution for every tau;
// for large tau it is near the axes of the cones, and for tau -> 0 it becomes a solution of the
// actual problem.
//                                                        theory/contact/hard-contacts.md, Smoothing

#pragma once

#include "constraint/hard/dofs.h"

enum {
  SMOOTHING_ATTEMPTS = 5
};

// Replaces f and w of the blocks of the equations by the best solution found, unless that has a
// larger residual than given, and returns its residual. Stops at the tolerance. Attempts from 0 on
// differ in where they start and how fast tau falls.
mjtNum smoothing_solve(HardDofs* e, int attempt, mjtNum residual, mjtNum tolerance);
