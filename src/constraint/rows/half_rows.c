// Half solves for all rows, a panel of rows in vector lanes at a time. First a bit set collects the
// dofs that the panel reaches; then one elimination serves all rows of the panel.

#include "constraint/rows/half_rows.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"

enum {
  WORD = 64  // dofs per word of bits
};

typedef struct {
  Matrix J;
  TreePattern tree;
  uint64_t* reached;  // a bit per dof
  int low, high;      // range of words that have bits; high < low: none
  mjtNum *x, *path;   // nv vectors of SIMD_N each, zero between panels
  int* list;          // nv
  int64_t* any;       // nv
  mjtNum* root;       // D^-1/2
} Work;

static void reach(Work* w, int dof) {
  int word = dof / WORD;
  w->reached[word] |= (uint64_t)1 << dof % WORD;
  w->low = int_min(w->low, word);
  w->high = int_max(w->high, word);
}

typedef int64_t Long4 SIMD_TYPE(4 * sizeof(int64_t));

// Puts n rows of a dense J into the lanes of x, and marks in `any` the columns that are not zero.
static KERNEL void load_lanes(mjtNum* restrict x, int64_t* restrict any, const mjtNum* value,
                              ptrdiff_t ld, int ncolumn, int n) {
  int k = 0;
#ifndef mjUSESINGLE
  for (; k + 4 <= ncolumn; k += 4) {
    Simd4 row[4] = {{0}};
    Long4 nonzero = {0};
    for (int r = 0; r < n; r++) {
      row[r] = SIMD_READ(Simd4, value + r * ld + k);
      nonzero |= row[r] != 0;
    }
    SIMD_AT(Long4, any + k) = nonzero;
    simd4_transpose(row);
    for (int r = 0; r < 4; r++) {
      SIMD_AT(Simd4, x + (k + r) * SIMD_N) = row[r];
    }
  }
#endif
  for (; k < ncolumn; k++) {
    any[k] = 0;
    for (int r = 0; r < n; r++) {
      mjtNum entry = value[r * ld + k];
      x[k * SIMD_N + r] = entry;
      any[k] |= entry != 0;
    }
  }
}

static void load_dense(Work* w, int row, int n, int column, int ncolumn) {
  load_lanes(w->x + column * SIMD_N, w->any, w->J.value + row * w->J.ld + column, w->J.ld, ncolumn,
             n);
  for (int k = 0; k < ncolumn; k++) {
    if (w->any[k]) {
      reach(w, column + k);
    }
  }
}

// The same for compressed rows.
static void load_sparse(Work* w, int row, int n) {
  for (int r = 0; r < n; r++) {
    const int* column = w->J.column + w->J.rowadr[row + r];
    const mjtNum* value = w->J.value + w->J.rowadr[row + r];
    int nnz = w->J.rownnz[row + r];
    for (int k = 0; k < nnz; k++) {
      w->x[column[k] * SIMD_N + r] = value[k];
    }
    // most rows of a panel belong to one contact
    for (int k = 0; k < nnz && (!r || !w->J.same[row + r - 1]); k++) {
      reach(w, column[k]);
    }
  }
}

// Lists the dofs reached so far, with all their ancestors, in descending order; clears the bits.
static int list_reached(Work* w) {
  const int *adr = w->tree.rowadr, *nnz = w->tree.rownnz;
  int n = 0;
  for (int word = w->high; word >= w->low; word--) {
    uint64_t bits = w->reached[word];
    while (bits) {
      int dof = word * WORD + WORD - 1 - __builtin_clzll(bits);
      int up = nnz[dof] > 1 ? w->tree.colind[adr[dof] + nnz[dof] - 2] : -1;
      w->list[n++] = dof;
      bits &= ~((uint64_t)1 << dof % WORD);
      if (up >= word * WORD) {
        bits |= (uint64_t)1 << up % WORD;
      } else if (up >= 0) {
        reach(w, up);
      }
    }
    w->reached[word] = 0;
  }
  w->low = w->tree.n;
  w->high = -1;
  return n;
}

// value = D^-1/2 L^-T x at the listed dofs, whose x become zero. path: what descendants subtract
// from their ancestors, by depth (ldl.h); it is zero before and after.
static KERNEL void eliminate(mjtNum* restrict value, mjtNum* restrict x, mjtNum* restrict path,
                             const int* dof, int n, TreePattern tree, const mjtNum* LD,
                             const mjtNum* root) {
  for (int k = 0; k < n; k++) {
    int i = dof[k], depth = tree.rownnz[i] - 1;
    SimdN xi = SIMD_READ(SimdN, x + i * SIMD_N) - SIMD_READ(SimdN, path + depth * SIMD_N);
    const mjtNum* row = LD + tree.rowadr[i];
    for (int c = 0; c < depth; c++) {
      SIMD_AT(SimdN, path + c * SIMD_N) += row[c] * xi;
    }
    SIMD_AT(SimdN, value + k * SIMD_N) = root[i] * xi;
    SIMD_AT(SimdN, x + i * SIMD_N) = (SimdN){0};
    SIMD_AT(SimdN, path + depth * SIMD_N) = (SimdN){0};
  }
}

static KERNEL void roots(mjtNum* out, const mjtNum* in, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = mju_sqrt(in[i]);
  }
}

// Makes the panel of a block's row k and those after it.
static HalfPanel panel_make(Work* w, mjData* d, const mjtNum* LD, const RowBlock* block, int k) {
  int row = block->row + k, n = int_min(SIMD_N, block->n - k);
  HalfPanel panel = {.row = row, .n = n};
  if (w->J.rownnz) {
    load_sparse(w, row, n);
  } else {
    load_dense(w, row, n, block->dof, block->ndof ? block->ndof : w->J.ncolumn);
  }
  panel.ndof = list_reached(w);
  int* dof = mj_stackAllocInt(d, panel.ndof);
  mjtNum* value = mj_stackAllocNum(d, (size_t)panel.ndof * SIMD_N);
  if (panel.ndof) {
    memcpy(dof, w->list, panel.ndof * sizeof(int));
    eliminate(value, w->x, w->path, dof, panel.ndof, w->tree, LD, w->root);
  }
  panel.dof = dof;
  panel.value = value;
  return panel;
}

HalfSource half_source(const mjModel* m, const mjData* d) {
  Matrix J = matrix_whole_J(m, d);
  return d->efm_active ? (HalfSource){J, tree_pattern(m), d->qH, d->qHDiagInv}
                       : (HalfSource){J, tree_pattern(m), d->qLD, d->qLDiagInv};
}

HalfRows half_rows(mjData* d, const HalfSource* of, const RowBlocks* blocks) {
  int *first = mj_stackAllocInt(d, (size_t)blocks->n + 1), n = of->tree.n;
  int nword = (n + WORD - 1) / WORD;
  first[0] = 0;
  for (int b = 0; b < blocks->n; b++) {
    first[b + 1] = first[b] + (blocks->block[b].n + SIMD_N - 1) / SIMD_N;
  }
  HalfPanel* panel =
      mj_stackAllocByte(d, (size_t)first[blocks->n] * sizeof(HalfPanel), _Alignof(HalfPanel));
  Work w = {.J = of->J, .tree = of->tree, .low = n, .high = -1};
  w.reached = mj_stackAllocByte(d, nword * sizeof(uint64_t), _Alignof(uint64_t));
  w.x = mj_stackAllocByte(d, 2 * (size_t)n * SIMD_N * sizeof(mjtNum), 64);
  w.path = w.x + n * SIMD_N;
  w.list = mj_stackAllocInt(d, n);
  w.any = mj_stackAllocByte(d, n * sizeof(int64_t), _Alignof(int64_t));
  w.root = mj_stackAllocNum(d, n);
  memset(w.reached, 0, nword * sizeof(uint64_t));
  memset(w.x, 0, 2 * (size_t)n * SIMD_N * sizeof(mjtNum));
  roots(w.root, of->DInv, n);
  for (int b = 0; b < blocks->n; b++) {
    const RowBlock* block = blocks->block + b;
    for (int k = 0; k < block->n; k += SIMD_N) {
      panel[first[b] + k / SIMD_N] = panel_make(&w, d, of->LD, block, k);
    }
  }
  return (HalfRows){first, panel};
}
