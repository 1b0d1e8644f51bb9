// The dense Newton matrix of a few dofs: made anew in each iteration, a row at a time in registers,
// and factored one pivot at a time. Blocks and a matrix to update (hessian_dense.c) cost more than
// they save here. Rows are whole vectors; what stands right of the diagonal is not used.

#include <string.h>

#include "constraint/law.h"
#include "constraint/solver/hessian.h"

enum {
  VECTORS = SMALL_DOFS / SIMD_N
};

// A sum of outer products weight_r left_r' right_r of row vectors.
typedef struct {
  int n;
  const mjtNum *left[SMALL_ROWS], *right[SMALL_ROWS];
  mjtNum weight[SMALL_ROWS];
  mjtNum WJ[SMALL_ROWS * SMALL_DOFS];  // left vectors of cones
} Products;

INLINE void products_put(Products* q, const mjtNum* left, const mjtNum* right, mjtNum weight) {
  q->left[q->n] = left;
  q->right[q->n] = right;
  q->weight[q->n] = weight;
  q->n += weight != 0;
}

// The rows of one contact in the middle of its cone: left_r = sum_s H_rs J_s
INLINE void products_put_cone(Products* q, const mjtNum* H, const mjtNum* J, int dim,
                              ptrdiff_t ld) {
  for (int r = 0; r < dim; r++, H += dim) {
    mjtNum* WJ = q->WJ + q->n * SMALL_DOFS;
    for (int b = 0; b < ld; b += SIMD_N) {
      SimdN sum = {0};
      for (int s = 0; s < dim; s++) {
        sum += H[s] * SIMD_READ(SimdN, J + s * ld + b);
      }
      SIMD_AT(SimdN, WJ + b) = sum;
    }
    products_put(q, WJ, J + r * ld, 1);
  }
}

// J' W J for the present states
INLINE void products_make(Products* q, const Problem* p) {
  const Rows* rows = &p->rows;
  ptrdiff_t ld = p->J.ld;
  q->n = 0;
  for (int i = 0; i < rows->nefc;) {
    const mjtNum* J = p->J.value + i * ld;
    if (p->state[i] != mjCNSTRSTATE_CONE) {
      products_put(q, J, J, law_curvature(rows->D[i], p->state[i]));
      i++;
    } else {
      const mjContact* contact = rows->contact + rows->id[i];
      products_put_cone(q, contact->H, J, contact->dim, ld);
      i += contact->dim;
    }
  }
}

// Row j of H = M + sum of products, its first `count` vectors
INLINE void sum_row(mjtNum* H, const mjtNum* M, const Products* q, int j, int count) {
  SimdN sum[4];
  for (int b = 0; b < count; b++) {
    sum[b] = SIMD_READ(SimdN, M + b * SIMD_N);
  }
  for (int r = 0; r < q->n; r++) {
    mjtNum factor = q->weight[r] * q->left[r][j];
    for (int b = 0; b < count; b++) {
      sum[b] += factor * SIMD_READ(SimdN, q->right[r] + b * SIMD_N);
    }
  }
  for (int b = 0; b < count; b++) {
    SIMD_AT(SimdN, H + b * SIMD_N) = sum[b];
  }
}

// to -= c row, in `count` vectors
INLINE void subtract(mjtNum* to, mjtNum c, const mjtNum* row, int count) {
  for (int b = 0; b < count * SIMD_N; b += SIMD_N) {
    SIMD_AT(SimdN, to + b) = SIMD_READ(SimdN, to + b) - c * SIMD_READ(SimdN, row + b);
  }
}

// The rows of a block, of which `count` vectors are needed: constant where this is inlined.
INLINE void sum_block(mjtNum* H, const Problem* p, const Products* q, int count) {
  ptrdiff_t ld = p->J.ld;
  for (int j = (count - 1) * SIMD_N; j < count * SIMD_N && j < p->n; j++) {
    sum_row(H + j * SMALL_DOFS, p->M_dense + j * ld, q, j, count);
  }
}

// Eliminates row i, whose pivot has the inverse d, from the rows of a block before it.
INLINE void eliminate_block(mjtNum* H, int i, mjtNum d, int count) {
  const mjtNum* row = H + i * SMALL_DOFS;
  for (int j = (count - 1) * SIMD_N; j < count * SIMD_N && j < i; j++) {
    if (row[j] != 0) {
      subtract(H + j * SMALL_DOFS, row[j] * d, row, count);
    }
  }
}

// x = (M + J' W J)^-1 x, with H = L' D L eliminated from the last dof to the first:
//
//   H_j -= (H_ij / D_i) H_i    x -= (x_i / D_i) H_i       for j < i
//   x_i = (x_i - sum_k<i H_ik x_k) / D_i                  from the first to the last
KERNEL void small_solve(const Problem* p, mjtNum* x) {
  mjtNum H[SMALL_DOFS * SMALL_DOFS], scaled[SMALL_DOFS], inverse[SMALL_DOFS];
  Products q;  // too large to be cleared each time
  products_make(&q, p);
  for (int count = 1; count <= VECTORS; count++) {
    switch (count) {
      case 1:
        sum_block(H, p, &q, 1);
        break;
      case 2:
        sum_block(H, p, &q, 2);
        break;
      case 3:
        sum_block(H, p, &q, 3);
        break;
      default:
        sum_block(H, p, &q, 4);
        break;
    }
  }
  for (int i = p->n - 1; i >= 0; i--) {
    const mjtNum* row = H + i * SMALL_DOFS;
    mjtNum d = 1 / (row[i] >= mjMINVAL ? row[i] : mjMINVAL), z = x[i] * d;
    inverse[i] = d;
    scaled[i] = z;
    subtract(x, z, row, i / SIMD_N + 1);
    eliminate_block(H, i, d, 1);
    eliminate_block(H, i, d, 2);
    eliminate_block(H, i, d, 3);
    eliminate_block(H, i, d, 4);
  }
  memset(x, 0, SIMD_PADDED(p->n) * sizeof(mjtNum));
  for (int i = 0; i < p->n; i++) {
    const mjtNum* row = H + i * SMALL_DOFS;
    SimdN sum = {0};
    for (int b = 0; b <= i; b += SIMD_N) {
      sum += SIMD_READ(SimdN, row + b) * SIMD_READ(SimdN, x + b);
    }
    x[i] = scaled[i] - simdn_sum(&sum) * inverse[i];
  }
}
