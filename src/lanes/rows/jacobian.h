// jacobian.h: rows with a Jacobian on few dofs: J s, J'f and J'hJ, of contacts and of coupled rows.

#pragma once

#include "lanes/work.h"

// `dim` numbers of a dof after those of another, of the n dofs of a coupling.
typedef struct Jacobian {
  const LaneCoupledDof* dof;
  int n;
  Real* J;
} Jacobian;

INLINE Jacobian jacobian_of(const Work* w, int coupling, Real* J) {
  const LaneCoupling* c = w->s->coupling + coupling;
  return (Jacobian){w->s->coupled + c->dof, c->ndof, J};
}

// out = J s
INLINE void jacobian_multiply(Real out[6], Jacobian j, const Real* s, int dim) {
  Real sum[6] = {REAL_ZERO};
  for (int a = 0; a < j.n; a++, j.J += dim) {
    Real x = s[j.dof[a].dof];
    for (int i = 0; i < dim; i++) {
      sum[i] = real_muladd(j.J[i], x, sum[i]);
    }
  }
  copy_reals(out, sum, dim);
}

// out += J'f
INLINE void jacobian_push(Real* out, Jacobian j, const Real f[6], int dim) {
  for (int a = 0; a < j.n; a++, j.J += dim) {
    Real sum = out[j.dof[a].dof];
    for (int i = 0; i < dim; i++) {
      sum = real_muladd(j.J[i], f[i], sum);
    }
    out[j.dof[a].dof] = sum;
  }
}

// H_ab += g . J_b for a dof a and those up to it, with g = h J_a
INLINE void lane_jacobian_row(Real* H, Jacobian j, int a, const Real g[6], int dim) {
  Real* row = H + lane_row_at(j.dof[a].dof);
  for (int b = 0; b <= a; b++, j.J += dim) {
    Real sum = row[j.dof[b].dof];
    for (int i = 0; i < dim; i++) {
      sum = real_muladd(g[i], j.J[i], sum);
    }
    row[j.dof[b].dof] = sum;
  }
}

// g = h J_a; h: lower triangle
INLINE void jacobian_weigh(Real g[6], const Real* J, const Real h[6][6], int dim) {
  for (int i = 0; i < dim; i++) {
    g[i] = h[i][0] * J[0];
    for (int k = 1; k < dim; k++) {
      g[i] = real_muladd(h[i > k ? i : k][i > k ? k : i], J[k], g[i]);
    }
  }
}

// The same as lane_jacobian_row for the dofs a and a + 1, whose J_b are loaded once.
INLINE void jacobian_rows(Real* H, Jacobian j, int a, const Real g[2][6], int dim) {
  Real *first = H + lane_row_at(j.dof[a].dof), *second = H + lane_row_at(j.dof[a + 1].dof);
  for (int b = 0; b <= a; b++, j.J += dim) {
    int dof = j.dof[b].dof;
    Real x = first[dof], y = second[dof];
    for (int i = 0; i < dim; i++) {
      Real J = j.J[i];
      x = real_muladd(g[0][i], J, x);
      y = real_muladd(g[1][i], J, y);
    }
    first[dof] = x;
    second[dof] = y;
  }
  Real* last = second + j.dof[a + 1].dof;
  for (int i = 0; i < dim; i++) {
    *last = real_muladd(g[1][i], j.J[i], *last);
  }
}

// H += J'hJ
INLINE void jacobian_hessian(Real* H, Jacobian j, const Real h[6][6], int dim) {
  Real g[2][6];
  int a = 0;
  for (; a + 2 <= j.n; a += 2) {
    jacobian_weigh(g[0], j.J + a * dim, h, dim);
    jacobian_weigh(g[1], j.J + (a + 1) * dim, h, dim);
    jacobian_rows(H, j, a, g, dim);
  }
  if (a < j.n) {
    jacobian_weigh(g[0], j.J + a * dim, h, dim);
    lane_jacobian_row(H, j, a, g[0], dim);
  }
}
