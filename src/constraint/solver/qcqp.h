// qcqp.h: the minimum of a quadratic function in an ellipsoid.              theory/solvers.md, QCQP

#pragma once

#include <mujoco/mjtnum.h>

// x = argmin 1/2 x'Ax + x'b subject to sum (x_i / size_i)^2 <= radius^2, for 2 to 5 unknowns; A is
// n x n, symmetric. Returns 1 if the solution is on the surface. If the matrix isn't safely
// positive it returns 0 with x = 0.
int qcqp_solve(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* size, mjtNum radius,
               int n);
