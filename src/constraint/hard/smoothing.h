// smoothing.h: a path of solutions from an easy problem to the actual one.
//
// Gauss-Seidel sweeps can cycle, because contact laws (open, stick, slide) are not smooth. Here a
// barrier parameter tau > 0 relaxes them (smooth_law.h), as in interior-point methods: every
// contact presses a little, every force is in the interior of its cone, and Newton's method with a
// line search applies while tau goes to 0. There is a solution for every tau; for large tau it is
// near the axes of the cones, and for tau -> 0 it becomes a solution of the actual problem.
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
