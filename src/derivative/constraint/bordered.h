// bordered.h: constraint rows whose forces are unknowns of the linear system, next to
// accelerations.
//
// The larger D A is along a row, A = J M^-1 J', the fewer digits of M are left in H = M + J' Hs J.
// Rows S with a large D A therefore stay out of H and of r, and border the system instead:
//
//   ( H    -J_S' ) ( dx  )   ( dr   )
//   ( J_S   1/D  ) ( df_S) = ( -dy_S )      dy_S at constant x
//                                                          theory/time/exact-derivatives.md, Border

#pragma once

#include <mujoco/mjdata.h>

// The n bordered rows: their J (n x nv) and D. index: for each row of d its place among them, or
// -1. response: in the gradient of a scalar lambda . F (constraint_vjp), the value that replaces
// -Hs J lambda.
typedef struct {
  int n, *index;
  mjtNum *J, *D, *response;
} BorderedRows;

// The eliminated border: W = J_S H^-1 (n x nv) and the factor of K = J_S H^-1 J_S' + 1/D.
typedef struct {
  const BorderedRows* bordered;
  mjtNum *W, *K;
} SchurComplement;

// Factors the Schur complement. factor: that of H, nv x nv; function: the caller's name for errors.
// The result is on the stack of d, which the caller has marked.
SchurComplement schur_make(const BorderedRows* bordered, mjData* d, const mjtNum* factor, int nv,
                           const char* function);

// Turns X = H^-1 dr into dx, for all columns of X (nv x columns, rows ld numbers apart). dy: n rows
// of the same form; overwritten.
void schur_solve(mjtNum* X, mjtNum* dy, mjData* d, const SchurComplement* s, int columns, int ld,
                 int nv);

// The transpose: turns H^-1 xi into kappa and sets the response, so that
// xi . dx = kappa . dr + response . dy.
void schur_pull(mjtNum* kappa, const SchurComplement* s, int nv);
