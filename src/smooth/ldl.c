// L'DL without fill-in: rows U = D L, before the division by their pivot, from the last up:
//
//   U_i = M_i - sum over descendants k of L_ki U_k (its beginning, as long as row i),   D_i = U_ii
//
// Rows are eliminated a chain at a time; a chain has rows first to last, each the parent of the
// next. Inside of the chain every row sums the rows below it; then every ancestor of the chain sums
// all rows of the chain. Both sums stay in registers, BLOCK columns at a time.

// Compile with -fno-tree-vectorize: this file says explicitly what is a vector.
#include "smooth/ldl.h"

#include <mujoco/mjtnum.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/algebra/sparse_row.h"

enum {
  BLOCK = 16,
  FEW = 16,         // dofs up to which rows are eliminated one by one: chains are short
  LONG_CHAIN = 32,  // dofs of a chain whose rows are eliminated two at a time
  AT_ONCE = 32,     // rows whose factors are computed together
};

typedef struct {
  mjtNum* U;
  mjtNum* diaginv;
  const int* rowadr;
} Factor;

// Up to BLOCK columns of a row in registers: fours, a two and a one (simd.h). Their number, width,
// is a constant in every call.
typedef struct {
  Simd4 four[BLOCK / 4];
  Simd2 two;
  mjtNum one;
} Run;

INLINE Run load(const mjtNum* row, int width) {
  Run run;
  for (int j = 0; j < width / 4; j++) {
    run.four[j] = SIMD_READ(Simd4, row + 4 * j);
  }
  if (width & 2) {
    run.two = SIMD_READ(Simd2, row + (width & ~3));
  }
  if (width & 1) {
    run.one = row[width - 1];
  }
  return run;
}

INLINE void store(mjtNum* row, const Run* run, int width) {
  for (int j = 0; j < width / 4; j++) {
    SIMD_AT(Simd4, row + 4 * j) = run->four[j];
  }
  if (width & 2) {
    SIMD_AT(Simd2, row + (width & ~3)) = run->two;
  }
  if (width & 1) {
    row[width - 1] = run->one;
  }
}

// run -= scale row
INLINE void subtract(Run* run, mjtNum scale, const mjtNum* row, int width) {
  for (int j = 0; j < width / 4; j++) {
    run->four[j] -= scale * SIMD_READ(Simd4, row + 4 * j);
  }
  if (width & 2) {
    run->two -= scale * SIMD_READ(Simd2, row + (width & ~3));
  }
  if (width & 1) {
    run->one -= scale * row[width - 1];
  }
}

// Subtracts from row i, at some depth, its sum over rows first to last, in columns c to c + width.
INLINE void subtract_columns(const Factor* f, int i, int depth, int first, int last, int c,
                             int width) {
  mjtNum* out = f->U + f->rowadr[i] + c;
  Run sum = load(out, width);
  // the nearest row comes last, because it has just been stored and a load would wait for it
  for (int k = last; k >= first; k--) {
    const mjtNum* row = f->U + f->rowadr[k];
    subtract(&sum, row[depth] * f->diaginv[k], row + c, width);
  }
  store(out, &sum, width);
}

// Calls f(..., width) with a constant width: each width gets its own loop with known lengths.
#define WITH_WIDTH(width, f, ...) \
  switch (width) {                \
    WIDTH(1, f, __VA_ARGS__)      \
    WIDTH(2, f, __VA_ARGS__)      \
    WIDTH(3, f, __VA_ARGS__)      \
    WIDTH(4, f, __VA_ARGS__)      \
    WIDTH(5, f, __VA_ARGS__)      \
    WIDTH(6, f, __VA_ARGS__)      \
    WIDTH(7, f, __VA_ARGS__)      \
    WIDTH(8, f, __VA_ARGS__)      \
    WIDTH(9, f, __VA_ARGS__)      \
    WIDTH(10, f, __VA_ARGS__)     \
    WIDTH(11, f, __VA_ARGS__)     \
    WIDTH(12, f, __VA_ARGS__)     \
    WIDTH(13, f, __VA_ARGS__)     \
    WIDTH(14, f, __VA_ARGS__)     \
    WIDTH(15, f, __VA_ARGS__)     \
    default:                      \
      break;                      \
  }
#define WIDTH(n, f, ...) \
  case n:                \
    f(__VA_ARGS__, n);   \
    break;

INLINE void subtract_rows(const Factor* f, int i, int depth, int first, int last) {
  int c = 0;
  for (; c + BLOCK <= depth + 1; c += BLOCK) {
    subtract_columns(f, i, depth, first, last, c, BLOCK);
  }
  WITH_WIDTH(depth + 1 - c, subtract_columns, f, i, depth, first, last, c)
}

// L = D^-1 U below the diagonal
INLINE void divide_row(mjtNum* row, mjtNum inv, int n) {
  int p = 0;
  for (; p + 4 <= n; p += 4) {
    SIMD_AT(Simd4, row + p) *= inv;
  }
  if (n & 2) {
    SIMD_AT(Simd2, row + p) *= inv;
    p += 2;
  }
  if (n & 1) {
    row[p] *= inv;
  }
}

// Rows i and i - 1 of a chain, at depths depth and depth - 1, less their sums over rows first to
// last in BLOCK columns from c on. factor[k]: of row last - k in both.
INLINE void subtract_columns_of_two(const Factor* f, int i, const mjtNum (*factor)[2], int first,
                                    int last, int c) {
  mjtNum *upper = f->U + f->rowadr[i - 1] + c, *lower = f->U + f->rowadr[i] + c;
  Run a = load(lower, BLOCK), b = load(upper, BLOCK);
  for (int k = last; k >= first; k--) {
    const Run row = load(f->U + f->rowadr[k] + c, BLOCK);
    const mjtNum* scale = factor[last - k];
    for (int j = 0; j < BLOCK / 4; j++) {
      a.four[j] -= scale[0] * row.four[j];
      b.four[j] -= scale[1] * row.four[j];
    }
  }
  store(lower, &a, BLOCK);
  store(upper, &b, BLOCK);
}

// The columns from c on, fewer than BLOCK or as many, of a row that has depth + 1.
INLINE void subtract_rest(const Factor* f, int i, int depth, int first, int last, int c) {
  if (depth + 1 - c == BLOCK) {
    subtract_columns(f, i, depth, first, last, c, BLOCK);
    return;
  }
  WITH_WIDTH(depth + 1 - c, subtract_columns, f, i, depth, first, last, c)
}

// subtract_rows for rows i and i - 1 at once: each row below them is read once for both.
INLINE void subtract_rows_of_two(const Factor* f, int i, int depth, int first, int last) {
  for (int end = last; end >= first; end -= AT_ONCE) {
    int begin = end - AT_ONCE + 1 > first ? end - AT_ONCE + 1 : first, c = 0;
    mjtNum factor[AT_ONCE][2];
    for (int k = end; k >= begin; k--) {
      const mjtNum* row = f->U + f->rowadr[k] + depth;
      factor[end - k][0] = row[0] * f->diaginv[k];
      factor[end - k][1] = row[-1] * f->diaginv[k];
    }
    for (; c + BLOCK <= depth; c += BLOCK) {
      subtract_columns_of_two(f, i, factor, begin, end, c);
    }
    subtract_rest(f, i, depth, begin, end, c);
    subtract_rest(f, i - 1, depth - 1, begin, end, c);
  }
}

// Rows of a long chain, each less its sum over the rows below it, two at a time.
static KERNEL void eliminate_long_chain(const Factor* f, int first, int last, int n) {
  for (int i = last, depth = n + last - first; i >= first; i -= 2, depth -= 2) {
    int two = i > first;
    if (two && i < last) {
      subtract_rows_of_two(f, i, depth, i + 1, last);
    } else if (i < last) {
      subtract_rows(f, i, depth, i + 1, last);
    }
    f->diaginv[i] = 1 / f->U[f->rowadr[i] + depth];
    if (two) {
      subtract_rows(f, i - 1, depth - 1, i, i);
      f->diaginv[i - 1] = 1 / f->U[f->rowadr[i - 1] + depth - 1];
    }
  }
}

// Rows of a chain, each less its sum over the rows below it.
INLINE void eliminate_short_chain(const Factor* f, int first, int last, int n) {
  for (int i = last, depth = n + last - first; i >= first; i--, depth--) {
    if (i < last) {
      subtract_rows(f, i, depth, i + 1, last);
    }
    f->diaginv[i] = 1 / f->U[f->rowadr[i] + depth];
  }
}

static KERNEL void eliminate_chain(const Factor* f, int first, int last, const int* ancestors,
                                   int n) {
  if (last - first >= LONG_CHAIN) {
    eliminate_long_chain(f, first, last, n);
  } else {
    eliminate_short_chain(f, first, last, n);
  }
  for (int p = 0; p < n; p++) {
    subtract_rows(f, ancestors[p], p, first, last);
  }
  for (int i = first; i <= last; i++) {
    divide_row(f->U + f->rowadr[i], f->diaginv[i], n + i - first);
  }
}

// Inverts D of a diagonal row and, if they are diagonal too, of the TREE_RUN - 1 rows before it.
// Returns the number of those rows.
static int invert_run(mjtNum* diaginv, TreePattern tree, const mjtNum* LD, int last) {
  int first = last - TREE_RUN + 1;
  if (first < tree.begin || !tree_is_diagonal(tree, first)) {
    diaginv[last] = 1 / LD[tree.rowadr[last]];
    return 0;
  }
  SIMD_AT(SimdN, diaginv + first) = 1 / SIMD_READ(SimdN, LD + tree.rowadr[first]);
  return TREE_RUN - 1;
}

// to -= scale row
INLINE void subtract_short(mjtNum* to, mjtNum scale, const mjtNum* row, int n) {
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    SIMD_AT(Simd4, to + k) -= scale * SIMD_READ(Simd4, row + k);
  }
  if (n & 2) {
    SIMD_AT(Simd2, to + k) -= scale * SIMD_READ(Simd2, row + k);
    k += 2;
  }
  if (n & 1) {
    to[k] -= scale * row[k];
  }
}

// Each row is eliminated from its ancestors, the nearest first, which leaves it as a row of L.
static KERNEL void factor_few(mjtNum* LD, mjtNum* diaginv, TreePattern tree) {
  const int *rownnz = tree.rownnz, *rowadr = tree.rowadr, *colind = tree.colind;
  for (int i = tree.n - 1; i >= tree.begin; i--) {
    int adr = rowadr[i], ancestors = rownnz[i] - 1;
    mjtNum* row = LD + adr;
    mjtNum inverse = diaginv[i] = 1 / row[ancestors];
    for (int p = ancestors - 1; p >= 0; p--) {
      mjtNum scale = row[p] * inverse;
      subtract_short(LD + rowadr[colind[adr + p]], scale, row, p + 1);
      row[p] = scale;
    }
  }
}

// Does what solve_upper and solve_lower do, for a few dofs whose path fits in one small array:
// y_k = b_k - path_k from the last dof up, then x_k = y_k / D_k - row . path from the first down.
static KERNEL void solve_few(mjtNum* x, TreePattern tree, const mjtNum* LD, const mjtNum* diaginv) {
  const int *rownnz = tree.rownnz, *rowadr = tree.rowadr;
  mjtNum path[FEW] = {0};
  for (int i = tree.n - 1; i >= tree.begin; i--) {
    int ancestors = rownnz[i] - 1;
    mjtNum y = x[i] + path[ancestors];
    x[i] = y;
    path[ancestors] = 0;
    subtract_short(path, y, LD + rowadr[i], ancestors);
  }
  for (int i = tree.begin; i < tree.n; i++) {
    const mjtNum* row = LD + rowadr[i];
    int ancestors = rownnz[i] - 1;
    mjtNum sum = x[i] * diaginv[i];
    for (int p = 0; p < ancestors; p++) {
      sum -= row[p] * path[p];
    }
    x[i] = path[ancestors] = sum;
  }
}

// M + scale diag(shift) = L' D L
// Also lane_factor in lanes/dynamics/panels.h and lanes_factor in smooth/alike/factor.c.
void ldl_factor(mjtNum* LD, mjtNum* diaginv, TreePattern tree, const mjtNum* M, const mjtNum* shift,
                mjtNum scale) {
  const int *rownnz = tree.rownnz, *rowadr = tree.rowadr, begin = tree.begin, end = tree.n - 1;
  if (LD != M && begin <= end) {
    int adr = rowadr[begin];
    memcpy(LD + adr, M + adr, (rowadr[end] + rownnz[end] - adr) * sizeof(mjtNum));
  }
  for (int i = begin; shift && i < tree.n; i++) {
    LD[rowadr[i] + rownnz[i] - 1] += scale * shift[i];
  }
  if (tree.n - begin <= FEW) {
    factor_few(LD, diaginv, tree);
    return;
  }
  const Factor f = {LD, diaginv, rowadr};
  for (int first, last = end; last >= begin; last = first - 1) {
    first = last;
    if (rownnz[last] == 1) {
      first -= invert_run(diaginv, tree, LD, last);
      continue;
    }
    while (first > begin && rownnz[first - 1] + 1 == rownnz[first]) {
      first--;
    }
    eliminate_chain(&f, first, last, tree.colind + rowadr[first], rownnz[first] - 1);
  }
}

// path -= y row
INLINE void subtract_from_path(mjtNum* path, const mjtNum* row, mjtNum y, int width) {
  Run run = load(path, width);
  subtract(&run, y, row, width);
  store(path, &run, width);
}

INLINE void subtract_row(mjtNum* path, const mjtNum* row, mjtNum y, int n) {
  for (; n >= BLOCK; n -= BLOCK, path += BLOCK, row += BLOCK) {
    subtract_from_path(path, row, y, BLOCK);
  }
  WITH_WIDTH(n, subtract_from_path, path, row, y)
}

// y_k = b_k - sum over descendants j of L_jk y_j, from the last dof up. path holds, by depth, the
// negated sums for the ancestors of the rows passed so far. A row clears the sum that it reads, for
// the next branch. The sums for its parent and grandparent, which usually are the next rows, stay
// in registers, so that y_k waits for one product only.
static KERNEL void solve_upper(mjtNum* x, TreePattern tree, const mjtNum* LD, mjtNum* path) {
  const int *rownnz = tree.rownnz, *rowadr = tree.rowadr, n = tree.n, begin = tree.begin;
  memset(path, 0, (size_t)(n - begin) * sizeof(mjtNum));
  int below = 0;  // ancestors of row k + 1; for its parent it leaves left + l * y
  mjtNum l = 0, y = 0, left = 0, next = 0;
  for (int k = n - 1; k >= begin; k--) {
    int ancestors = rownnz[k] - 1;
    if (ancestors + below == 0) {
      while (k - begin >= TREE_RUN && tree_is_diagonal(tree, k - TREE_RUN)) {
        k -= TREE_RUN;
      }
      continue;
    }
    if (ancestors + 1 == below) {
      y = (x[k] + path[ancestors] - left) - l * y;
      path[ancestors] = 0;
    } else {
      // k is the end of another branch
      if (below > 0) {
        path[below - 1] -= left + l * y;
      }
      if (below > 1) {
        path[below - 2] -= next;
      }
      next = 0;
      y = x[k];
    }
    x[k] = y;
    const mjtNum* row = LD + rowadr[k];
    l = ancestors > 0 ? row[ancestors - 1] : 0;
    left = next;
    next = ancestors > 1 ? row[ancestors - 2] * y : 0;
    subtract_row(path, row, y, ancestors - 2);
    below = ancestors;
  }
}

// sum -= row . path, width numbers
INLINE void subtract_product(mjtNum* sum, const mjtNum* row, const mjtNum* path, int width) {
  for (int p = 0; p < width; p++) {
    *sum -= row[p] * path[p];
  }
}

// x_k = y_k / D_k - sum over ancestors j of L_kj x_j, from the first dof down. path holds the x of
// the ancestors by depth. Its last entries have been stored one by one just before, so they are
// read one by one: a vector load would stall.
static KERNEL void solve_lower(mjtNum* x, TreePattern tree, const mjtNum* LD, const mjtNum* diaginv,
                               mjtNum* path) {
  const int *rownnz = tree.rownnz, *rowadr = tree.rowadr, n = tree.n;
  for (int k = tree.begin; k < n; k++) {
    int ancestors = rownnz[k] - 1, p = 0;
    if (!ancestors) {
      if (tree_is_diagonal(tree, k)) {
        SIMD_AT(SimdN, x + k) *= SIMD_READ(SimdN, diaginv + k);
        k += TREE_RUN - 1;
        path[0] = x[k];
      } else {
        x[k] = path[0] = x[k] * diaginv[k];
      }
      continue;
    }
    const mjtNum* row = LD + rowadr[k];
    mjtNum sum = x[k] * diaginv[k];
    if (ancestors >= BLOCK) {
      Simd4 sum4 = {0, 0, 0, 0};
      for (; p + BLOCK / 2 <= ancestors; p += 4) {
        sum4 += SIMD_READ(Simd4, row + p) * SIMD_READ(Simd4, path + p);
      }
      sum -= (sum4[0] + sum4[2]) + (sum4[1] + sum4[3]);
    }
    WITH_WIDTH(ancestors - p, subtract_product, &sum, row + p, path + p)
    x[k] = path[ancestors] = sum;
  }
}

// Rows that are the ends of their paths:
//
//   row i    j k l m i      row i reaches back to j; each of its ancestors k, l, m has a row that
//   row m    j k l m        reaches back to j at least, so there is no fill-in, and the end of an
//   row l  h j k l          ancestor's row is the beginning of row i
//
// Rows are eliminated one by one, from the last:  row_p -= L_ip row_i  for the ancestors p of i.
void ldl_cut_factor(mjtNum* LD, mjtNum* diaginv, TreePattern tree) {
  for (int i = tree.n - 1; i >= tree.begin; i--) {
    int ancestors = tree.rownnz[i] - 1;
    mjtNum* row = LD + tree.rowadr[i];
    const int* column = tree.colind + tree.rowadr[i];
    mjtNum inverse = diaginv[i] = 1 / row[ancestors];
    for (int p = ancestors - 1; p >= 0; p--) {
      mjtNum scale = row[p] * inverse;
      if (scale != 0) {
        int end = tree.rowadr[column[p]] + tree.rownnz[column[p]];
        axpy_n(LD + end - (p + 1), row, -scale, p + 1);
      }
      row[p] = scale;
    }
  }
}

static void solve_cut(mjtNum* x, TreePattern tree, const mjtNum* LD, const mjtNum* diaginv) {
  for (int i = tree.n - 1; i >= tree.begin; i--) {
    int adr = tree.rowadr[i];
    row_add_to(x, LD + adr, tree.colind + adr, tree.rownnz[i] - 1, -x[i]);
  }
  for (int i = tree.begin; i < tree.n; i++) {
    int adr = tree.rowadr[i];
    x[i] = x[i] * diaginv[i] - row_dot(LD + adr, tree.colind + adr, tree.rownnz[i] - 1, x);
  }
}

void ldl_solve_upper(mjtNum* x, TreePattern tree, const mjtNum* LD, mjtNum* path) {
  // a model without dofs has no path
  if (tree.n > tree.begin) {
    solve_upper(x, tree, LD, path);
  }
}

// x = (L' D L)^-1 x = L^-1 D^-1 L'^-1 x
void ldl_solve(mjtNum* x, TreePattern tree, const mjtNum* LD, const mjtNum* diaginv, mjtNum* path) {
  if (tree.is_cut) {
    solve_cut(x, tree, LD, diaginv);
    return;
  }
  if (tree.n - tree.begin <= FEW) {
    solve_few(x, tree, LD, diaginv);
    return;
  }
  ldl_solve_upper(x, tree, LD, path);
  solve_lower(x, tree, LD, diaginv, path);
}
