// bordered.h: rows whose forces are unknowns of their own, beside the accelerations.
//
// H = M + J' Hs J has ever fewer digits left of M, along a row, the larger D A is, A = J M^-1 J'.
// Rows S with a large one stay out of it, as a border of the system (H, r: without what S answers):
//
//   ( H    -J_S' ) ( dx  )   ( dr   )
//   ( J_S   1/D  ) ( df_S) = ( -dy_S )      dy_S at constant x
//
//                                                         theory/exact-derivatives.md, BorderedRows

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_BORDERED_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_BORDERED_H_

#include <mujoco/mjdata.h>

// Rows of the border: n of them, which of each row of d is, or -1; J (n x nv) and D.
// answer: of one number lambda . F (see constraint_vjp), what takes the place of -Hs J lambda.
typedef struct {
  int n, *index;
  mjtNum *J, *D, *response;
} BorderedRows;

// The border eliminated: W = J_S H^-1 (n x nv) and the factor of K = J_S H^-1 J_S' + 1/D.
typedef struct {
  const BorderedRows* bordered;
  mjtNum *W, *K;
} SchurComplement;

// factor: of H, nv x nv; function: who asks, for errors. On the stack of d, which the caller has
// marked.
SchurComplement schur_make(const BorderedRows* bordered, mjData* d, const mjtNum* factor, int nv,
                           const char* function);

// From H^-1 dr to dx, for so many columns of X (nv x columns, rows ld apart). dy: n rows like those
// of X; used up.
void schur_solve(mjtNum* X, mjtNum* dy, const SchurComplement* s, int columns, int ld, int nv);

// The transpose: from H^-1 xi to kappa, so that xi . dx = kappa . dr + answer . dy, and answer.
void schur_pull(mjtNum* kappa, const SchurComplement* s, int nv);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_BORDERED_H_
