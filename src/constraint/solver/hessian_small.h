// hessian_small.h: the dense Newton matrix of a few dofs, for the kernel of primal.c.
//
// It is made anew in each iteration, a row at a time in registers, and factored one pivot at a
// time. Blocks and a matrix to update (hessian_dense.c) cost more than they save here. Rows are
// whole vectors; what stands right of the diagonal is not used.

#pragma once

#include "constraint/law/law.h"
#include "constraint/solver/hessian.h"

enum {
  SMALL_VECTORS = SMALL_DOFS / SIMD_N
};

// A sum of outer products left_r' right_r of row vectors.
typedef struct {
  int n;
  const mjtNum* right[SMALL_ROWS];
  mjtNum left[SMALL_ROWS * SMALL_DOFS];
} SmallProducts;

// The rows of one contact in the middle of its cone: left_r = sum_s H_rs J_s
INLINE void small_put_cone(SmallProducts* q, const mjtNum* H, const mjtNum* J, int dim,
                           ptrdiff_t ld) {
  for (int r = 0; r < dim; r++, H += dim, q->n++) {
    for (int b = 0; b < ld; b += SIMD_N) {
      SimdN sum = {0};
      for (int s = 0; s < dim; s++) {
        sum += H[s] * SIMD_READ(SimdN, J + s * ld + b);
      }
      SIMD_AT(SimdN, q->left + q->n * SMALL_DOFS + b) = sum;
    }
    q->right[q->n] = J + r * ld;
  }
}

// J' W J for the present states
INLINE void small_products(SmallProducts* q, const Problem* p) {
  const Rows* rows = &p->rows;
  const int* state = p->state;
  const mjtNum* J = p->J.value;
  int n = 0, nefc = rows->nefc;
  ptrdiff_t ld = p->J.ld;
  for (int i = 0; i < nefc;) {
    if (state[i] == mjCNSTRSTATE_CONE) {
      const mjContact* contact = rows->contact + rows->id[i];
      q->n = n;
      small_put_cone(q, contact->H, J + i * ld, contact->dim, ld);
      n = q->n;
      i += contact->dim;
      continue;
    }
    if (state[i] == mjCNSTRSTATE_QUADRATIC) {
      for (int b = 0; b < ld; b += SIMD_N) {
        SIMD_AT(SimdN, q->left + n * SMALL_DOFS + b) =
            rows->D[i] * SIMD_READ(SimdN, J + i * ld + b);
      }
      q->right[n++] = J + i * ld;
    }
    i++;
  }
  q->n = n;
}

// Rows j to j + nrow - 1 of H = M + sum of products, their first `count` vectors
INLINE void small_sum_rows(mjtNum* H, const mjtNum* M, ptrdiff_t ld, const SmallProducts* q, int j,
                           int nrow, int count) {
  SimdN sum[4][4];
  for (int k = 0; k < nrow; k++) {
    for (int b = 0; b < count; b++) {
      sum[k][b] = SIMD_READ(SimdN, M + (j + k) * ld + b * SIMD_N);
    }
  }
  for (int r = 0; r < q->n; r++) {
    const mjtNum *left = q->left + r * SMALL_DOFS + j, *right = q->right[r];
    for (int k = 0; k < nrow; k++) {
      for (int b = 0; b < count; b++) {
        sum[k][b] += left[k] * SIMD_READ(SimdN, right + b * SIMD_N);
      }
    }
  }
  for (int k = 0; k < nrow; k++) {
    for (int b = 0; b < count; b++) {
      SIMD_AT(SimdN, H + (j + k) * SMALL_DOFS + b * SIMD_N) = sum[k][b];
    }
  }
}

// to -= c row, in `count` vectors
INLINE void small_subtract(mjtNum* to, mjtNum c, const mjtNum* row, int count) {
  for (int b = 0; b < count * SIMD_N; b += SIMD_N) {
    SIMD_AT(SimdN, to + b) = SIMD_READ(SimdN, to + b) - c * SIMD_READ(SimdN, row + b);
  }
}

// Sums the rows of H in tiles, `count` vectors of each row, a constant where this is inlined.
INLINE void small_sum_block(mjtNum* H, const Problem* p, const SmallProducts* q, int count) {
  const int tile = count < 4 ? 4 : 2;  // rows whose sums stay in registers
  int j = (count - 1) * SIMD_N, end = count * SIMD_N < p->n ? count * SIMD_N : p->n;
  for (; j + tile <= end; j += tile) {
    small_sum_rows(H, p->M_dense, p->J.ld, q, j, tile, count);
  }
  for (; j < end; j++) {
    small_sum_rows(H, p->M_dense, p->J.ld, q, j, 1, count);
  }
}

// Eliminates row i, whose pivot has the inverse d, from the rows of a block before it.
INLINE void small_eliminate(mjtNum* H, int i, mjtNum d, int count) {
  if (count > SMALL_VECTORS) {
    return;
  }
  const mjtNum* row = H + i * SMALL_DOFS;
  for (int j = (count - 1) * SIMD_N; j < count * SIMD_N && j < i; j++) {
    if (row[j] != 0) {
      small_subtract(H + j * SMALL_DOFS, row[j] * d, row, count);
    }
  }
}

// x = (M + J' W J)^-1 x, with H = L' D L eliminated from the last dof to the first:
//
//   H_j -= (H_ij / D_i) H_i    x -= (x_i / D_i) H_i       for j < i
//   x_i = (x_i - sum_k<i H_ik x_k) / D_i                  from the first to the last
INLINE void small_newton(const Problem* p, mjtNum* x) {
  mjtNum H[SMALL_DOFS * SMALL_DOFS], scaled[SMALL_DOFS], inverse[SMALL_DOFS];
  SmallProducts q;  // too large to be cleared each time
  small_products(&q, p);
  for (int count = 1; count <= SMALL_VECTORS; count++) {
    switch (count) {
      case 1:
        small_sum_block(H, p, &q, 1);
        break;
      case 2:
        small_sum_block(H, p, &q, 2);
        break;
      case 3:
        small_sum_block(H, p, &q, 3);
        break;
      default:
        small_sum_block(H, p, &q, 4);
        break;
    }
  }
  for (int i = p->n - 1; i >= 0; i--) {
    const mjtNum* row = H + i * SMALL_DOFS;
    mjtNum d = 1 / (row[i] >= mjMINVAL ? row[i] : mjMINVAL), z = x[i] * d;
    inverse[i] = d;
    scaled[i] = z;
    small_subtract(x, z, row, i / SIMD_N + 1);
    small_eliminate(H, i, d, 1);
    small_eliminate(H, i, d, 2);
    small_eliminate(H, i, d, 3);
    small_eliminate(H, i, d, 4);
  }
  for (int b = 0; b < p->n; b += SIMD_N) {
    SIMD_AT(SimdN, x + b) = (SimdN){0};
  }
  for (int i = 0; i < p->n; i++) {
    const mjtNum* row = H + i * SMALL_DOFS;
    SimdN sum = {0};
    for (int b = 0; b <= i; b += SIMD_N) {
      sum += SIMD_READ(SimdN, row + b) * SIMD_READ(SimdN, x + b);
    }
    x[i] = scaled[i] - simdn_sum(&sum) * inverse[i];
  }
}
