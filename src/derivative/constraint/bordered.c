// Block elimination of the bordered system by the Schur complement K of H, forward (schur_solve)
// and transposed (schur_pull).

#include "derivative/constraint/bordered.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "derivative/tree/factor.h"

// Schur complement of the border (bordered.h): W = J_S H^-1, and K = J_S H^-1 J_S' + 1/D, which is
// returned factored. factor: of H.
SchurComplement schur_make(const BorderedRows* bordered, mjData* d, const mjtNum* factor, int nv,
                           const char* function) {
  size_t n = (size_t)bordered->n, size = (size_t)nv;
  SchurComplement s = {bordered, mj_stackAllocNum(d, n * size), mj_stackAllocNum(d, n * n)};
  mju_copy(s.W, bordered->J, bordered->n * nv);
  for (size_t i = 0; i < n; i++) {
    factor_solve_one(s.W + i * size, factor, nv);
    for (size_t k = 0; k < n; k++) {
      s.K[i * n + k] = mju_dot(s.W + i * size, bordered->J + k * size, nv);
    }
    s.K[i * n + i] += 1 / bordered->D[i];
  }
  if (!factor_make(s.K, bordered->n, 1)) {
    mju_error("%s: stiff constraints are singular", function);
  }
  return s;
}

// df = -K^-1 (dy + J_S H^-1 dr),  dx = H^-1 dr + W' df
void schur_solve(mjtNum* X, mjtNum* dy, mjData* d, const SchurComplement* s, int columns, int ld,
                 int nv) {
  int n = s->bordered->n;
  multiply_add_shared(dy, d, s->bordered->J, X, n, nv, columns, ld, 1);
  factor_solve_shared(dy, d, columns, ld, s->K, n);
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < nv; r++) {
      mju_addToScl(X + (size_t)r * (size_t)ld, dy + (size_t)i * (size_t)ld,
                   -s->W[(size_t)i * (size_t)nv + (size_t)r], columns);
    }
  }
}

// response = -K^-1 J_S H^-1 xi,  kappa = H^-1 xi + W' response
void schur_pull(mjtNum* kappa, const SchurComplement* s, int nv) {
  const BorderedRows* bordered = s->bordered;
  for (int i = 0; i < bordered->n; i++) {
    bordered->response[i] = -mju_dot(bordered->J + (size_t)i * (size_t)nv, kappa, nv);
  }
  factor_solve_one(bordered->response, s->K, bordered->n);
  for (int i = 0; i < bordered->n; i++) {
    mju_addToScl(kappa, s->W + (size_t)i * (size_t)nv, bordered->response[i], nv);
  }
}
