// dense.c: vectorized dot products and matrix products, Cholesky factorization, solve and rank-one
// update (simd.h).

#include "base/algebra/dense.h"

#include <condyle/dynamics.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"

// loops inlined into kernels

enum {
  PANEL = 8  // rows of L that a solve takes at once
};

// out_k = a_k . b for `count` <= 4 rows a_k; count is a constant wherever this is inlined. The loop
// is written with SIMD vectors because the compiler may not reorder floating-point sums. Each row
// has two vectors of partial sums. More would cost more than they save, as most rows are short.
INLINE void lanes_dots(mjtNum* out, const mjtNum* const* a, const mjtNum* b, int n, int count) {
  SimdN s[4] = {{0}}, t[4] = {{0}};
  int i = 0;
  for (; i + 2 * SIMD_N <= n; i += 2 * SIMD_N) {
    for (int k = 0; k < count; k++) {
      s[k] += SIMD_READ(SimdN, a[k] + i) * SIMD_READ(SimdN, b + i);
      t[k] += SIMD_READ(SimdN, a[k] + i + SIMD_N) * SIMD_READ(SimdN, b + i + SIMD_N);
    }
  }
  for (int k = 0; k < count && i + SIMD_N <= n; k++) {
    s[k] += SIMD_READ(SimdN, a[k] + i) * SIMD_READ(SimdN, b + i);
  }
  i += i + SIMD_N <= n ? SIMD_N : 0;
  mjtNum sum[4];
  for (int k = 0; k < count; k++) {
    s[k] += t[k];
  }
  if (count == 4) {
    simdn_sums(sum, s);
  } else {
    for (int k = 0; k < count; k++) {
      sum[k] = simdn_sum(s + k);
    }
  }
  for (; i < n; i++) {
    for (int k = 0; k < count; k++) {
      sum[k] += a[k][i] * b[i];
    }
  }
  for (int k = 0; k < count; k++) {
    out[k] = sum[k];
  }
}

INLINE mjtNum lanes_dot(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum out;
  lanes_dots(&out, &a, b, n, 1);
  return out;
}

INLINE void lanes_axpy(mjtNum* restrict y, const mjtNum* restrict x, mjtNum s, int n) {
  for (int i = 0; i < n; i++) {
    y[i] += s * x[i];
  }
}

// y += sum_p f[p] x_p for PANEL rows x_p = x + p stride. y is read and written only once.
INLINE void lanes_panel(mjtNum* restrict y, const mjtNum* restrict x, int stride,
                        const mjtNum f[PANEL], int n) {
  for (int i = 0; i < n; i++) {
    const mjtNum* c = x + i;
    mjtNum even = f[0] * c[0], odd = f[1] * c[stride];
    even += f[2] * c[2 * stride];
    odd += f[3] * c[3 * stride];
    even += f[4] * c[4 * stride];
    odd += f[5] * c[5 * stride];
    even += f[6] * c[6 * stride];
    odd += f[7] * c[7 * stride];
    y[i] += even + odd;
  }
}

KERNEL mjtNum dot_n(const mjtNum* a, const mjtNum* b, int n) {
  return lanes_dot(a, b, n);
}

KERNEL void dot2_n(mjtNum out[2], const mjtNum* const a[2], const mjtNum* b, int n) {
  lanes_dots(out, a, b, n, 2);
}

KERNEL void dot3_n(mjtNum out[3], const mjtNum* const a[3], const mjtNum* b, int n) {
  lanes_dots(out, a, b, n, 3);
}

KERNEL void axpy_n(mjtNum* y, const mjtNum* x, mjtNum s, int n) {
  lanes_axpy(y, x, s, n);
}

KERNEL void mju_scl(mjtNum* out, const mjtNum* x, mjtNum s, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = s * x[i];
  }
}

KERNEL void mju_mulMatVec(mjtNum* y, const mjtNum* A, const mjtNum* x, int nr, int nc) {
  int r = 0;
  for (; r + 4 <= nr; r += 4, A += 4 * (size_t)nc) {
    const mjtNum* const row[4] = {A, A + nc, A + 2 * (size_t)nc, A + 3 * (size_t)nc};
    lanes_dots(y + r, row, x, nc, 4);
  }
  for (; r < nr; r++, A += nc) {
    y[r] = lanes_dot(A, x, nc);
  }
}

KERNEL void mju_mulMatTVec(mjtNum* y, const mjtNum* A, const mjtNum* x, int nr, int nc) {
  memset(y, 0, nc > 0 ? (size_t)nc * sizeof(mjtNum) : 0);
  for (int r = 0; r < nr; r++, A += nc) {
    if (x[r] != 0) {
      lanes_axpy(y, A, x[r], nc);
    }
  }
}

void dense_mirror(mjtNum* A, int n) {
  mjtNum* row = A;
  for (int i = 0; i < n; i++, row += n) {
    mjtNum* column = A + i;
    for (int j = 0; j < i; j++, column += n) {
      *column = row[j];
    }
  }
}

// A = L L' in place, lower triangle. A pivot (before its square root) below mindiag is replaced by
// mindiag.
//
//   L_ij = (A_ij - sum_k<j L_ik L_jk) / L_jj
//
// Columns are computed from left to right. The elements of a column don't depend on each other.
// Below a replaced pivot they are zero by the later rule (cut), because what is left there is noise
// that the small pivot would enlarge.
INLINE int factor(mjtNum* A, int n, mjtNum mindiag, int cut) {
  int rank = n;
  mjtNum* Lj = A;
  for (int j = 0; j < n; j++, Lj += n) {
    mjtNum pivot = Lj[j] - lanes_dot(Lj, Lj, j);
    int is_lost = cut ? !(pivot >= mindiag) : pivot < mindiag;
    if (is_lost) {
      pivot = mindiag;
      rank--;
    }
    Lj[j] = mju_sqrt(pivot);
    mjtNum inverse = 1 / Lj[j];
    mjtNum* Li = Lj + n;
    for (int i = j + 1; i < n; i++, Li += n) {
      Li[j] = cut && is_lost ? 0 : (Li[j] - lanes_dot(Li, Lj, j)) * inverse;
    }
  }
  return rank;
}

KERNEL int mju_cholFactor(mjtNum* A, int n, mjtNum mindiag) {
  return factor(A, n, mindiag, 0);
}

KERNEL static int factor_cut(mjtNum* A, int n, mjtNum mindiag) {
  return factor(A, n, mindiag, 1);
}

int cnd_cholFactor(mjtNum* A, int n, mjtNum mindiag) {
  check_arrays(n, A);
  return factor_cut(A, n, mindiag);
}

// L y = b, then L' x = y, in panels of eight rows. The products with unknowns of earlier panels are
// independent of each other. Only the 8 x 8 triangle on the diagonal is solved sequentially. The
// inverses of its diagonal are computed beforehand.
KERNEL void mju_cholSolve(mjtNum* x, const mjtNum* L, const mjtNum* b, int n) {
  mjtNum inverse[PANEL];
  if (x != b) {
    memmove(x, b, (size_t)int_max(n, 0) * sizeof(mjtNum));
  }
  // Solve L y = b from the first panel to the last. x holds y of earlier panels, b from there on.
  for (int k = 0; k < n; k += PANEL) {
    int nb = int_min(PANEL, n - k);
    const mjtNum* rows = L + (size_t)k * n;
    for (int p = 0; p < nb; p++) {
      inverse[p] = 1 / rows[p * n + k + p];
      x[k + p] -= lanes_dot(rows + p * n, x, k);
    }
    for (int p = 0; p < nb; p++) {
      mjtNum sum = x[k + p];
      for (int q = 0; q < p; q++) {
        sum -= rows[p * n + k + q] * x[k + q];
      }
      x[k + p] = sum * inverse[p];
    }
  }
  // Solve L' x = y from the last panel to the first. Subtract each from all panels before it.
  for (int k = (n - 1) / PANEL * PANEL; n > 0 && k >= 0; k -= PANEL) {
    int nb = int_min(PANEL, n - k);
    const mjtNum* rows = L + (size_t)k * n;
    mjtNum f[PANEL] = {0};
    for (int p = 0; p < nb; p++) {
      inverse[p] = 1 / rows[p * n + k + p];
    }
    for (int p = nb - 1; p >= 0; p--) {
      mjtNum sum = x[k + p];
      for (int q = p + 1; q < nb; q++) {
        sum -= rows[q * n + k + p] * x[k + q];
      }
      x[k + p] = sum * inverse[p];
      f[p] = -x[k + p];
    }
    if (nb == PANEL) {
      lanes_panel(x, rows, n, f, k);
    } else {
      for (int p = 0; p < nb; p++) {
        lanes_axpy(x, rows + p * n, f[p], k);
      }
    }
  }
}

// Rank-one update: the factor of L L' +- x x', in place; overwrites x. An update is a sequence of n
// rotations, each of which depends on the one before. For more than two or three updates a new
// factorization is faster.
//
// Rotation k (hyperbolic for minus) mixes column k of L with x so that x_k becomes 0:
//
//   r = sqrt(L_kk^2 +- x_k^2)    c = r / L_kk    s = x_k / L_kk
//   L_ik <- (L_ik +- s x_i) / c,   x_i <- c x_i - s L_ik                  i > k
int mju_cholUpdate(mjtNum* L, mjtNum* x, int n, int plus) {
  int rank = n;
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) {
      continue;
    }
    mjtNum* pivot = L + (size_t)k * n + k;
    mjtNum diag = *pivot, *element = pivot;
    mjtNum square = diag * diag + (plus ? x[k] * x[k] : -x[k] * x[k]);
    if (square < mjMINVAL) {
      square = mjMINVAL;
      rank--;
    }
    mjtNum root = mju_sqrt(square);
    mjtNum c = root / diag, inverse = diag / root, s = x[k] / diag;
    mjtNum signed_s = plus ? s : -s;
    *pivot = root;
    for (int i = k + 1; i < n; i++) {
      element += n;
      *element = (*element + signed_s * x[i]) * inverse;
      x[i] = c * x[i] - s * *element;
    }
  }
  return rank;
}
