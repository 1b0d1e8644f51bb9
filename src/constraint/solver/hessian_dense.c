// The dense Newton matrix, factored in blocks of DOF_BLOCK = 4 dofs. The last block is padded with
// uncoupled dofs of unit inertia. Blocks save time twice: a row of H is loaded and stored once for
// four pivots, and a solve has one dependent step for four dofs.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/law/cache.h"
#include "constraint/law/law.h"
#include "constraint/solver/hessian.h"
#include "model/data/arena.h"

enum {
  BLOCK = DOF_BLOCK,
  TILE = 2,    // vectors per row of a tile: 4 x 2 of the 16 vector registers hold sums
  BATCH = 32,  // outer products added to H at a time
};

// A batch of outer products weight_r left_r' right_r of row vectors.
typedef struct {
  int n;
  const mjtNum *left[BATCH], *right[BATCH];
  mjtNum weight[BATCH];
  uint64_t blocks[BATCH];  // blocks of dofs where left or right may be nonzero
} Products;

INLINE void products_put(Products* products, const mjtNum* left, const mjtNum* right, mjtNum weight,
                         uint64_t blocks) {
  int r = products->n++;
  products->left[r] = left;
  products->right[r] = right;
  products->weight[r] = weight;
  products->blocks[r] = blocks;
}

// WJ = W J for the rows J of one contact, where W is the Hessian of its cone: (WJ)_r = sum_s W_rs
// J_s. blocks: where J may be nonzero; the other blocks are cleared, because a tile reads them.
KERNEL
static void weigh_rows(mjtNum* WJ, const mjtNum* W, const mjtNum* J, uint64_t blocks, int dim,
                       ptrdiff_t ld) {
  for (int b = 0; b < ld; b += SIMD_N) {
    int any = (blocks & dof_blocks(b, SIMD_N)) != 0;
    for (int r = 0; r < dim; r++) {
      SimdN sum = {0};
      for (int s = 0; s < dim && any; s++) {
        sum += W[r * dim + s] * SIMD_READ(SimdN, J + s * ld + b);
      }
      SIMD_AT(SimdN, WJ + r * ld + b) = sum;
    }
  }
}

// The products of a batch that may touch some block of rows.
typedef struct {
  int n, product[BATCH];
} Touching;

INLINE void find_touching(Touching* touching, const Products* products, uint64_t rows) {
  touching->n = 0;
  for (int r = 0; r < products->n; r++) {
    touching->product[touching->n] = r;
    touching->n += (products->blocks[r] & rows) != 0;
  }
}

// H_i += sum_r weight_r left_r[i] right_r on a tile: the BLOCK rows i from j, `count` vectors from
// column c. plain: all weights are 1.
INLINE void add_tile(mjtNum* H, ptrdiff_t ld, const Products* products, const Touching* touching,
                     int j, int c, int count, int plain) {
  SimdN sum[BLOCK][TILE];
  uint64_t columns = dof_blocks(c, count * SIMD_N);
  for (int k = 0; k < BLOCK; k++) {
    for (int b = 0; b < count; b++) {
      sum[k][b] = SIMD_READ(SimdN, H + (j + k) * ld + c + b * SIMD_N);
    }
  }
  for (int t = 0; t < touching->n; t++) {
    int r = touching->product[t];
    if (products->blocks[r] & columns) {
      const mjtNum *left = products->left[r] + j, *right = products->right[r] + c;
      for (int k = 0; k < BLOCK; k++) {
        mjtNum factor = plain ? left[k] : products->weight[r] * left[k];
        for (int b = 0; b < count; b++) {
          sum[k][b] += factor * SIMD_READ(SimdN, right + b * SIMD_N);
        }
      }
    }
  }
  for (int k = 0; k < BLOCK; k++) {
    for (int b = 0; b < count; b++) {
      SIMD_AT(SimdN, H + (j + k) * ld + c + b * SIMD_N) = sum[k][b];
    }
  }
}

// H += sum_r weight_r left_r' right_r on the lower triangle
INLINE void add_tiles(mjtNum* H, int n, ptrdiff_t ld, const Products* products, int plain) {
  Touching touching;
  for (int j = 0; j < n; j += BLOCK) {
    find_touching(&touching, products, dof_blocks(j, BLOCK));
    int c = 0, end = touching.n ? SIMD_PADDED(j + 1) : 0;
    for (; c + TILE * SIMD_N <= end; c += TILE * SIMD_N) {
      add_tile(H, ld, products, &touching, j, c, TILE, plain);
    }
    if (c < end) {
      add_tile(H, ld, products, &touching, j, c, 1, plain);
    }
  }
}

KERNEL
static void add_products(mjtNum* H, int n, ptrdiff_t ld, const Products* products) {
  add_tiles(H, n, ld, products, 0);
}

KERNEL
static void add_plain_products(mjtNum* H, int n, ptrdiff_t ld, const Products* products) {
  add_tiles(H, n, ld, products, 1);
}

// Copies the lower triangle, each row up to the end of the vector with its diagonal.
KERNEL
static void copy_lower(mjtNum* to, const mjtNum* from, int n, ptrdiff_t ld) {
  for (int i = 0; i < n; i++, to += ld, from += ld) {
    for (int b = 0; b <= i; b += SIMD_N) {
      SIMD_AT(SimdN, to + b) = SIMD_READ(SimdN, from + b);
    }
  }
}

// Factors of a diagonal block: entries of L below the diagonal, 1 / D on it.
typedef struct {
  mjtNum d0, l10, d1, l20, l21, d2, l30, l31, l32, d3;
} Pivots;

INLINE mjtNum inverse_pivot(mjtNum pivot, int is_definite[1]) {
  *is_definite &= pivot >= mjMINVAL;
  return 1 / (pivot >= mjMINVAL ? pivot : mjMINVAL);
}

// Factors a diagonal block. Clears *is_definite if a pivot is too small.
INLINE Pivots factor_block(const mjtNum* U0, ptrdiff_t ld, int is_definite[1]) {
  const mjtNum *U1 = U0 + ld, *U2 = U1 + ld, *U3 = U2 + ld;
  Pivots p;
  p.d3 = inverse_pivot(U3[3], is_definite);
  p.l32 = U3[2] * p.d3;
  p.l31 = U3[1] * p.d3;
  p.l30 = U3[0] * p.d3;

  mjtNum u21 = U2[1] - p.l32 * U3[1], u20 = U2[0] - p.l32 * U3[0];
  p.d2 = inverse_pivot(U2[2] - p.l32 * U3[2], is_definite);
  p.l21 = u21 * p.d2;
  p.l20 = u20 * p.d2;

  mjtNum u10 = U1[0] - p.l31 * U3[0] - p.l21 * u20;
  p.d1 = inverse_pivot(U1[1] - p.l31 * U3[1] - p.l21 * u21, is_definite);
  p.l10 = u10 * p.d1;
  p.d0 = inverse_pivot(U0[0] - p.l30 * U3[0] - p.l20 * u20 - p.l10 * u10, is_definite);
  return p;
}

INLINE int any_nonzero(const Simd4 v[BLOCK]) {
  Simd4Mask any = (Simd4Mask)v[0] | (Simd4Mask)v[1] | (Simd4Mask)v[2] | (Simd4Mask)v[3];
  return (any[0] | any[1] | any[2] | any[3]) != 0;
}

// Lists the blocks of columns left of a diagonal block at i where its rows are not zero.
INLINE int nonzero_columns(int* column, const mjtNum* rows, ptrdiff_t ld, int i) {
  int n = 0;
  for (int b = 0; b < i; b += BLOCK) {
    const Simd4 v[BLOCK] = {SIMD_READ(Simd4, rows + b), SIMD_READ(Simd4, rows + ld + b),
                            SIMD_READ(Simd4, rows + 2 * ld + b),
                            SIMD_READ(Simd4, rows + 3 * ld + b)};
    column[n] = b;
    n += any_nonzero(v);
  }
  return n;
}

// Eliminates the rows of a block from each other, in n blocks of columns.
INLINE void eliminate_within(mjtNum* rows, ptrdiff_t ld, const Pivots* p, const int* column,
                             int n) {
  for (int k = 0; k < n; k++) {
    mjtNum* at = rows + column[k];
    Simd4 u3 = SIMD_READ(Simd4, at + 3 * ld);
    Simd4 u2 = SIMD_READ(Simd4, at + 2 * ld) - p->l32 * u3;
    Simd4 u1 = SIMD_READ(Simd4, at + ld) - p->l31 * u3 - p->l21 * u2;
    Simd4 u0 = SIMD_READ(Simd4, at) - p->l30 * u3 - p->l20 * u2 - p->l10 * u1;
    SIMD_AT(Simd4, at + 2 * ld) = u2;
    SIMD_AT(Simd4, at + ld) = u1;
    SIMD_AT(Simd4, at) = u0;
  }
}

// to_k -= sum_r c_r[k] rows_r for the BLOCK rows of another block, in n blocks of columns
INLINE void subtract_rows(mjtNum* to, const mjtNum* rows, ptrdiff_t ld, const Simd4 c[BLOCK],
                          const int* column, int n) {
  for (int q = 0; q < n; q++) {
    int b = column[q];
    for (int k = 0; k < BLOCK; k++) {
      Simd4 sum = SIMD_READ(Simd4, to + k * ld + b);
      for (int r = 0; r < BLOCK; r++) {
        sum -= c[r][k] * SIMD_READ(Simd4, rows + r * ld + b);
      }
      SIMD_AT(Simd4, to + k * ld + b) = sum;
    }
  }
}

// Elimination of y for one block: y[i..i + 3] are eliminated from each other, divided by D and then
// eliminated from y[0..i - 1].
INLINE void eliminate_block(mjtNum* y, int i, const mjtNum* rows, ptrdiff_t ld, const Pivots* p) {
  const Simd4 inverse = {p->d0, p->d1, p->d2, p->d3};
  mjtNum y3 = y[i + 3], y2 = y[i + 2] - p->l32 * y3, y1 = y[i + 1] - p->l31 * y3 - p->l21 * y2;
  mjtNum y0 = y[i] - p->l30 * y3 - p->l20 * y2 - p->l10 * y1;
  const Simd4 z = (Simd4){y0, y1, y2, y3} * inverse;
  for (int b = 0; b < i; b += BLOCK) {
    Simd4 sum = SIMD_READ(Simd4, y + b);
    for (int r = 0; r < BLOCK; r++) {
      sum -= z[r] * SIMD_READ(Simd4, rows + r * ld + b);
    }
    SIMD_AT(Simd4, y + b) = sum;
  }
  SIMD_AT(Simd4, y + i) = z;
}

// Factors H in place and eliminates y, four pivots at a time, from the last block to the first. The
// rows U_r of a block are eliminated from each other, and then from the rows j before the block and
// from y. Returns 0 if a pivot is too small.
//
//   U_j -= sum_r (U_rj / D_r) U_r        y -= sum_r (y_r / D_r) U_r
KERNEL
static int factor(mjtNum* H, mjtNum* DInv, mjtNum* y, int* column, int n, ptrdiff_t ld) {
  int is_definite = 1;
  for (int i = n - BLOCK; i >= 0; i -= BLOCK) {
    mjtNum* rows = H + i * ld;
    Pivots p = factor_block(rows + i, ld, &is_definite);
    int count = nonzero_columns(column, rows, ld, i);
    eliminate_within(rows, ld, &p, column, count);
    const Simd4 inverse = {p.d0, p.d1, p.d2, p.d3};
    for (int k = count - 1; k >= 0; k--) {
      Simd4 c[BLOCK];
      for (int r = 0; r < BLOCK; r++) {
        c[r] = SIMD_READ(Simd4, rows + r * ld + column[k]) * inverse[r];
      }
      subtract_rows(H + column[k] * ld, rows, ld, c, column, k + 1);
    }

    eliminate_block(y, i, rows, ld, &p);
    SIMD_AT(Simd4, DInv + i) = inverse;
    rows[ld + i] = p.l10;
    SIMD_AT(Simd2, rows + 2 * ld + i) = (Simd2){p.l20, p.l21};
    SIMD_AT(Simd4, rows + 3 * ld + i) = (Simd4){p.l30, p.l31, p.l32};
  }
  return is_definite;
}

// Eliminates y as `factor` does, with factors U and DInv that are known.
KERNEL
static void eliminate(mjtNum* y, const mjtNum* U, const mjtNum* DInv, int n, ptrdiff_t ld) {
  for (int i = n - BLOCK; i >= 0; i -= BLOCK) {
    const mjtNum *rows = U + i * ld, *L1 = rows + ld + i, *L2 = L1 + ld, *L3 = L2 + ld;
    const Pivots p = {DInv[i],     L1[0], DInv[i + 1], L2[0], L2[1],
                      DInv[i + 2], L3[0], L3[1],       L3[2], DInv[i + 3]};
    eliminate_block(y, i, rows, ld, &p);
  }
}

// x_i = z_i - (sum_k<i U_ik x_k) / D_i, from the first block to the last; x holds z at the start
KERNEL
static void substitute(mjtNum* x, const mjtNum* U, const mjtNum* DInv, int n, ptrdiff_t ld) {
  for (int i = 0; i < n; i += BLOCK) {
    const mjtNum* rows = U + i * ld;
    Simd4 sum[BLOCK] = {{0}};
    for (int b = 0; b < i; b += BLOCK) {
      Simd4 xb = SIMD_READ(Simd4, x + b);
      for (int r = 0; r < BLOCK; r++) {
        sum[r] += SIMD_READ(Simd4, rows + r * ld + b) * xb;
      }
    }
    Simd4 below;
    simd4_sums(&below, sum);
    Simd4 t = SIMD_READ(Simd4, x + i) - below * SIMD_READ(Simd4, DInv + i);
    const mjtNum *row1 = rows + ld + i, *row2 = row1 + ld, *row3 = row2 + ld;
    mjtNum x1 = t[1] - row1[0] * t[0], x2 = t[2] - row2[0] * t[0] - row2[1] * x1;
    mjtNum x3 = t[3] - row3[0] * t[0] - row3[1] * x1 - row3[2] * x2;
    SIMD_AT(Simd4, x + i) = (Simd4){t[0], x1, x2, x3};
  }
}

void dense_factor_solve(mjtNum* H, mjtNum* DInv, mjtNum* y, int* block, int n) {
  factor(H, DInv, y, block, n, n);
  substitute(y, H, DInv, n, n);
}

void dense_make(DenseHessian* hessian, mjData* d, const Problem* p) {
  int n = (p->n + BLOCK - 1) / BLOCK * BLOCK, ld = SIMD_PADDED(p->n);
  hessian->n = n;
  hessian->ld = ld;
  hessian->H = arena_take(d, sizeof(mjtNum) * n * ld, 64);
  hessian->U = arena_take(d, sizeof(mjtNum) * n * ld, 64);
  hessian->DInv = arena_take(d, sizeof(mjtNum) * ld, 64);
  hessian->column = arena_take(d, sizeof(int) * n / BLOCK, _Alignof(int));
  hessian->y = arena_take(d, sizeof(mjtNum) * ld, 64);
  hessian->WJ = p->rows.elliptic ? arena_take(d, sizeof(mjtNum) * BATCH * ld, 64) : NULL;
}

// H += J' (W - W_before) J over the rows whose weight has changed since the states `before`
static void add_changes(DenseHessian* hessian, const Problem* p, const int* before) {
  const Rows* rows = &p->rows;
  Products products;  // too large to be cleared each time
  products.n = 0;
  for (int i = 0; i < rows->nefc; i++) {
    mjtNum old = before ? law_curvature(rows->D[i], before[i]) : 0;
    mjtNum change = law_curvature(rows->D[i], p->state[i]) - old;
    const mjtNum* J = p->J.value + i * p->J.ld;
    // the product is always written and dropped again if the weight is unchanged: a branch would be
    // mispredicted
    products_put(&products, J, J, change, p->blocks[i]);
    products.n -= change == 0;
    if (products.n == BATCH || (products.n && i + 1 == rows->nefc)) {
      add_products(hessian->H, hessian->n, hessian->ld, &products);
      products.n = 0;
    }
  }
}

// U += J' W J over the elliptic contacts in the middle zone of their cone
static void add_cones(DenseHessian* hessian, const Problem* p) {
  const Rows* rows = &p->rows;
  ptrdiff_t ld = hessian->ld;
  Products products;  // too large to be cleared each time
  products.n = 0;
  for (int i = rows->ne + rows->nf, dim; i < rows->nefc; i += dim) {
    dim = law_rows(rows, i);
    if (p->state[i] == mjCNSTRSTATE_CONE) {
      const mjtNum* J = p->J.value + i * ld;
      uint64_t blocks = 0;
      for (int r = 0; r < dim; r++) {
        blocks |= p->blocks[i + r];
      }
      mjtNum* WJ = hessian->WJ + products.n * ld;
      weigh_rows(WJ, rows->contact[rows->id[i]].H, J, blocks, dim, ld);
      for (int r = 0; r < dim; r++) {
        products_put(&products, WJ + r * ld, J + r * ld, 1, blocks);
      }
    }
    if (products.n > BATCH - 6 || (products.n && i + dim == rows->nefc)) {
      add_plain_products(hessian->U, hessian->n, ld, &products);
      products.n = 0;
    }
  }
}

// Updates H to the current states, factors it and eliminates y. Returns 0 if a pivot is too small.
static int factor_now(DenseHessian* hessian, const Problem* p, const int* before) {
  int n = hessian->n;
  ptrdiff_t ld = hessian->ld;
  if (!before) {
    copy_lower(hessian->H, p->M_dense, p->n, ld);
    for (int i = p->n; i < n; i++) {
      memset(hessian->H + i * ld, 0, sizeof(mjtNum) * ld);
      hessian->H[i * ld + i] = 1;
    }
  }
  add_changes(hessian, p, before);
  copy_lower(hessian->U, hessian->H, n, ld);
  if (p->rows.elliptic) {
    add_cones(hessian, p);
  }
  return factor(hessian->U, hessian->DInv, hessian->y, hessian->column, n, ld);
}

// Whether the cache has the factor for the current states and D.
static int is_cached(const SolverCache* cache, const Problem* p) {
  size_t nefc = (size_t)p->rows.nefc;
  return cache && cache->factored && !memcmp(cache->state, p->state, nefc * sizeof(int)) &&
         !memcmp(cache->D, p->rows.D, nefc * sizeof(mjtNum));
}

// Stores the factor in the cache, unless it includes Hessians of cones, which don't follow from the
// states alone.
static void keep(SolverCache* cache, const DenseHessian* hessian, const Problem* p) {
  size_t nefc = (size_t)p->rows.nefc, square = hessian->n * hessian->ld * sizeof(mjtNum);
  for (size_t i = 0; i < nefc; i++) {
    if (p->state[i] == mjCNSTRSTATE_CONE) {
      return;
    }
  }
  memcpy(cache->state, p->state, nefc * sizeof(int));
  memcpy(cache->D, p->rows.D, nefc * sizeof(mjtNum));
  memcpy(cache->H, hessian->H, square);
  memcpy(cache->U, hessian->U, square);
  memcpy(cache->DInv, hessian->DInv, hessian->ld * sizeof(mjtNum));
  cache->factored = 1;
}

void dense_solve(DenseHessian* hessian, const Problem* p, const int* before, mjtNum* x) {
  int n = hessian->n;
  ptrdiff_t ld = hessian->ld;
  SolverCache* cache = before ? NULL : p->cache;
  const mjtNum *U = hessian->U, *DInv = hessian->DInv;
  memcpy(hessian->y, x, sizeof(mjtNum) * ld);
  if (is_cached(cache, p)) {
    copy_lower(hessian->H, cache->H, n, ld);
    U = cache->U;
    DInv = cache->DInv;
    eliminate(hessian->y, U, DInv, n, ld);
  } else if (!factor_now(hessian, p, before) && before) {
    // rounding errors of many updates have made a pivot too small: sum H again from M
    dense_solve(hessian, p, NULL, x);
    return;
  } else if (cache) {
    keep(cache, hessian, p);
  }
  substitute(hessian->y, U, DInv, n, ld);
  memcpy(x, hessian->y, sizeof(mjtNum) * p->n);
}
