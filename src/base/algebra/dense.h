// dense.h: the small dense linear algebra under the dynamics, the solvers and the public functions.
//
// Matrices are row-major and mostly 3 to 200 wide, so a library call with its packing and dispatch
// would cost more than the work. Each function is one straight loop nest that vectorises along
// rows, compiled for several instruction sets (simd.h). Sums are taken in lanes of a vector: the
// order is fixed, but it is not left to right.
//
// Triangular matrices are square arrays of which only the lower triangle (with the diagonal) is
// read or written. Outputs come first. Lengths may be 0.          theory/numerics.md, Dense algebra

#pragma once

#include <mujoco/mjtnum.h>

// a . b
mjtNum dot_n(const mjtNum* a, const mjtNum* b, int n);

// Each a_k . b in one pass, with the same bits as dot_n.
void dot2_n(mjtNum out[2], const mjtNum* const a[2], const mjtNum* b, int n);
void dot3_n(mjtNum out[3], const mjtNum* const a[3], const mjtNum* b, int n);

// y += s x
void axpy_n(mjtNum* y, const mjtNum* x, mjtNum s, int n);

// Copies the lower triangle of A (n x n) over the upper one.
void dense_mirror(mjtNum* A, int n);
