// Newton's steps to the interior points, with tau ahead of them.

#include "constraint/hard/interior.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/dense_solve.h"
#include "base/algebra/vec.h"
#include "constraint/hard/interior_law.h"
#include "model/data/arena.h"

typedef struct {
  HardDofs* e;
  HardProblem* p;
  mjtNum need;
  InteriorDual *dual, *change;  // of each block (nlist), and of the step
  mjtNum *f[2], *w[2];          // the step is f[0] + tau f[1] (nrow)
  mjtNum *best_f, *best_w;      // with the least residual so far (nrow)
  mjtNum least;
  // equations by rows of the blocks that are solved instead of those of dofs: K, A + K and both
  // right-hand sides, each row and column by its weight; NULL: those of dofs
  int n;
  mjtNum *K, *A, *X;
} Interior;

static InteriorBlock block_at(const Interior* s, int l) {
  const HardProblem* p = s->p;
  const HardBlock* block = p->block + s->e->list[l];
  return (InteriorBlock){block, p->weight + block->first, p->f + block->first,
                         p->w + block->first};
}

// to = from + part * along, of the rows of the blocks
static void add_part(const Interior* s, mjtNum* to, const mjtNum* from, const mjtNum* along,
                     mjtNum part) {
  for (int l = 0; l < s->e->nlist; l++) {
    const HardBlock* block = s->p->block + s->e->list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      to[i] = from[i] + part * along[i];
    }
  }
}

static void start(Interior* s, mjtNum force) {
  HardProblem* p = s->p;
  for (int l = 0; l < s->e->nlist; l++) {
    const HardBlock* block = p->block + s->e->list[l];
    mjtNum *f = p->f + block->first, change[TANGENT_DIM];
    for (int r = 0; r < block->dim; r++) {
      change[r] = -f[r];
    }
    interior_start(f, s->dual + l, block, p->weight + block->first, force);
    for (int r = 0; r < block->dim; r++) {
      change[r] += f[r];
    }
    matrix_add(p->w, p->K, s->e->list[l], change, block->dim);
  }
}

// The mean of all products: what tau is at present.
static mjtNum mean_product(const Interior* s) {
  mjtNum sum = 0;
  int n = 0;
  for (int l = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    mjtNum product[2] = {0};
    n += interior_products(product, &at, s->dual + l);
    sum += product[0] + product[1];
  }
  return n ? sum / n : 0;
}

// equations by rows

// With so few rows there are no more equations than dofs, or not many. They stay accurate where
// contacts hold a body nearly twice: 1 + Y' B Y loses a small part of Y beside a large B.
static int rows_are_few(const HardDofs* e, int n) {
  enum {
    MOST = 100
  };
  return n <= MOST && 2 * n <= 3 * e->n;
}

// K of the blocks, each row and column by its weight.
static void fill_K(Interior* s, mjtNum* column) {
  const HardProblem* p = s->p;
  for (int l = 0, at = 0; l < s->e->nlist; l++) {
    const HardBlock* block = p->block + s->e->list[l];
    for (int c = 0; c < block->dim; c++, at++) {
      mjtNum unit[TANGENT_DIM] = {0}, by = p->weight[block->first + c];
      unit[c] = by > 0 ? 1 / by : 0;
      add_part(s, column, p->w, p->w, -1);
      matrix_add(column, p->K, s->e->list[l], unit, block->dim);
      for (int k = 0, row = 0; k < s->e->nlist; k++) {
        const HardBlock* other = p->block + s->e->list[k];
        for (int i = other->first; i < other->first + other->dim; i++, row++) {
          s->K[row * s->n + at] = p->weight[i] > 0 ? column[i] / p->weight[i] : 0;
        }
      }
    }
  }
}

static void make_rows(Interior* s) {
  mjData* d = s->p->d;
  int n = 0;
  for (int l = 0; l < s->e->nlist; l++) {
    n += s->p->block[s->e->list[l]].dim;
  }
  size_t top = arena_top(d), bytes = (2 * (size_t)n + 2) * n * sizeof(mjtNum);
  if (!rows_are_few(s->e, n) || !arena_push(d, bytes + s->p->nrow * sizeof(mjtNum), 64)) {
    return;
  }
  arena_pop(d, top);
  s->n = n;
  s->K = mj_stackAllocNum(d, (size_t)n * n);
  s->A = mj_stackAllocNum(d, (size_t)n * n);
  s->X = mj_stackAllocNum(d, 2 * (size_t)n);
  mj_markStack(d);
  fill_K(s, mj_stackAllocNum(d, s->p->nrow));
  mj_freeStack(d);
}

// (A + K) df = rest[0] + tau rest[1]
static int solve_rows(Interior* s) {
  HardProblem* p = s->p;
  int n = s->n;
  memcpy(s->A, s->K, (size_t)n * n * sizeof(mjtNum));
  for (int l = 0, first = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    InteriorLaw law;
    int dim = at.block->dim;
    interior_law(&law, &at, s->dual + l);
    for (int r = 0; r < dim; r++) {
      mjtNum by = at.weight[r] > 0 ? 1 / at.weight[r] : 1;
      for (int c = 0; c < dim; c++) {
        mjtNum other = at.weight[c] > 0 ? 1 / at.weight[c] : 1;
        s->A[(first + r) * n + first + c] += by * law.A[r * dim + c] * other;
      }
      s->X[2 * (first + r)] = by * law.rest[0][r];
      s->X[2 * (first + r) + 1] = by * law.rest[1][r];
    }
    first += dim;
  }
  if (!pivoted_solve(s->X, s->A, n, 2, 2, n, 0)) {
    return 0;
  }
  for (int k = 0; k < 2; k++) {
    add_part(s, s->w[k], p->w, p->w, -1);
    for (int l = 0, row = 0; l < s->e->nlist; l++) {
      const HardBlock* block = p->block + s->e->list[l];
      for (int i = block->first; i < block->first + block->dim; i++, row++) {
        s->f[k][i] = p->weight[i] > 0 ? s->X[2 * row + k] / p->weight[i] : 0;
      }
    }
    for (int l = 0; l < s->e->nlist; l++) {
      const HardBlock* block = p->block + s->e->list[l];
      matrix_add(s->w[k], p->K, s->e->list[l], s->f[k] + block->first, block->dim);
    }
  }
  return 1;
}

// equations by dofs

// r = B rest[k] of all blocks
static void fill_tangents(Interior* s, int k) {
  for (int l = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    InteriorLaw law;
    HardTangent* t = s->e->tangent + l;
    int dim = at.block->dim;
    interior_law(&law, &at, s->dual + l);
    memcpy(t->B, law.B, sizeof t->B);
    for (int r = 0; r < dim; r++) {
      t->r[r] = mju_dot(law.B + (ptrdiff_t)r * dim, law.rest[k], dim);
    }
  }
}

static int solve_dofs(Interior* s) {
  fill_tangents(s, 0);
  if (!dofs_factor(s->e) || !dofs_solve(s->e, s->f[0], s->w[0])) {
    return 0;
  }
  fill_tangents(s, 1);
  return dofs_solve(s->e, s->f[1], s->w[1]);
}

// steps

// With tau the step goes to f[0] + tau f[1]. Returns the part of it that stays inside of all
// bounds, at most 1. step: room for its forces (nrow).
static mjtNum find_part(Interior* s, mjtNum* step, mjtNum tau) {
  const mjtNum most = (mjtNum)0.99;
  mjtNum part = 1;
  add_part(s, step, s->f[0], s->f[1], tau);
  for (int l = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    const mjtNum* df = step + at.block->first;
    s->change[l] = interior_change(&at, s->dual + l, df, tau);
    part = num_min(part, most * interior_room(&at, s->dual + l, df, s->change[l]));
  }
  return part;
}

// A step that brings all products to a tau between 0.1 and 1 of their mean: the nearer to 0.1, the
// farther a step towards tau = 0 would go (Mehrotra 1992).
static int take_step(Interior* s, mjtNum* step, mjtNum mean) {
  const mjtNum least = (mjtNum)0.1;
  HardProblem* p = s->p;
  if (!(s->K ? solve_rows(s) : solve_dofs(s))) {
    return 0;
  }
  mjtNum part = find_part(s, step, 0), rest = 1 - part;
  mjtNum tau = num_max(least, rest * rest * rest) * mean;
  part = find_part(s, step, tau);
  if (!isfinite(part)) {
    return 0;
  }
  add_part(s, p->f, p->f, step, part);
  add_part(s, p->w, p->w, s->w[0], part);
  add_part(s, p->w, p->w, s->w[1], part * tau);
  for (int l = 0; l < s->e->nlist; l++) {
    s->dual[l].slack += part * s->change[l].slack;
    s->dual[l].pull += part * s->change[l].pull;
  }
  return 1;
}

static void judge(Interior* s) {
  HardProblem* p = s->p;
  mjtNum residual = hard_residual(p, s->e->list, s->e->nlist, s->need);
  if (residual < s->least) {
    s->least = residual;
    add_part(s, s->best_f, p->f, p->f, 0);
    add_part(s, s->best_w, p->w, p->w, 0);
  }
}

static void descend(Interior* s, mjtNum tolerance) {
  enum {
    STEPS = 60,
    WINDOW = 6  // steps in which the mean has to be halved
  };
  mjtNum before[WINDOW], *step = mj_stackAllocNum(s->p->d, s->p->nrow);
  for (int k = 0; k < STEPS; k++) {
    mjtNum mean = mean_product(s);
    judge(s);
    int stuck = k >= 2 * WINDOW && mean > before[k % WINDOW] / 2;
    if (s->least <= tolerance || stuck || !(mean > 0) || !take_step(s, step, mean)) {
      return;
    }
    before[k % WINDOW] = mean;
  }
}

mjtNum interior_solve(HardDofs* e, mjtNum from, mjtNum residual, mjtNum tolerance) {
  HardProblem* p = e->p;
  mjData* d = p->d;
  mj_markStack(d);
  Interior s = {
      .e = e,
      .p = p,
      .need = hard_need(p, e->list, e->nlist),
      .dual = mj_stackAllocByte(d, e->nlist * sizeof(InteriorDual), _Alignof(InteriorDual)),
      .change = mj_stackAllocByte(d, e->nlist * sizeof(InteriorDual), _Alignof(InteriorDual)),
      .f = {mj_stackAllocNum(d, p->nrow), mj_stackAllocNum(d, p->nrow)},
      .w = {mj_stackAllocNum(d, p->nrow), mj_stackAllocNum(d, p->nrow)},
      .best_f = mj_stackAllocNum(d, p->nrow),
      .best_w = mj_stackAllocNum(d, p->nrow),
      .least = residual};
  add_part(&s, s.best_f, p->f, p->f, 0);
  add_part(&s, s.best_w, p->w, p->w, 0);
  make_rows(&s);
  start(&s, from * s.need);
  descend(&s, tolerance);
  add_part(&s, p->f, s.best_f, s.best_f, 0);
  add_part(&s, p->w, s.best_w, s.best_w, 0);
  mj_freeStack(d);
  return s.least;
}
