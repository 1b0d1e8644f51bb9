// K = h J M^-1 J' from the sparse factor M = L'DL. With the half-solved rows y_i = D^-1/2 L'^-1
// J_i', K_ij = h y_i . y_j is summed over trees. Blocks that touch a common tree are neighbours.
// The neighbours of a block come from merging the block lists of its trees.

#include "constraint/hard/matrix.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/law/problem.h"
#include "smooth/ldl.h"

enum {
  MAX_DIM = 6
};

// trees

// Lists in `out` (unless NULL) the trees that a block touches: those with a nonzero in its rows.
// Returns their number. stamp[tree] = mark for trees in the list.
static int mark_trees(int* stamp, int mark, int* out, const HardSystem* s, const Matrix* J,
                      const HardBlock* block) {
  int count = 0;
  for (int r = block->first; r < block->first + block->dim; r++) {
    int n = J->rownnz ? J->rownnz[r] : J->ncolumn;
    const mjtNum* value = J->value + (J->rownnz ? J->rowadr[r] : (ptrdiff_t)r * J->ld);
    for (int k = 0; k < n; k++) {
      int tree = s->m->dof_treeid[J->rownnz ? J->column[J->rowadr[r] + k] : k];
      if (value[k] != 0 && stamp[tree] != mark) {
        stamp[tree] = mark;
        if (out) {
          out[count] = tree;
        }
        count++;
      }
    }
  }
  return count;
}

void system_find_trees(HardSystem* s) {
  const mjModel* m = s->m;
  Matrix J = matrix_whole_J(m, s->d);
  int* tree_dof = mj_stackAllocInt(s->d, (size_t)m->ntree + 1);
  int* adr = mj_stackAllocInt(s->d, (size_t)s->nblock + 1);
  int* stamp = mj_stackAllocInt(s->d, m->ntree);
  for (int i = m->nv - 1; i >= 0; i--) {
    tree_dof[m->dof_treeid[i]] = i;
  }
  tree_dof[m->ntree] = m->nv;

  // the first pass counts the trees, the second lists them
  memset(stamp, 0, m->ntree * sizeof(int));
  adr[0] = 0;
  for (int i = 0; i < s->nblock; i++) {
    adr[i + 1] = adr[i] + mark_trees(stamp, i + 1, NULL, s, &J, s->block + i);
  }
  int* tree = mj_stackAllocInt(s->d, adr[s->nblock]);
  memset(stamp, 0, m->ntree * sizeof(int));
  for (int i = 0; i < s->nblock; i++) {
    mark_trees(stamp, i + 1, tree + adr[i], s, &J, s->block + i);
  }
  s->treeadr = adr;
  s->tree = tree;
  s->tree_dof = tree_dof;
}

// The blocks that touch tree t, ascending: block[adr[t]] .. block[adr[t + 1] - 1].
typedef struct {
  const int* adr;  // (ntree + 1)
  const int* block;
} TreeBlocks;

static TreeBlocks blocks_by_tree(const HardSystem* s) {
  int ntree = s->m->ntree, n = s->treeadr[s->nblock];
  int* adr = mj_stackAllocInt(s->d, (size_t)ntree + 2);
  int* block = mj_stackAllocInt(s->d, n);
  memset(adr, 0, ((size_t)ntree + 2) * sizeof(int));
  for (int e = 0; e < n; e++) {
    adr[s->tree[e] + 2]++;
  }
  for (int t = 0; t < ntree; t++) {
    adr[t + 2] += adr[t + 1];
  }
  // adr[t + 1] is the write position of tree t, and ends as the start of tree t + 1
  for (int i = 0; i < s->nblock; i++) {
    for (int e = s->treeadr[i]; e < s->treeadr[i + 1]; e++) {
      block[adr[s->tree[e] + 1]++] = i;
    }
  }
  return (TreeBlocks){adr, block};
}

// pattern

// The next neighbour of block i, in ascending order, -1 at the end. next[k] is the position in the
// block list of the k-th tree of block i. start_neighbours sets it.
static int next_neighbour(int* next, const TreeBlocks* by, const HardSystem* s, int i) {
  int least = -1, ntree = s->treeadr[i + 1] - s->treeadr[i];
  const int* tree = s->tree + s->treeadr[i];
  for (int k = 0; k < ntree; k++) {
    if (next[k] < by->adr[tree[k] + 1] && (least < 0 || by->block[next[k]] < least)) {
      least = by->block[next[k]];
    }
  }
  for (int k = 0; k < ntree; k++) {
    next[k] += next[k] < by->adr[tree[k] + 1] && by->block[next[k]] == least;
  }
  return least;
}

static void start_neighbours(int* next, const TreeBlocks* by, const HardSystem* s, int i) {
  for (int e = s->treeadr[i]; e < s->treeadr[i + 1]; e++) {
    next[e - s->treeadr[i]] = by->adr[s->tree[e]];
  }
}

// Whether block i touches the same trees as block i - 1, so that both have the same neighbours.
static int has_trees_of_previous(const HardSystem* s, int i) {
  int n = s->treeadr[i + 1] - s->treeadr[i];
  return i > 0 && n > 0 && s->treeadr[i] - s->treeadr[i - 1] == n &&
         !memcmp(s->tree + s->treeadr[i], s->tree + s->treeadr[i - 1], n * sizeof(int));
}

// Writes the runs of block i (run = NULL: none) and returns their number. *length is the number of
// rows in a column of the block, *self the position of the block's own rows in it.
static int find_runs(HardRun* run, int length[1], int self[1], int* next, const TreeBlocks* by,
                     const HardSystem* s, int i) {
  int n = 0, end = -1;
  *length = *self = 0;
  start_neighbours(next, by, s, i);
  for (int j; (j = next_neighbour(next, by, s, i)) >= 0;) {
    const HardBlock* block = s->block + j;
    if (block->first != end) {
      if (run) {
        run[n] = (HardRun){block->first, 0};
      }
      n++;
    }
    if (run) {
      run[n - 1].n += block->dim;
    }
    end = block->first + block->dim;
    *self = j == i ? *length : *self;
    *length += block->dim;
  }
  return n;
}

void matrix_pattern(HardMatrix* K, const HardSystem* s) {
  size_t n = (size_t)s->nblock;
  int* runadr = mj_stackAllocInt(s->d, n + 1);
  int* length = mj_stackAllocInt(s->d, n);
  int* self = mj_stackAllocInt(s->d, n);
  int64_t* adr = mj_stackAllocByte(s->d, (n + 1) * sizeof(int64_t), _Alignof(int64_t));
  TreeBlocks by = blocks_by_tree(s);
  int* next = mj_stackAllocInt(s->d, s->m->ntree);
  runadr[0] = 0;
  adr[0] = 0;
  for (int i = 0; i < s->nblock; i++) {
    if (has_trees_of_previous(s, i)) {
      runadr[i + 1] = 2 * runadr[i] - runadr[i - 1];
      length[i] = length[i - 1];
      self[i] = self[i - 1] + s->block[i - 1].dim;
    } else {
      runadr[i + 1] = runadr[i] + find_runs(NULL, length + i, self + i, next, &by, s, i);
    }
    adr[i + 1] = adr[i] + (int64_t)s->block[i].dim * length[i];
  }
  HardRun* run = mj_stackAllocByte(s->d, (size_t)runadr[n] * sizeof(HardRun), _Alignof(HardRun));
  for (int i = 0; i < s->nblock; i++) {
    if (has_trees_of_previous(s, i)) {
      memcpy(run + runadr[i], run + runadr[i - 1], (runadr[i] - runadr[i - 1]) * sizeof(HardRun));
    } else {
      find_runs(run + runadr[i], length + i, self + i, next, &by, s, i);
    }
  }
  *K = (HardMatrix){runadr, run, length, self, adr, NULL};
  K->value = mj_stackAllocByte(s->d, (size_t)adr[n] * sizeof(mjtNum), 64);
}

// columns by the sparse factor

// Half-solved rows: a dense matrix per tree, with a row per dof of the tree and a column per
// constraint row of the blocks that touch it. Constraint rows are contiguous, for SIMD products.
typedef struct {
  int64_t* adr;  // matrix of tree t
  int* ld;       // its row stride, padded: aligned vectors load twice as fast
  mjtNum* value;
} TreeRows;

// out = scale times the entries of row r of J at dofs first .. first + n - 1.
static void row_part(mjtNum* out, const Matrix* J, int r, int first, int n, mjtNum scale) {
  if (!J->rownnz) {
    for (int k = 0; k < n; k++) {
      out[k] = scale * J->value[(ptrdiff_t)r * J->ld + first + k];
    }
    return;
  }
  memset(out, 0, n * sizeof(mjtNum));
  for (int k = J->rowadr[r]; k < J->rowadr[r] + J->rownnz[r]; k++) {
    int dof = J->column[k] - first;
    if (dof >= 0 && dof < n) {
      out[dof] = scale * J->value[k];
    }
  }
}

void system_half_row(mjtNum* y, const HardSystem* s, int row, int tree, mjtNum* path) {
  Matrix J = matrix_whole_J(s->m, s->d);
  TreePattern all = tree_pattern(s->m);
  int first = s->tree_dof[tree], n = s->tree_dof[tree + 1] - first;
  TreePattern part = {n, all.rownnz + first, all.rowadr + first, all.colind, 0, 0};
  row_part(y, &J, row, first, n, s->row_scale[row]);
  ldl_solve_upper(y, part, s->LD, path);
}

// Allocates the matrices.
static TreeRows half_rows_alloc(const HardSystem* s, const TreeBlocks* by) {
  int ntree = s->m->ntree;
  TreeRows y;
  y.adr = mj_stackAllocByte(s->d, ((size_t)ntree + 1) * sizeof(int64_t), _Alignof(int64_t));
  y.ld = mj_stackAllocInt(s->d, ntree);
  y.adr[0] = 0;
  for (int t = 0; t < ntree; t++) {
    int nrow = 0;
    for (int k = by->adr[t]; k < by->adr[t + 1]; k++) {
      nrow += s->block[by->block[k]].dim;
    }
    y.ld[t] = SIMD_PADDED(nrow);
    y.adr[t + 1] = y.adr[t] + (int64_t)y.ld[t] * (s->tree_dof[t + 1] - s->tree_dof[t]);
  }
  y.value = mj_stackAllocByte(s->d, (size_t)y.adr[ntree] * sizeof(mjtNum), 64);
  return y;
}

// Computes sqrt(h) y_i for all rows.
// Also mj_solveM2 in smooth/inertia.c.
static TreeRows half_rows(const HardSystem* s, const TreeBlocks* by) {
  const mjModel* m = s->m;
  TreeRows y = half_rows_alloc(s, by);
  mjtNum* path = mj_stackAllocNum(s->d, m->nv);
  mjtNum* row = mj_stackAllocNum(s->d, m->nv);
  mjtNum* root = mj_stackAllocNum(s->d, m->nv);
  for (int i = 0; i < m->nv; i++) {
    root[i] = mju_sqrt(m->opt.timestep * s->diaginv[i]);
  }
  for (int t = 0; t < m->ntree; t++) {
    int first = s->tree_dof[t], n = s->tree_dof[t + 1] - first;
    mjtNum* to = y.value + y.adr[t];
    for (int k = by->adr[t]; k < by->adr[t + 1]; k++) {
      const HardBlock* block = s->block + by->block[k];
      for (int efc = block->first; efc < block->first + block->dim; efc++, to++) {
        system_half_row(row, s, efc, t, path);
        for (int dof = 0; dof < n; dof++) {
          to[(ptrdiff_t)dof * y.ld[t]] = row[dof] * root[first + dof];
        }
      }
    }
  }
  return y;
}

// Size of a tile of K: its sums stay in registers.
enum {
  WIDE = 3,  // columns
  HIGH = 2   // vectors of rows
};

// sum[c][r] += sum_k y[c][k] Y[k][r] over ndof dofs k, for `width` columns c and `high` vectors of
// rows r.
INLINE void add_lanes(SimdN sum[WIDE][HIGH], const mjtNum* Y, ptrdiff_t ld, const mjtNum* y,
                      int ndof, int width, int high) {
  for (int k = 0; k < ndof; k++) {
    SimdN row[HIGH];
    for (int v = 0; v < high; v++) {
      row[v] = SIMD_READ(SimdN, Y + k * ld + v * SIMD_N);
    }
    for (int c = 0; c < width; c++) {
      for (int v = 0; v < high; v++) {
        sum[c][v] += y[c * ndof + k] * row[v];
      }
    }
  }
}

// out[c * step + r] += sum_k y[c][k] Y[k][r] for r < high * SIMD_N
INLINE void add_tile(mjtNum* out, int64_t step, const mjtNum* Y, ptrdiff_t ld, const mjtNum* y,
                     int ndof, int width, int high) {
  SimdN sum[WIDE][HIGH];
  for (int c = 0; c < width; c++) {
    for (int v = 0; v < high; v++) {
      sum[c][v] = SIMD_READ(SimdN, out + c * step + v * SIMD_N);
    }
  }
  add_lanes(sum, Y, ld, y, ndof, width, high);
  for (int c = 0; c < width; c++) {
    for (int v = 0; v < high; v++) {
      SIMD_AT(SimdN, out + c * step + v * SIMD_N) = sum[c][v];
    }
  }
}

// The same for the last rows r in [from, n), fewer than a vector. They are computed with the vector
// of rows that ends at n, whose first rows are discarded.
INLINE void add_rest(mjtNum* out, int64_t step, const mjtNum* Y, ptrdiff_t ld, const mjtNum* y,
                     int ndof, int from, int n, int width) {
  SimdN sum[WIDE][HIGH] = {{{0}}};
  add_lanes(sum, Y + n - SIMD_N, ld, y, ndof, width, 1);
  for (int c = 0; c < width; c++) {
    mjtNum part[SIMD_N];
    memcpy(part, &sum[c][0], sizeof(part));
    for (int i = from; i < n; i++) {
      out[c * step + i] += part[i - n + SIMD_N];
    }
  }
}

// The same for all rows r < n.
INLINE void add_columns(mjtNum* out, int64_t step, const mjtNum* Y, ptrdiff_t ld, const mjtNum* y,
                        int ndof, int n, int width) {
  int r = 0;
  for (; r + HIGH * SIMD_N <= n; r += HIGH * SIMD_N) {
    add_tile(out + r, step, Y + r, ld, y, ndof, width, HIGH);
  }
  for (; r + SIMD_N <= n; r += SIMD_N) {
    add_tile(out + r, step, Y + r, ld, y, ndof, width, 1);
  }
  if (r < n && n >= SIMD_N) {
    add_rest(out, step, Y, ld, y, ndof, r, n, width);
    return;
  }
  for (int c = 0; c < width; c++) {
    for (int i = r; i < n; i++) {
      mjtNum sum = 0;
      for (int k = 0; k < ndof; k++) {
        sum += y[c * ndof + k] * Y[k * ld + i];
      }
      out[c * step + i] += sum;
    }
  }
}

// The same for dim columns c.
static KERNEL void add_products(mjtNum* out, int64_t step, const mjtNum* Y, ptrdiff_t ld,
                                const mjtNum* y, int ndof, int n, int dim) {
  for (; dim >= WIDE; dim -= WIDE, out += WIDE * step, y += WIDE * ndof) {
    add_columns(out, step, Y, ld, y, ndof, n, WIDE);
  }
  for (; dim > 0; dim--, out += step, y += ndof) {
    add_columns(out, step, Y, ld, y, ndof, n, 1);
  }
}

// Adds the products of tree t to the columns of block i. The block's own rows begin at row `own` of
// the tree's rows. scratch: a number per dof of the tree and row of the block.
static void add_tree(HardMatrix* K, const HardSystem* s, const TreeBlocks* by, const TreeRows* y,
                     const int* place, mjtNum* scratch, int i, int t, int own) {
  int ndof = s->tree_dof[t + 1] - s->tree_dof[t], ld = y->ld[t], dim = s->block[i].dim;
  const mjtNum* Y = y->value + y->adr[t];
  for (int c = 0; c < dim; c++) {
    for (int k = 0; k < ndof; k++) {
      scratch[c * ndof + k] = Y[(ptrdiff_t)k * ld + own + c];
    }
  }
  // neighbours that are consecutive both in the tree's list and in the column share one product
  for (int k = by->adr[t], row = 0; k < by->adr[t + 1];) {
    int first = place[by->block[k]], n = 0;
    for (; k < by->adr[t + 1] && place[by->block[k]] == first + n; k++) {
      n += s->block[by->block[k]].dim;
    }
    add_products(K->value + K->adr[i] + first, K->length[i], Y + row, ld, scratch, ndof, n, dim);
    row += n;
  }
}

// K_ij = h y_i . y_j
void matrix_columns_ldl(HardMatrix* K, const HardSystem* s) {
  mj_markStack(s->d);
  TreeBlocks by = blocks_by_tree(s);
  TreeRows y = half_rows(s, &by);
  int* next = mj_stackAllocInt(s->d, s->m->ntree);
  int* place = mj_stackAllocInt(s->d, s->nblock);
  int* own = mj_stackAllocInt(s->d, s->m->ntree);
  mjtNum* scratch = mj_stackAllocNum(s->d, (size_t)MAX_DIM * s->m->nv);
  // an empty K may have value = NULL, which memset forbids
  if (K->adr[s->nblock]) {
    memset(K->value, 0, (size_t)K->adr[s->nblock] * sizeof(mjtNum));
  }
  memset(own, 0, s->m->ntree * sizeof(int));
  for (int i = 0; i < s->nblock; i++) {
    // place[j]: position of the rows of neighbour j in a column of block i
    if (!has_trees_of_previous(s, i)) {
      start_neighbours(next, &by, s, i);
      for (int j, at = 0; (j = next_neighbour(next, &by, s, i)) >= 0; at += s->block[j].dim) {
        place[j] = at;
      }
    }
    for (int e = s->treeadr[i]; e < s->treeadr[i + 1]; e++) {
      int t = s->tree[e];
      add_tree(K, s, &by, &y, place, scratch, i, t, own[t]);
      own[t] += s->block[i].dim;
    }
  }
  mj_freeStack(s->d);
}

// products

static KERNEL void add_column(mjtNum* w, const HardRun* run, int nrun, const mjtNum* column,
                              mjtNum change) {
  for (; nrun > 0; nrun--, run++) {
    mjtNum* to = w + run->first;
    for (int k = 0; k < run->n; k++) {
      to[k] += change * column[k];
    }
    column += run->n;
  }
}

void matrix_add(mjtNum* w, const HardMatrix* K, int i, const mjtNum* change, int dim) {
  for (int c = 0; c < dim; c++) {
    if (change[c] != 0) {
      add_column(w, K->run + K->runadr[i], K->runadr[i + 1] - K->runadr[i],
                 K->value + K->adr[i] + (int64_t)c * K->length[i], change[c]);
    }
  }
}
