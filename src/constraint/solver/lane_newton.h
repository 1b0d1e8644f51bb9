// lane_newton.h: Newton's direction in lanes.
//
//   H = M + J' W J = L' D L
//
// W is diagonal but for cones in the middle zone. There it has, with sigma, t, k and Dm of law.c
// and by the sums P = sum_j t_j sigma_j J_j and Q = mu J_0 - mu P over the rows of the cone,
//
//   (W J)_0 = Dm mu Q    (W J)_j = Dm sigma_j (k sigma_j J_j - t_j (mu Q + k P))
//
// n is a constant where these are inlined for the six dofs of a free body.

#pragma once

#include "constraint/solver/lane_problems.h"

enum {
  TILE = 6  // columns whose sums stay in registers
};

// M and J

// frc += columns i to i + width of a panel's J' f, a constant width where this is inlined
INLINE void lanes_add_columns(Lanes* s, const RowPanel* panel, int ncol, int i, int width) {
  SimdN sum[TILE];
  const SimdN *row = panel->J + i, *force = s->force + panel->row;
  const uint8_t* column = panel->column + i;
  for (int c = 0; c < width; c++) {
    sum[c] = s->frc_constraint[column[c]];
  }
  for (int r = 0, nrow = panel->nrow; r < nrow; r++, row += ncol) {
    for (int c = 0; c < width; c++) {
      sum[c] += force[r] * row[c];
    }
  }
  for (int c = 0; c < width; c++) {
    s->frc_constraint[column[c]] = sum[c];
  }
}

// frc = J' f
INLINE void lanes_multiply_Jt(Lanes* s, int n) {
  for (int i = 0; i < n; i++) {
    s->frc_constraint[i] = (SimdN){0};
  }
  for (int p = 0; p < s->npanel; p++) {
    const RowPanel* panel = s->panel + p;
    int i = 0, ncol = n == TILE ? TILE : panel->ncol;
    for (; i + TILE <= ncol; i += TILE) {
      lanes_add_columns(s, panel, ncol, i, TILE);
    }
    for (; i + 2 <= ncol; i += 2) {
      lanes_add_columns(s, panel, ncol, i, 2);
    }
    if (i < ncol) {
      lanes_add_columns(s, panel, ncol, i, 1);
    }
  }
}

// Jv = J v
INLINE void lanes_multiply_J(Lanes* s, int n, const SimdN* v) {
  for (int p = 0; p < s->npanel; p++) {
    const RowPanel* panel = s->panel + p;
    int ncol = n == TILE ? TILE : panel->ncol;
    const SimdN* row = panel->J;
    SimdN part[LANE_DOFS], *Jv = s->Jv + panel->row;
    for (int i = 0; i < ncol; i++) {
      part[i] = v[panel->column[i]];
    }
    for (int r = 0, nrow = panel->nrow; r < nrow; r++, row += ncol) {
      lane_dot(&Jv[r], row, part, ncol);
    }
  }
}

// Mv = M v
INLINE void lanes_multiply_M(Lanes* s, int n, const SimdN* v) {
  for (int i = 0; i < n; i++) {
    const SimdN* row = s->M + i * n;
    SimdN sum = {0};
    for (int j = s->first[i]; j < i; j++) {
      sum += row[j] * v[j];
      s->Mv[j] += row[j] * v[i];
    }
    s->Mv[i] = sum + row[i] * v[i];
  }
}

// H

// W J of a cone that is in its middle zone in some lane
INLINE void lanes_weigh_cone(SimdN* to, const Lanes* s, const LaneCone* cone, const SimdN* J,
                             int ncol) {
  const SimdN mu = cone->sigma[0], normal = cone->pull * mu;
  const SimdN* stiffness = s->stiffness + cone->row;
  for (int i = 0; i < ncol; i++) {
    SimdN P = {0};
    for (int j = 1; j < cone->dim; j++) {
      P += cone->slide[j] * J[j * ncol + i];
    }
    SimdN Q = mu * (J[i] - P), along = cone->pull * (mu * Q + cone->tilt * P);
    to[i] = stiffness[0] * J[i] + normal * Q;
    for (int j = 1; j < cone->dim; j++) {
      to[j * ncol + i] = stiffness[j] * J[j * ncol + i] - cone->slide[j] * along;
    }
  }
}

// W J of a panel; cone: the first from its rows on, which moves behind them
INLINE void lanes_weigh(Lanes* s, const RowPanel* panel, int ncol, const LaneCone** cone) {
  const SimdN *J = panel->J, *stiffness = s->stiffness;
  SimdN* to = s->WJ;
  int end = panel->row + panel->nrow;
  for (int r = panel->row, rows; r < end; r += rows, J += rows * ncol, to += rows * ncol) {
    const LaneCone* own = r >= s->nscalar ? (*cone)++ : NULL;
    rows = own ? own->dim : 1;
    if (own && own->has_middle) {
      lanes_weigh_cone(to, s, own, J, ncol);
      continue;
    }
    for (int k = 0; k < rows; k++) {
      for (int i = 0; i < ncol; i++) {
        to[k * ncol + i] = stiffness[r + k] * J[k * ncol + i];
      }
    }
  }
}

// Adds to rows i to i + ni - 1 of H, in columns j to j + nj - 1 up to the diagonal, which is
// i - j = `below` columns right of j in row i. ni, nj and below are constants.
INLINE void lanes_add_tile(Lanes* s, int n, const RowPanel* panel, int ncol, int i, int ni, int j,
                           int nj, int below) {
  SimdN sum[2][2 + TILE], *at[2];
  const SimdN *left = s->WJ + i, *right = panel->J + j;
  const uint8_t* column = panel->column;
  for (int a = 0; a < ni; a++) {
    at[a] = s->H + column[i + a] * n;
    for (int b = 0; b < nj && b <= below + a; b++) {
      sum[a][b] = at[a][column[j + b]];
    }
  }
  for (int r = 0, nrow = panel->nrow; r < nrow; r++, left += ncol, right += ncol) {
    for (int a = 0; a < ni; a++) {
      for (int b = 0; b < nj && b <= below + a; b++) {
        sum[a][b] += left[a] * right[b];
      }
    }
  }
  for (int a = 0; a < ni; a++) {
    for (int b = 0; b < nj && b <= below + a; b++) {
      at[a][column[j + b]] = sum[a][b];
    }
  }
}

// Adds to rows i to i + ni - 1 of H, i even and ni a constant.
INLINE void lanes_add_rows(Lanes* s, int n, const RowPanel* panel, int ncol, int i, int ni) {
  int j = 0;
  for (; j + TILE <= i; j += TILE) {
    lanes_add_tile(s, n, panel, ncol, i, ni, j, TILE, TILE);
  }
  switch (i - j) {
    case 0:
      lanes_add_tile(s, n, panel, ncol, i, ni, j, ni, 0);
      break;
    case 2:
      lanes_add_tile(s, n, panel, ncol, i, ni, j, 2 + ni, 2);
      break;
    default:
      lanes_add_tile(s, n, panel, ncol, i, ni, j, 4 + ni, 4);
      break;
  }
}

// The lower triangle of H.
INLINE void lanes_hessian(Lanes* s, int n) {
  const LaneCone* cone = s->cone;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      s->H[i * n + j] = s->M[i * n + j];
    }
  }
  for (int p = 0; p < s->npanel; p++) {
    const RowPanel* panel = s->panel + p;
    int i = 0, ncol = n == TILE ? TILE : panel->ncol;
    lanes_weigh(s, panel, ncol, &cone);
    for (; i + 2 <= ncol; i += 2) {
      lanes_add_rows(s, n, panel, ncol, i, 2);
    }
    if (i < ncol) {
      lanes_add_rows(s, n, panel, ncol, i, 1);
    }
  }
}

// the factor

// The k-th column of row i below the diagonal that isn't zero; n: of a matrix that is full.
INLINE int lanes_column(const Lanes* s, int full, int i, int k) {
  return full ? k : s->below[i][k];
}

INLINE int lanes_columns_below(const Lanes* s, int full, int i) {
  return full ? i : s->nbelow[i];
}

// H = L' D L, from the last dof to the first; L takes the place of H below the diagonal:
//
//   L_ij = H_ij / D_i    H_jk -= L_ij H_ik       for k <= j < i
INLINE void lanes_factor_any(Lanes* s, int n, int full) {
  const SimdN least = (SimdN){0} + (mjtNum)mjMINVAL;
  for (int i = n - 1; i >= 0; i--) {
    SimdN *row = s->H + i * n, pivot = row[i];
    MaskN large = pivot >= least;
    lane_choose(&pivot, &large, &pivot, &least);
    SimdN d = s->inverse[i] = 1 / pivot;
    int count = lanes_columns_below(s, full, i);
    for (int a = 0; a < count; a++) {
      int j = lanes_column(s, full, i, a);
      SimdN *to = s->H + j * n, factor = row[j] * d;
      for (int b = 0; b <= a; b++) {
        int k = lanes_column(s, full, i, b);
        to[k] -= factor * row[k];
      }
    }
    for (int a = 0; a < count; a++) {
      row[lanes_column(s, full, i, a)] *= d;
    }
  }
}

// x = (L' D L)^-1 x
INLINE void lanes_solve_any(const Lanes* s, int n, SimdN* x, int full) {
  for (int i = n - 1; i > 0; i--) {
    for (int a = 0; a < lanes_columns_below(s, full, i); a++) {
      int j = lanes_column(s, full, i, a);
      x[j] -= s->H[i * n + j] * x[i];
    }
  }
  for (int i = 0; i < n; i++) {
    SimdN sum = {0};
    for (int a = 0; a < lanes_columns_below(s, full, i); a++) {
      int j = lanes_column(s, full, i, a);
      sum += s->H[i * n + j] * x[j];
    }
    x[i] = x[i] * s->inverse[i] - sum;
  }
}

// x = H^-1 x, with H given by its lower triangle, which becomes its factor
INLINE void lanes_factor_solve(Lanes* s, int n, SimdN* x) {
  if (n == TILE || s->is_full) {
    lanes_factor_any(s, n, 1);
    lanes_solve_any(s, n, x, 1);
  } else {
    lanes_factor_any(s, n, 0);
    lanes_solve_any(s, n, x, 0);
  }
}

// search = -H^-1 grad, 0 in lanes that have ended
INLINE void lanes_direction(Lanes* s, int n) {
  lanes_hessian(s, n);
  const SimdN zero = {0};
  for (int i = 0; i < n; i++) {
    s->search[i] = zero - s->grad[i];
  }
  lanes_factor_solve(s, n, s->search);
  for (int i = 0; i < n; i++) {
    lane_keep(&s->search[i], &s->live);
  }
}
