// factor.c: L'DL of trees side by side, and solves with it.
//                                                             theory/smooth/inertia.md, Sparse L'DL

// compile with -fno-tree-vectorize: this file says explicitly what is a vector
#include "smooth/alike/alike.h"
#include "smooth/alike/group.h"

// Rows of a triangle on the pattern of M, in the group's entries.
typedef struct {
  int n;
  int adr[ALIKE_DOFS], ancestors[ALIKE_DOFS], end[ALIKE_DOFS];  // end: of descendants
} LaneRows;

INLINE void rows_load(LaneRows* rows, const mjModel* m, const TreeGroup* g) {
  const int *adr = m->M_rowadr + g->dof[0], *nnz = m->M_rownnz + g->dof[0];
  int n = g->ndof, first = g->entry[0];
  rows->n = n;
  for (int i = n - 1; i >= 0; i--) {
    int next = i + 1;
    while (next < n && nnz[next] > nnz[i]) {
      next = rows->end[next];
    }
    rows->adr[i] = adr[i] - first;
    rows->ancestors[i] = nnz[i] - 1;
    rows->end[i] = next;
  }
}

// Subtracts from `width` columns of row j from c on, which has `depth` ancestors, its sum over the
// rows of its descendants, the last first.
INLINE void lanes_subtract(SimdN* LD, const LaneRows* rows, int j, int depth, int c, int width) {
  SimdN sum[4] = {{0}}, *to = LD + rows->adr[j] + c;
  const int *adr = rows->adr + rows->end[j], *last = rows->adr + j + 1;
#pragma GCC unroll 4
  for (int q = 0; q < width; q++) {
    sum[q] = to[q];
  }
  while (adr-- > last) {
    const SimdN* row = LD + *adr;
    SimdN factor = row[depth];
#pragma GCC unroll 4
    for (int q = 0; q < width; q++) {
      sum[q] -= factor * row[c + q];
    }
  }
#pragma GCC unroll 4
  for (int q = 0; q < width; q++) {
    to[q] = sum[q];
  }
}

// Each row sums the rows below it, whose entries in its own column become those of L with that:
// first its diagonal, for whose inverse the next row waits.
// Also factor_few and eliminate_chain in smooth/ldl.c.
INLINE void lanes_factor(SimdN* LD, SimdN* inverse, const LaneRows* rows) {
  for (int j = rows->n - 1; j >= 0; j--) {
    int depth = rows->ancestors[j], c = 0, end = rows->end[j];
    SimdN diagonal = LD[rows->adr[j] + depth];
    for (int k = end - 1; k > j; k--) {
      SimdN *entry = LD + rows->adr[k] + depth, scale = *entry * inverse[k];
      diagonal -= scale * *entry;
      *entry = scale;
    }
    LD[rows->adr[j] + depth] = diagonal;
    inverse[j] = 1 / diagonal;
    if (end == j + 1) {
      continue;
    }
    for (; c + 4 <= depth; c += 4) {
      lanes_subtract(LD, rows, j, depth, c, 4);
    }
    if (depth - c == 3) {
      lanes_subtract(LD, rows, j, depth, c, 3);
    } else if (depth - c == 2) {
      lanes_subtract(LD, rows, j, depth, c, 2);
    } else if (depth - c == 1) {
      lanes_subtract(LD, rows, j, depth, c, 1);
    }
  }
}

// path: zeros.
// Also solve_upper in smooth/ldl.c.
INLINE void lanes_solve_upper(SimdN* x, const LaneRows* rows, const SimdN* LD, SimdN* path) {
  const SimdN zero = {0};
  SimdN l = zero, y = zero, left = zero, next = zero;
  for (int k = rows->n - 1, below = 0; k >= 0; k--) {
    int ancestors = rows->ancestors[k];
    if (ancestors + 1 == below) {
      y = (x[k] + path[ancestors] - left) - l * y;
      path[ancestors] = zero;
    } else {
      // k is the end of another branch
      if (below > 0) {
        path[below - 1] -= left + l * y;
      }
      if (below > 1) {
        path[below - 2] -= next;
      }
      next = zero;
      y = x[k];
    }
    x[k] = y;
    const SimdN* row = LD + rows->adr[k];
    l = zero;
    left = next;
    next = zero;
    if (ancestors > 0) {
      l = row[ancestors - 1];
    }
    if (ancestors > 1) {
      next = row[ancestors - 2] * y;
    }
    for (int p = 0; p < ancestors - 2; p++) {
      path[p] -= y * row[p];
    }
    below = ancestors;
  }
}

// The sum over the ancestors of a row of many, which ldl.c takes in four parts.
INLINE int lanes_subtract_many(SimdN* sum, const SimdN* row, const SimdN* path, int n) {
  SimdN part[4] = {{0}, {0}, {0}, {0}};
  int p = 0;
  for (; p + 8 <= n; p += 4) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
      part[j] += row[p + j] * path[p + j];
    }
  }
  *sum -= (part[0] + part[2]) + (part[1] + part[3]);
  return p;
}

// Also solve_lower in smooth/ldl.c.
INLINE void lanes_solve_lower(SimdN* x, const LaneRows* rows, const SimdN* LD, const SimdN* inverse,
                              SimdN* path) {
  const int many = 16;
  for (int k = 0; k < rows->n; k++) {
    int ancestors = rows->ancestors[k], p = 0;
    const SimdN* row = LD + rows->adr[k];
    SimdN sum = x[k] * inverse[k];
    if (ancestors >= many) {
      p = lanes_subtract_many(&sum, row, path, ancestors);
    }
    for (; p < ancestors; p++) {
      sum -= row[p] * path[p];
    }
    x[k] = path[ancestors] = sum;
  }
}

// Solves for the right-hand sides of a group.
INLINE void lanes_solve(mjtNum* x, const TreeGroup* g, const LaneRows* rows, const SimdN* LD,
                        const SimdN* inverse) {
  _Alignas(32) SimdN b[ALIKE_DOFS], path[ALIKE_DOFS];
  group_read(b, x, g->dof, 1, 0, g->ndof);
  for (int i = 0; i < g->ndof; i++) {
    path[i] = (SimdN){0};
  }
  lanes_solve_upper(b, rows, LD, path);
  lanes_solve_lower(b, rows, LD, inverse, path);
  group_write(x, b, g->dof, 1, 0, g->ndof);
}

// A matrix of a group, or its factor with the inverses of D.
typedef struct {
  TreeGroup g;
  LaneRows rows;
  _Alignas(32) SimdN entry[ALIKE_ENTRIES];
  SimdN inverse[ALIKE_DOFS];
} LaneMatrix;

INLINE void matrix_load(LaneMatrix* s, const mjModel* m, const TreeGroups* groups, int k,
                        const mjtNum* M) {
  group_load(&s->g, m, groups, k);
  rows_load(&s->rows, m, &s->g);
  group_read(s->entry, M, s->g.entry, 1, 0, s->g.nentry);
}

INLINE void matrix_shift(LaneMatrix* s, const mjtNum* shift) {
  SimdN more[ALIKE_DOFS];
  group_read(more, shift, s->g.dof, 1, 0, s->g.ndof);
  for (int i = 0; i < s->g.ndof; i++) {
    s->entry[s->rows.adr[i] + s->rows.ancestors[i]] += more[i];
  }
}

KERNEL void alike_factor(mjtNum* x, mjtNum* LD, mjtNum* diaginv, const mjModel* m,
                         const TreeGroups* groups, int begin, int end, const mjtNum* M,
                         const mjtNum* shift) {
  for (int k = begin; k < end; k++) {
    LaneMatrix s;
    matrix_load(&s, m, groups, k, M);
    if (shift) {
      matrix_shift(&s, shift);
    }
    lanes_factor(s.entry, s.inverse, &s.rows);
    group_write(LD, s.entry, s.g.entry, 1, 0, s.g.nentry);
    group_write(diaginv, s.inverse, s.g.dof, 1, 0, s.g.ndof);
    if (x) {
      lanes_solve(x, &s.g, &s.rows, s.entry, s.inverse);
    }
  }
}

KERNEL void alike_solve(mjtNum* x, const mjModel* m, const TreeGroups* groups, int begin, int end,
                        const mjtNum* LD, const mjtNum* diaginv) {
  for (int k = begin; k < end; k++) {
    LaneMatrix s;
    matrix_load(&s, m, groups, k, LD);
    group_read(s.inverse, diaginv, s.g.dof, 1, 0, s.g.ndof);
    lanes_solve(x, &s.g, &s.rows, s.entry, s.inverse);
  }
}
