// Newton's equations by dofs: bodies are put in an order in which neighbours are near each other,
// and the band of the matrix is eliminated with partial pivoting.

#include "constraint/hard/dofs.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "model/data/arena.h"

// order of trees

// Levels of trees: how many contacts lie between them and a tree to start from, which is of level
// 0. Trees that it doesn't reach come after those it does. Returns a tree of the last level.
static int find_levels(int* level, const HardSystem* s, const int* list, int nlist, int start) {
  int last = start;
  level[start] = 0;
  for (int now = 0, found = 1; found; now++) {
    found = 0;
    for (int l = 0; l < nlist; l++) {
      const int *from = s->tree + s->treeadr[list[l]], *to = s->tree + s->treeadr[list[l] + 1];
      int touches = 0;
      for (const int* t = from; t < to; t++) {
        touches |= level[*t] == now;
      }
      for (const int* t = from; touches && t < to; t++) {
        if (level[*t] < 0) {
          level[*t] = now + 1;
          last = *t;
          found = 1;
        }
      }
    }
    if (!found) {
      for (int l = 0; l < nlist && !found; l++) {
        for (int k = s->treeadr[list[l]]; k < s->treeadr[list[l] + 1] && !found; k++) {
          if (level[s->tree[k]] < 0) {
            last = s->tree[k];
            level[last] = now + 1;
            found = 1;
          }
        }
      }
    }
  }
  return last;
}

static void forget_levels(int* level, const HardSystem* s) {
  for (int t = 0; t < s->m->ntree; t++) {
    level[t] = -1;
  }
}

// place (ntree): where the dofs of a tree begin in the equations. Returns the number of dofs.
static int place_trees(int* place, const HardSystem* s, const int* list, int nlist) {
  int ntree = s->m->ntree, n = 0, first = -1;
  int* level = mj_stackAllocInt(s->d, ntree);
  for (int l = 0; l < nlist && first < 0; l++) {
    first = s->treeadr[list[l] + 1] > s->treeadr[list[l]] ? s->tree[s->treeadr[list[l]]] : -1;
  }
  if (first < 0) {
    return 0;
  }
  // from the far end of a first search levels are many and narrow
  forget_levels(level, s);
  int end = find_levels(level, s, list, nlist, first);
  forget_levels(level, s);
  int last = level[find_levels(level, s, list, nlist, end)];
  for (int now = 0; now <= last; now++) {
    for (int t = 0; t < ntree; t++) {
      if (level[t] == now) {
        place[t] = n;
        n += s->tree_dof[t + 1] - s->tree_dof[t];
      }
    }
  }
  return n;
}

// rows

// Half-solved rows of block i on one of its trees.
static void fill_part(const HardPart* part, const HardProblem* p, int i, int tree, mjtNum* path) {
  const HardSystem* s = p->system;
  const mjtNum* inverse = s->diaginv + s->tree_dof[tree];
  for (int r = 0; r < p->block[i].dim; r++) {
    mjtNum* y = part->Y + (size_t)r * part->n;
    system_half_row(y, s, p->block[i].first + r, tree, path);
    for (int k = 0; k < part->n; k++) {
      y[k] *= mju_sqrt(s->m->opt.timestep * inverse[k]);
    }
  }
}

// Counts trees and numbers of Y, and finds how far apart the dofs of a block lie.
static size_t count_parts(HardDofs* e, int* partadr, const int* place) {
  const HardSystem* s = e->p->system;
  size_t numbers = 0;
  partadr[0] = 0;
  e->band = 0;
  for (int l = 0; l < e->nlist; l++) {
    int i = e->list[l], low = e->n, high = 0;
    for (int k = s->treeadr[i]; k < s->treeadr[i + 1]; k++) {
      int t = s->tree[k], n = s->tree_dof[t + 1] - s->tree_dof[t];
      numbers += (size_t)n * e->p->block[i].dim;
      low = int_min(low, place[t]);
      high = int_max(high, place[t] + n);
    }
    e->band = int_max(e->band, high - low - 1);
    partadr[l + 1] = partadr[l] + s->treeadr[i + 1] - s->treeadr[i];
  }
  return numbers;
}

static void fill_parts(HardDofs* e, const int* place, mjtNum* Y) {
  const HardSystem* s = e->p->system;
  mjtNum* path = mj_stackAllocNum(s->d, s->m->nv);
  HardPart* part = e->part;
  for (int l = 0; l < e->nlist; l++) {
    int i = e->list[l];
    for (int k = s->treeadr[i]; k < s->treeadr[i + 1]; k++, part++) {
      int t = s->tree[k];
      *part = (HardPart){place[t], s->tree_dof[t + 1] - s->tree_dof[t], Y};
      fill_part(part, e->p, i, t, path);
      Y += (size_t)part->n * e->p->block[i].dim;
    }
  }
}

// Pivoting fills as many more columns again to the right; a wide band is a full matrix.
static int is_full(const HardDofs* e) {
  return 3 * e->band + 1 >= e->n;
}

int dofs_make(HardDofs* e, HardProblem* p, const int* list, int nlist) {
  const HardSystem* s = p->system;
  if (!s) {
    return 0;
  }
  mjData* d = p->d;
  *e = (HardDofs){.p = p, .list = list, .nlist = nlist};
  int* place = mj_stackAllocInt(d, s->m->ntree);
  int* partadr = mj_stackAllocInt(d, (size_t)nlist + 1);
  e->n = place_trees(place, s, list, nlist);
  size_t numbers = count_parts(e, partadr, place);
  e->partadr = partadr;
  e->ld = is_full(e) ? SIMD_PADDED(e->n) : SIMD_PADDED(3 * e->band + 1);

  // what its users need besides, in vectors of the rows, has to fit as well
  enum {
    VECTORS = 32
  };
  size_t top = arena_top(d), bytes = ((size_t)e->n * e->ld + numbers) * sizeof(mjtNum);
  bytes += nlist * sizeof(HardTangent) + (size_t)partadr[nlist] * sizeof(HardPart);
  bytes += VECTORS * ((size_t)p->nrow + e->n + s->m->nv) * sizeof(mjtNum);
  if (e->n == 0 || !arena_push(d, bytes, 64)) {
    return 0;
  }
  arena_pop(d, top);
  e->A = mj_stackAllocByte(d, (size_t)e->n * e->ld * sizeof(mjtNum), 64);
  e->z = mj_stackAllocNum(d, e->n);
  e->T = mj_stackAllocNum(d, (size_t)TANGENT_DIM * e->n);
  e->swap = mj_stackAllocInt(d, e->n);
  e->tangent = mj_stackAllocByte(d, nlist * sizeof(HardTangent), _Alignof(HardTangent));
  e->part = mj_stackAllocByte(d, (size_t)partadr[nlist] * sizeof(HardPart), _Alignof(HardPart));
  fill_parts(e, place, mj_stackAllocNum(d, numbers));
  return 1;
}

// equations

// Row i of A, indexed by the column.
static mjtNum* row_of(const HardDofs* e, int i) {
  return e->A + (ptrdiff_t)i * e->ld - (is_full(e) ? 0 : i - e->band);
}

// T = B Y_b
INLINE void weigh_part(mjtNum* T, const mjtNum* B, const mjtNum* Y, int dim, int n) {
  for (int r = 0; r < dim; r++) {
    for (int k = 0; k < n; k++) {
      T[r * n + k] = B[r * dim] * Y[k];
    }
    for (int c = 1; c < dim; c++) {
      for (int k = 0; k < n; k++) {
        T[r * n + k] += B[r * dim + c] * Y[c * n + k];
      }
    }
  }
}

// A += Y_a' T, rows of A apart by step
INLINE void add_product(mjtNum* A, ptrdiff_t step, const mjtNum* Y, int na, const mjtNum* T, int n,
                        int dim) {
  for (int i = 0; i < na; i++, A += step) {
    for (int r = 0; r < dim; r++) {
      mjtNum y = Y[r * na + i];
      for (int k = 0; k < n; k++) {
        A[k] += y * T[r * n + k];
      }
    }
  }
}

// A += Y_a' B Y_b for the parts of a block. Most are of bodies with six dofs.
static KERNEL void add_block(mjtNum* A, ptrdiff_t step, mjtNum* T, const HardPart* part, int npart,
                             const mjtNum* B, int dim) {
  enum {
    BODY = 6
  };
  for (const HardPart* b = part; b < part + npart; b++) {
    if (b->n == BODY) {
      weigh_part(T, B, b->Y, dim, BODY);
    } else {
      weigh_part(T, B, b->Y, dim, b->n);
    }
    for (const HardPart* a = part; a < part + npart; a++) {
      mjtNum* to = A + a->dof * step + b->dof;
      if (a->n == BODY && b->n == BODY) {
        add_product(to, step, a->Y, BODY, T, BODY, dim);
      } else {
        add_product(to, step, a->Y, a->n, T, b->n, dim);
      }
    }
  }
}

// row -= factor * other
static KERNEL void eliminate(mjtNum* row, const mjtNum* other, mjtNum factor, int n) {
  for (int k = 0; k < n; k++) {
    row[k] -= factor * other[k];
  }
}

// A = L U with partial pivoting inside of the band. Returns 0 if A is singular.
static int factor(HardDofs* e) {
  int n = e->n, reach = is_full(e) ? n : e->band, wide = is_full(e) ? n : 2 * e->band;
  for (int k = 0; k < n; k++) {
    int below = int_min(n - 1, k + reach), right = int_min(n - 1, k + wide), best = k;
    for (int i = k + 1; i <= below; i++) {
      if (mju_abs(row_of(e, i)[k]) > mju_abs(row_of(e, best)[k])) {
        best = i;
      }
    }
    mjtNum *pivot = row_of(e, k), *chosen = row_of(e, best);
    e->swap[k] = best;
    for (int j = k; best != k && j <= right; j++) {
      mjtNum keep = pivot[j];
      pivot[j] = chosen[j];
      chosen[j] = keep;
    }
    if (!(mju_abs(pivot[k]) > mjMINVAL)) {
      return 0;
    }
    for (int i = k + 1; i <= below; i++) {
      mjtNum* row = row_of(e, i);
      if (row[k] != 0) {
        row[k] /= pivot[k];
        eliminate(row + k + 1, pivot + k + 1, row[k], right - k);
      }
    }
  }
  return 1;
}

// z = A^-1 z. Returns 0 if it is not finite.
static int substitute(HardDofs* e, mjtNum* z) {
  int n = e->n, reach = is_full(e) ? n : e->band, wide = is_full(e) ? n : 2 * e->band, fine = 1;
  for (int k = 0; k < n; k++) {
    mjtNum value = z[e->swap[k]];
    z[e->swap[k]] = z[k];
    z[k] = value;
    for (int i = k + 1; value != 0 && i <= int_min(n - 1, k + reach); i++) {
      z[i] -= row_of(e, i)[k] * value;
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    const mjtNum* row = row_of(e, k);
    for (int j = k + 1; j <= int_min(n - 1, k + wide); j++) {
      z[k] -= row[j] * z[j];
    }
    z[k] /= row[k];
    fine &= isfinite(z[k]) != 0;
  }
  return fine;
}

// z += Y' f of a block
static void push(const HardDofs* e, int l, mjtNum* z, const mjtNum* f) {
  int dim = e->p->block[e->list[l]].dim;
  for (const HardPart* a = e->part + e->partadr[l]; a < e->part + e->partadr[l + 1]; a++) {
    for (int r = 0; r < dim; r++) {
      for (int k = 0; k < a->n; k++) {
        z[a->dof + k] += a->Y[r * a->n + k] * f[r];
      }
    }
  }
}

// w = Y z of a block
static void feel(const HardDofs* e, int l, mjtNum* w, const mjtNum* z) {
  int dim = e->p->block[e->list[l]].dim;
  memset(w, 0, dim * sizeof(mjtNum));
  for (const HardPart* a = e->part + e->partadr[l]; a < e->part + e->partadr[l + 1]; a++) {
    for (int r = 0; r < dim; r++) {
      for (int k = 0; k < a->n; k++) {
        w[r] += a->Y[r * a->n + k] * z[a->dof + k];
      }
    }
  }
}

static void write_changes(HardDofs* e, mjtNum* df, mjtNum* dw) {
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = e->p->block + e->list[l];
    const HardTangent* t = e->tangent + l;
    mjtNum w[TANGENT_DIM];
    feel(e, l, w, e->z);
    for (int r = 0; r < block->dim; r++) {
      df[block->first + r] = t->r[r] - mju_dot(t->B + (ptrdiff_t)r * block->dim, w, block->dim);
    }
  }
  // dw by the forces as they are rounded
  mju_zero(e->z, e->n);
  for (int l = 0; l < e->nlist; l++) {
    push(e, l, e->z, df + e->p->block[e->list[l]].first);
  }
  for (int l = 0; l < e->nlist; l++) {
    feel(e, l, dw + e->p->block[e->list[l]].first, e->z);
  }
}

int dofs_factor(HardDofs* e) {
  e->factors++;
  memset(e->A, 0, (size_t)e->n * e->ld * sizeof(mjtNum));
  for (int i = 0; i < e->n; i++) {
    row_of(e, i)[i] = 1;
  }
  for (int l = 0; l < e->nlist; l++) {
    add_block(row_of(e, 0), e->ld - !is_full(e), e->T, e->part + e->partadr[l],
              e->partadr[l + 1] - e->partadr[l], e->tangent[l].B, e->p->block[e->list[l]].dim);
  }
  return factor(e);
}

int dofs_solve(HardDofs* e, mjtNum* df, mjtNum* dw) {
  mju_zero(e->z, e->n);
  for (int l = 0; l < e->nlist; l++) {
    push(e, l, e->z, e->tangent[l].r);
  }
  if (!substitute(e, e->z)) {
    return 0;
  }
  write_changes(e, df, dw);
  return 1;
}
