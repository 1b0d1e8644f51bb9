// AR = J M^-1 J' + diag(R), the matrix of the dual problem. With h_i = D^-1/2 L^-T J_i'
// (half_rows.h), A_ij = h_i . h_j. Computed in tiles of SIMD_N x SIMD_N entries, which stay in
// registers; AR is symmetric, so one triangle is computed and copied to the other. A_ij is
// stored only if rows i and j have a tree in common.
//                                                        theory/contact/constraints.md, Dual matrix

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <stdint.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/diagonal.h"
#include "constraint/rows/half_rows.h"
#include "constraint/rows/row_blocks.h"
#include "constraint/rows/storage.h"
#include "constraint/rows/whitened.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"

// The entries of one block's rows at another's columns: entry (r, c) is at[r * ld + c].
typedef struct {
  mjtNum* at;
  ptrdiff_t ld;
} Place;

// Writes a tile of n x width numbers. Unless the tile is on the diagonal, its mirror is written
// too.
INLINE void put_tile(Place to, Place mirror, const SimdN tile[SIMD_N], int n, int width) {
  if (n == SIMD_N && width == SIMD_N) {
    for (int r = 0; r < SIMD_N; r++) {
      SIMD_AT(SimdN, to.at + r * to.ld) = tile[r];
    }
  } else {
    for (int r = 0; r < n; r++) {
      for (int c = 0; c < width; c++) {
        to.at[r * to.ld + c] = tile[r][c];
      }
    }
  }
  if (mirror.at == to.at) {
    return;
  }
#ifndef mjUSESINGLE
  if (n == SIMD_N) {
    Simd4 column[4] = {tile[0], tile[1], tile[2], tile[3]};
    simd4_transpose(column);
    for (int c = 0; c < width; c++) {
      SIMD_AT(Simd4, mirror.at + c * mirror.ld) = column[c];
    }
    return;
  }
#endif
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < width; c++) {
      mirror.at[c * mirror.ld + r] = tile[r][c];
    }
  }
}

// The products of one panel with those from `first` to `last`, of one block. x: vectors of the
// panel by dof, zero elsewhere.
static KERNEL void multiply(Place to, Place mirror, const mjtNum* x, const HalfPanel* panel,
                            const HalfPanel* first, const HalfPanel* last) {
  int top = panel->ndof ? panel->dof[0] : -1;
  for (const HalfPanel* other = first; other <= last; other++) {
    SimdN tile[SIMD_N];
    half_product(tile, x, top, other);
    put_tile(to, mirror, tile, panel->n, other->n);
    to.at += other->n;
    mirror.at += other->n * mirror.ld;
  }
}

// The matrix while it is filled.
typedef struct {
  mjData* d;
  RowBlocks blocks;
  HalfRows half;
  int sparse;
  int* filled;  // of each block, if sparse: how many columns of its rows are filled
  mjtNum* x;    // nv vectors, zero
} Filling;

// Where the entries of block b's rows, from row `row` on, begin at a column (sparse: counted in the
// pattern).
static Place place(const Filling* f, int b, int row, int column) {
  mjData* d = f->d;
  if (f->sparse) {
    return (Place){d->efc_AR + d->efc_AR_rowadr[row] + column, f->blocks.block[b].width};
  }
  return (Place){d->efc_AR + (size_t)row * d->nefc + column, d->nefc};
}

// Fills the rows of block b from its diagonal on, and their mirror images. Columns left of the
// diagonal have been filled as mirror images of earlier blocks.
static void fill_block(Filling* f, int b) {
  const RowBlock* block = f->blocks.block + b;
  const HalfPanel* panel = f->half.panel;
  const int* first = f->half.first;
  for (int p = first[b]; p < first[b + 1]; p++) {
    int done = panel[p].row - block->row;      // rows of the block before the panel
    int after = f->sparse ? f->filled[b] : 0;  // columns before the next neighbour
    half_spread(f->x, panel + p);
    for (int k = 0; k < block->nneighbour; k++) {
      int o = block->neighbour[k];
      if (o < b) {
        continue;
      }
      int from = o == b ? p : first[o], skipped = panel[from].row - f->blocks.block[o].row;
      int column = f->sparse ? after : f->blocks.block[o].row;
      int own = f->sparse ? f->filled[o] : block->row;
      multiply(place(f, b, panel[p].row, column + skipped),
               place(f, o, panel[from].row, own + done), f->x, panel + p, panel + from,
               panel + first[o + 1] - 1);
      after += f->blocks.block[o].n;
    }
    half_clear(f->x, panel + p);
  }
  for (int i = block->row; i < block->row + block->n; i++) {
    *place(f, b, i, (f->sparse ? f->filled[b] : block->row) + i - block->row).at += f->d->efc_R[i];
  }
  for (int k = 0; f->sparse && k < block->nneighbour; k++) {
    f->filled[block->neighbour[k]] += block->neighbour[k] >= b ? block->n : 0;
  }
}

// The columns of block b's first row; returns their number.
static int write_columns(int* column, const Filling* f, int b) {
  const RowBlock* block = f->blocks.block + b;
  int n = 0;
  for (int k = 0; k < block->nneighbour; k++) {
    const RowBlock* other = f->blocks.block + block->neighbour[k];
    for (int j = other->row; j < other->row + other->n; j++) {
      column[n++] = j;
    }
  }
  return n;
}

// Writes the pattern: rows have the columns of their block's neighbours; dense ones have all.
static void write_pattern(Filling* f) {
  mjData* d = f->d;
  for (int b = 0, to = 0; b < f->blocks.n; b++) {
    const RowBlock* block = f->blocks.block + b;
    const int* column = d->efc_AR_colind + to;
    int n = f->sparse ? write_columns(d->efc_AR_colind + to, f, b) : d->nefc;
    for (int i = block->row; i < block->row + block->n; i++, to += n) {
      d->efc_AR_rowadr[i] = to;
      d->efc_AR_rownnz[i] = n;
      if (f->sparse && i > block->row) {
        memcpy(d->efc_AR_colind + to, column, n * sizeof(int));
      }
    }
  }
  int n = f->sparse ? 0 : d->nefc, *column = d->efc_AR_colind;
  for (int j = 0; j < n; j++) {
    column[j] = j;
  }
  for (int i = 1; i < n; i++) {
    memcpy(column + (size_t)i * n, column, n * sizeof(int));
  }
}

// Clears the entries of dense rows at the columns of blocks without a common tree.
static void clear_others(Filling* f) {
  mjData* d = f->d;
  for (int b = 0; b < f->blocks.n; b++) {
    const RowBlock* block = f->blocks.block + b;
    for (int k = 0, end = 0; k <= block->nneighbour; k++) {
      const RowBlock* next = f->blocks.block + (k < block->nneighbour ? block->neighbour[k] : 0);
      int begin = k < block->nneighbour ? next->row : d->nefc;
      for (int i = block->row; i < block->row + block->n && begin > end; i++) {
        memset(d->efc_AR + (size_t)i * d->nefc + end, 0, (begin - end) * sizeof(mjtNum));
      }
      end = begin + next->n;
    }
  }
}

static void make_products(const mjModel* m, mjData* d) {
  mj_markStack(d);
  Filling f = {.d = d, .blocks = row_blocks(m, d), .sparse = rows_are_sparse(m, d)};
  int64_t nA = 0;
  for (int b = 0; b < f.blocks.n; b++) {
    nA += (int64_t)f.blocks.block[b].n * f.blocks.block[b].width;
  }
  int64_t all = (int64_t)d->nefc * d->nefc;
  if (storage_dual(d, f.sparse ? nA : all)) {
    const HalfSource source = half_source(m, d);
    f.half = half_rows(d, &source, &f.blocks);
    if (m->opt.behaviour && !whitened_write(m, d, &f.half, &f.blocks)) {
      mj_freeStack(d);
      return;
    }
    f.x = arena_zeros(d, (size_t)m->nv * SIMD_N);
    f.filled = mj_stackAllocInt(d, f.blocks.n);
    memset(f.filled, 0, f.blocks.n * sizeof(int));
    write_pattern(&f);
    if (!f.sparse && nA < all) {
      clear_others(&f);
    }
    for (int b = 0; b < f.blocks.n; b++) {
      fill_block(&f, b);
    }
  }
  mj_freeStack(d);
}

// efc_AR = J M^-1 J' + diag(R)
void mj_projectConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  if (diagonal_is_exact(m)) {
    diagonal_exact(m, d);
  }
  if (d->nefc && mj_isDual(m) && !arena_attempt(make_products, m, d)) {
    storage_full(d);
  }
}
