// dense.h: the small dense linear algebra under the dynamics, the solvers and the public functions.
//
// Matrices are row-major and mostly 3 to 200 wide, so a library call with its packing and dispatch
// would cost more than the work. Each function is one straight loop nest that vectorises along
// rows, compiled for several instruction sets (simd.h). Sums are taken in lanes of a vector: the
// order is fixed, but it is not left to right.
//
// Triangular matrices are square arrays of which only the lower triangle (with the diagonal) is
// read or written. Outputs come first. Lengths may be 0.          theory/numerics.md, Dense algebra

#ifndef CONDYLE_BASE_DENSE_H_
#define CONDYLE_BASE_DENSE_H_

#include <mujoco/mjtnum.h>

// a . b
mjtNum dot_n(const mjtNum* a, const mjtNum* b, int n);

// y += s x
void axpy_n(mjtNum* y, const mjtNum* x, mjtNum s, int n);

// out = s x; may alias
void scl_n(mjtNum* out, const mjtNum* x, mjtNum s, int n);

// y = A x, A is nr x nc
void dense_mulv(mjtNum* y, const mjtNum* A, const mjtNum* x, int nr, int nc);

// y = A' x, A is nr x nc, y has nc entries; rows with x = 0 are not touched (0 * NaN is nothing)
void dense_tmulv(mjtNum* y, const mjtNum* A, const mjtNum* x, int nr, int nc);

// Copies the lower triangle of A (n x n) over the upper one.
void dense_mirror(mjtNum* A, int n);

// A = L L' in place, lower triangle. A pivot (before its square root) below mindiag is replaced by
// mindiag. Returns n less the number of replaced pivots.
int chol_factor(mjtNum* A, int n, mjtNum mindiag);

// x = (L L')^-1 b; x may be b
void chol_solve(mjtNum* x, const mjtNum* L, const mjtNum* b, int n);

// L L' +- x x' in place (plus nonzero: +); destroys x. A squared pivot below mjMINVAL becomes
// mjMINVAL. Returns n less the number of replaced pivots. One update is a chain of n
// dependent rotations: for more than two or three, change the matrix and chol_factor it
// again, which is vectorised throughout.
int chol_update(mjtNum* L, mjtNum* x, int n, int plus);

#endif  // CONDYLE_BASE_DENSE_H_
