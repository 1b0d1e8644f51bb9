// Packing of flex edges by rows and by ends, and products with them.
//                                                         theory/contact/solvers.md, Primal descent

#include "constraint/solver/edges.h"

#include <string.h>

#include "base/algebra/sparse_row.h"
#include "model/data/arena.h"

static void* room(mjData* d, size_t n, size_t size, int fits[1]) {
  void* block = *fits ? arena_push(d, n * size, 8 < size ? 64 : _Alignof(int)) : NULL;
  *fits = block != NULL;
  return block;
}

// Whether a row is an edge, or an edge with a fixed end.
static int is_packable(const Matrix* J, int row) {
  const int* column = J->column + J->rowadr[row];
  int n = J->rownnz[row];
  return row_is_edge(column, n) || (n == 3 && column[2] - column[0] == 2);
}

static void find_run(EdgeRows* edges, const Matrix* J) {
  int first = 0, last;
  while (first < J->nrow && !is_packable(J, first)) {
    first++;
  }
  for (last = first; last < J->nrow && is_packable(J, last);) {
    last++;
  }
  *edges = (EdgeRows){.first = first, .n = last - first};
}

// Packs numbers by rows. A fixed end has zeros and the column of the other end. Counts the edges of
// each end.
static void pack_rows(EdgeRows* edges, int* count, const Matrix* J) {
  memset(count, 0, (size_t)J->ncolumn * sizeof(int));
  for (int i = 0; i < edges->n; i++) {
    int adr = J->rowadr[edges->first + i], two = J->rownnz[edges->first + i] == 6;
    const mjtNum* v = J->value + adr;
    const int* column = J->column + adr;
    edges->value[2 * i] = (Simd4){v[0], v[1], v[2], 0};
    edges->value[2 * i + 1] = two ? (Simd4){v[3], v[4], v[5], 0} : (Simd4){0};
    edges->column[2 * i] = column[0];
    edges->column[2 * i + 1] = column[two ? 3 : 0];
    count[column[0]]++;
    if (two) {
      count[column[3]]++;
    }
  }
}

// Packs the numbers by ends. count becomes the place of the next edge of each end.
static void pack_ends(EdgeRows* edges, int* count, int ncolumn) {
  int num = 0;
  for (int c = 0; c < ncolumn; c++) {
    if (count[c]) {
      edges->end[edges->nend] = c;
      edges->adr[edges->nend++] = num;
      num += count[c];
      count[c] = num - count[c];
    }
  }
  edges->adr[edges->nend] = num;
  for (int i = 0; i < 2 * edges->n; i++) {
    if (i % 2 == 0 || edges->column[i] != edges->column[i - 1]) {
      int to = count[edges->column[i]]++;
      edges->row[to] = i / 2;
      edges->of_end[to] = edges->value[i];
    }
  }
}

void edges_make(EdgeRows* edges, mjData* d, const Matrix* J) {
  find_run(edges, J);
  if (!edges->n) {
    return;
  }
  size_t n = (size_t)edges->n, most = (size_t)J->ncolumn;
  int fits = 1;
  edges->value = room(d, 2 * n, sizeof(Simd4), &fits);
  edges->of_end = room(d, 2 * n, sizeof(Simd4), &fits);
  edges->column = room(d, 2 * n, sizeof(int), &fits);
  edges->row = room(d, 2 * n, sizeof(int), &fits);
  edges->end = room(d, most, sizeof(int), &fits);
  edges->adr = room(d, most + 1, sizeof(int), &fits);
  int* count = room(d, most, sizeof(int), &fits);
  if (!fits) {
    edges->n = 0;
    return;
  }
  pack_rows(edges, count, J);
  pack_ends(edges, count, J->ncolumn);
}

INLINE void edge_product(Simd4 out[1], const EdgeRows* edges, int i, const mjtNum* x) {
  *out = edges->value[2 * i] * SIMD_READ(Simd4, x + edges->column[2 * i]) +
         edges->value[2 * i + 1] * SIMD_READ(Simd4, x + edges->column[2 * i + 1]);
}

KERNEL static void multiply(mjtNum* res, const EdgeRows* edges, const mjtNum* x) {
  int i = 0, n = edges->n;
  for (; i + 4 <= n; i += 4) {
    Simd4 sums, part[4];
    for (int k = 0; k < 4; k++) {
      edge_product(part + k, edges, i + k, x);
    }
    simd4_sums(&sums, part);
    SIMD_AT(Simd4, res + i) = sums;
  }
  for (; i < n; i++) {
    Simd4 part;
    edge_product(&part, edges, i, x);
    res[i] = (part[0] + part[1]) + (part[2] + part[3]);
  }
}

KERNEL static void add_transposed(mjtNum* res, const EdgeRows* edges, const mjtNum* f) {
  for (int i = 0; i < edges->nend; i++) {
    Simd4 sum = {0};
    for (int k = edges->adr[i]; k < edges->adr[i + 1]; k++) {
      sum += f[edges->row[k]] * edges->of_end[k];
    }
    mjtNum* to = res + edges->end[i];
    to[0] += sum[0];
    to[1] += sum[1];
    to[2] += sum[2];
  }
}

static SparseRows some_rows(const Matrix* J, int first, int end) {
  return (SparseRows){end - first, J->rownnz + first, J->rowadr + first, J->column, J->value, NULL};
}

void edges_mulv(mjtNum* res, const EdgeRows* edges, const Matrix* J, const mjtNum* x) {
  int first = edges->first, end = first + edges->n;
  SparseRows before = some_rows(J, 0, first), after = some_rows(J, end, J->nrow);
  rows_dot(res, &before, x);
  multiply(res + first, edges, x);
  rows_dot(res + end, &after, x);
}

void edges_tmulv(mjtNum* res, const EdgeRows* edges, const Matrix* J, const mjtNum* x) {
  int first = edges->first, end = first + edges->n;
  SparseRows before = some_rows(J, 0, first), after = some_rows(J, end, J->nrow);
  memset(res, 0, (size_t)J->ncolumn * sizeof(mjtNum));
  rows_add_to(res, &before, x);
  add_transposed(res, edges, x + first);
  rows_add_to(res, &after, x + end);
}
