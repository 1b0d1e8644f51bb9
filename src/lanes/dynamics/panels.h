// panels.h: L'DL of a symmetric matrix by panels of rows, solves and products.
//                                                             theory/smooth/inertia.md, Sparse L'DL
//
// From the last panel to the first, with P rows q and the columns a >= b left of them:
//
//   1. within the panel, last pivot first: rows and columns as usual, 1/d kept on the diagonal
//   2. A_ab -= sum over q of (U_qa / d_q) U_qb           U = D L: rows before they are scaled
//   3. L_q = U_q / d_q, as soon as U_q is needed no more
//
// A target A_ab is loaded and stored once for P products, which is what the time goes into. Entries
// outside the pattern of one block that another needs are exact zeros here, and so change no bit.

#pragma once

#include "lanes/work.h"

// Loops over the rows of a panel have to vanish, or these are not kept in registers.
#define UNROLL _Pragma("GCC unroll 4")

// Steps 2 and 3, two rows a at a time, the last first: then U_qa is needed no more. P is a constant
// where this is inlined.
INLINE void panel_eliminate(Real* A, Real* const* row, const Real* inverse, const int* column,
                            int n, int P) {
  Real low[PANEL_MOST], high[PANEL_MOST];
  int a = n - 2;
  for (; a >= 0; a -= 2) {
    int k = column[a], last = column[a + 1];
    Real *first = A + lane_row_at(k), *second = A + lane_row_at(last), corner = second[last];
    UNROLL
    for (int q = P - 1; q >= 0; q--) {
      low[q] = row[q][k] * inverse[q];
      high[q] = row[q][last] * inverse[q];
      corner = real_mulsub(high[q], row[q][last], corner);
    }
    second[last] = corner;
    for (int b = 0; b <= a; b++) {
      k = column[b];
      Real x = first[k], y = second[k];
      UNROLL
      for (int q = P - 1; q >= 0; q--) {
        Real u = row[q][k];
        x = real_mulsub(low[q], u, x);
        y = real_mulsub(high[q], u, y);
      }
      first[k] = x;
      second[k] = y;
    }
    UNROLL
    for (int q = 0; q < P; q++) {
      row[q][column[a]] = low[q];
      row[q][last] = high[q];
    }
  }
  if (a == -1) {
    int k = column[0];
    Real corner = A[lane_row_at(k) + k];
    UNROLL
    for (int q = P - 1; q >= 0; q--) {
      Real u = row[q][k];
      row[q][k] = u * inverse[q];
      corner = real_mulsub(row[q][k], u, corner);
    }
    A[lane_row_at(k) + k] = corner;
  }
}

// 1/d of the rows q and q - 1, which needn't wait for each other:
//
//   1/d_q = 1/c,  1/d_(q-1) = c / (a c - b b)        a b
//                                                    b c
INLINE void pivot_pair(Real* inverse, Real L[PANEL_MOST][PANEL_MOST], int q) {
  Real c = L[q][q];
  inverse[q] = 1 / c;
  if (q > 0) {
    Real b = L[q][q - 1];
    inverse[q - 1] = c / real_mulsub(b, b, L[q - 1][q - 1] * c);
  }
}

INLINE void panel_factor(Real* A, const LanePattern* p, const LanePanel* panel, int P) {
  int n = panel->n, first = panel->first;
  const int* column = p->column + panel->column;
  Real *row[PANEL_MOST], inverse[PANEL_MOST], L[PANEL_MOST][PANEL_MOST], u[PANEL_MOST];
  UNROLL
  for (int q = 0; q < P; q++) {
    row[q] = A + lane_row_at(first + q);
    UNROLL
    for (int b = 0; b <= q; b++) {
      L[q][b] = row[q][first + b];
    }
  }
  // pivots: row q loses its part from the rows above it, in the panel's columns, then the others
  UNROLL
  for (int q = P - 1; q >= 0; q--) {
    if ((P - 1 - q) % 2 == 0) {
      pivot_pair(inverse, L, q);
    }
    row[q][first + q] = inverse[q];
    UNROLL
    for (int a = q - 1; a >= 0; a--) {
      Real scaled = L[q][a] * inverse[q];
      UNROLL
      for (int b = 0; b <= a; b++) {
        L[a][b] = real_mulsub(scaled, L[q][b], L[a][b]);
      }
      L[q][a] = row[q][first + a] = scaled;
    }
  }
  for (int b = 0; P > 1 && b < n; b++) {
    UNROLL
    for (int q = P - 1; q >= 0; q--) {
      u[q] = row[q][column[b]];
      UNROLL
      for (int above = P - 1; above > q; above--) {
        u[q] = real_mulsub(L[above][q], u[above], u[q]);
      }
      row[q][column[b]] = u[q];
    }
  }
  panel_eliminate(A, row, inverse, column, n, P);
}

// Calls f(..., P) with a constant number of rows.
#define WITH_ROWS(count, f, ...) \
  switch (count) {               \
    case 4:                      \
      f(__VA_ARGS__, 4);         \
      break;                     \
    case 3:                      \
      f(__VA_ARGS__, 3);         \
      break;                     \
    case 2:                      \
      f(__VA_ARGS__, 2);         \
      break;                     \
    default:                     \
      f(__VA_ARGS__, 1);         \
      break;                     \
  }

// Factors in place; the diagonal holds 1/D.
// Also ldl_factor in smooth/ldl.c.
static void lane_factor(Real* A, const LanePattern* p) {
  for (int k = p->npanel - 1; k >= 0; k--) {
    WITH_ROWS(p->panel[k].count, panel_factor, A, p, p->panel + k)
  }
}

// x_a -= sum over q of L_qa x_q, within the panel first
INLINE void panel_solve_up(Real* x, const Real* L, const LanePattern* p, const LanePanel* panel,
                           int P) {
  const int* column = p->column + panel->column;
  const Real* row[PANEL_MOST];
  Real value[PANEL_MOST];
  UNROLL
  for (int q = 0; q < P; q++) {
    row[q] = L + lane_row_at(panel->first + q);
    value[q] = x[panel->first + q];
  }
  UNROLL
  for (int q = P - 1; q >= 0; q--) {
    UNROLL
    for (int a = 0; a < q; a++) {
      value[a] = real_mulsub(row[q][panel->first + a], value[q], value[a]);
    }
    x[panel->first + q] = value[q];
  }
  for (int a = 0; a < panel->n; a++) {
    Real sum = x[column[a]];
    UNROLL
    for (int q = P - 1; q >= 0; q--) {
      sum = real_mulsub(row[q][column[a]], value[q], sum);
    }
    x[column[a]] = sum;
  }
}

// x_q = x_q / d_q - sum over a of L_qa x_a
INLINE void panel_solve_down(Real* x, const Real* L, const LanePattern* p, const LanePanel* panel,
                             int P) {
  const int* column = p->column + panel->column;
  const Real* row[PANEL_MOST];
  Real value[PANEL_MOST];
  UNROLL
  for (int q = 0; q < P; q++) {
    row[q] = L + lane_row_at(panel->first + q);
    value[q] = x[panel->first + q] * row[q][panel->first + q];
  }
  for (int a = 0; a < panel->n; a++) {
    Real known = x[column[a]];
    UNROLL
    for (int q = 0; q < P; q++) {
      value[q] = real_mulsub(row[q][column[a]], known, value[q]);
    }
  }
  UNROLL
  for (int q = 0; q < P; q++) {
    UNROLL
    for (int a = 0; a < q; a++) {
      value[q] = real_mulsub(row[q][panel->first + a], value[a], value[q]);
    }
    x[panel->first + q] = value[q];
  }
}

// y_q = sum over a of M_qa x_a, and y_a += M_qa x_q
INLINE void panel_product(Real* y, const Real* M, const LanePattern* p, const LanePanel* panel,
                          const Real* x, int P) {
  const int* column = p->column + panel->column;
  const Real* row[PANEL_MOST];
  Real in[PANEL_MOST], out[PANEL_MOST];
  UNROLL
  for (int q = 0; q < P; q++) {
    row[q] = M + lane_row_at(panel->first + q);
    in[q] = x[panel->first + q];
    out[q] = row[q][panel->first + q] * in[q];
  }
  UNROLL
  for (int q = 0; q < P; q++) {
    UNROLL
    for (int a = 0; a < q; a++) {
      Real entry = row[q][panel->first + a];
      out[q] = real_muladd(entry, in[a], out[q]);
      out[a] = real_muladd(entry, in[q], out[a]);
    }
  }
  for (int a = 0; a < panel->n; a++) {
    Real at = x[column[a]], sum = y[column[a]];
    UNROLL
    for (int q = 0; q < P; q++) {
      out[q] = real_muladd(row[q][column[a]], at, out[q]);
      sum = real_muladd(row[q][column[a]], in[q], sum);
    }
    y[column[a]] = sum;
  }
  UNROLL
  for (int q = 0; q < P; q++) {
    y[panel->first + q] = out[q];
  }
}

static void solve_down(Real* x, const Real* L, const LanePattern* p) {
  for (int k = 0; k < p->npanel; k++) {
    WITH_ROWS(p->panel[k].count, panel_solve_down, x, L, p, p->panel + k)
  }
}

// Solves L'DL x = b in place.
static void lane_solve(Real* x, const Real* L, const LanePattern* p) {
  for (int k = p->npanel - 1; k >= 0; k--) {
    WITH_ROWS(p->panel[k].count, panel_solve_up, x, L, p, p->panel + k)
  }
  solve_down(x, L, p);
}

INLINE void panel_factor_solve(Real* x, Real* A, const LanePattern* p, const LanePanel* panel,
                               int P) {
  panel_factor(A, p, panel, P);
  panel_solve_up(x, A, p, panel, P);
}

// Factors A in place and solves A x = b. The way up takes rows while they are in the cache.
static void factor_and_solve(Real* x, Real* A, const LanePattern* p) {
  for (int k = p->npanel - 1; k >= 0; k--) {
    WITH_ROWS(p->panel[k].count, panel_factor_solve, x, A, p, p->panel + k)
  }
  solve_down(x, A, p);
}

// y = M x; columns are ancestors, whose y is there before it is added to.
static void product(Real* y, const Real* M, const LanePattern* p, const Real* x) {
  for (int k = 0; k < p->npanel; k++) {
    WITH_ROWS(p->panel[k].count, panel_product, y, M, p, p->panel + k, x)
  }
}

// to = from, where the pattern has numbers
static void pattern_copy(Real* to, const Real* from, const LanePattern* p) {
  for (int k = 0; k < p->npanel; k++) {
    const LanePanel* panel = p->panel + k;
    const int* column = p->column + panel->column;
    for (int i = panel->first; i < panel->first + panel->count; i++) {
      Real* out = to + lane_row_at(i);
      const Real* in = from + lane_row_at(i);
      for (int a = 0; a < panel->n; a++) {
        out[column[a]] = in[column[a]];
      }
      for (int j = panel->first; j <= i; j++) {
        out[j] = in[j];
      }
    }
  }
}
