// The equations of a step by dofs or, where these are not many, by rows.

#include "constraint/hard/interior_step.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/dense_solve.h"
#include "base/algebra/vec.h"
#include "model/data/arena.h"

static const HardBlock* block_of(const Interior* s, int l) {
  return s->p->block + s->e->list[l];
}

static InteriorBlock block_at(const Interior* s, int l) {
  const HardBlock* block = block_of(s, l);
  int first = block->first;
  return (InteriorBlock){.block = block,
                         .weight = s->p->weight + first,
                         .f = s->at.f + first,
                         .w = s->at.w + first,
                         .centre = s->centre ? s->centre + first : NULL,
                         .proximal = s->proximal};
}

// points

InteriorPoint interior_point(const HardDofs* e) {
  mjData* d = e->p->d;
  return (InteriorPoint){
      .f = mj_stackAllocNum(d, e->p->nrow),
      .w = mj_stackAllocNum(d, e->p->nrow),
      .dual = mj_stackAllocByte(d, e->nlist * sizeof(InteriorDual), _Alignof(InteriorDual))};
}

void interior_add(InteriorPoint* to, const Interior* s, const InteriorPoint* from,
                  const InteriorPoint* along, mjtNum part) {
  for (int l = 0; l < s->e->nlist; l++) {
    const HardBlock* block = block_of(s, l);
    for (int i = block->first; i < block->first + block->dim; i++) {
      to->f[i] = from->f[i] + part * along->f[i];
      to->w[i] = from->w[i] + part * along->w[i];
    }
    to->dual[l].slack = from->dual[l].slack + part * along->dual[l].slack;
    to->dual[l].pull = from->dual[l].pull + part * along->dual[l].pull;
  }
  to->log_tau = from->log_tau + part * along->log_tau;
}

void interior_begin(Interior* s, mjtNum force) {
  HardProblem* p = s->p;
  for (int l = 0; l < s->e->nlist; l++) {
    const HardBlock* block = block_of(s, l);
    mjtNum *f = p->f + block->first, change[TANGENT_DIM];
    for (int r = 0; r < block->dim; r++) {
      change[r] = -f[r];
    }
    interior_start(f, s->at.dual + l, block, p->weight + block->first, force);
    for (int r = 0; r < block->dim; r++) {
      change[r] += f[r];
    }
    matrix_add(p->w, p->K, s->e->list[l], change, block->dim);
  }
}

mjtNum interior_mean(const Interior* s, int* count) {
  mjtNum sum = 0;
  *count = 0;
  for (int l = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    mjtNum product[2] = {0};
    *count += interior_products(product, &at, s->at.dual + l);
    sum += product[0] + product[1];
  }
  return *count ? sum / *count : 0;
}

mjtNum interior_step_room(const Interior* s, const InteriorPoint* step) {
  mjtNum room = INFINITY;
  for (int l = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    mjtNum one = interior_room(&at, s->at.dual + l, step->f + at.block->first, step->dual[l]);
    room = num_min(room, one);
  }
  return room;
}

mjtNum interior_dot(const Interior* s, const InteriorPoint* a, const InteriorPoint* b) {
  mjtNum sum = 0;
  for (int l = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    int first = at.block->first;
    sum += interior_block_dot(&at, s->at.dual + l, a->f + first, a->dual + l, b->f + first,
                              b->dual + l);
  }
  return sum;
}

// equations by rows

static int count_rows(const HardDofs* e) {
  int n = 0;
  for (int l = 0; l < e->nlist; l++) {
    n += e->p->block[e->list[l]].dim;
  }
  return n;
}

// Rows that are not many more than dofs are as fast, and they stay accurate where contacts hold a
// body nearly twice: 1 + Y' B Y loses small parts of Y beside a large B.
int interior_rows_are_few(const HardDofs* e) {
  enum {
    MOST = 100
  };
  int n = count_rows(e);
  return n <= MOST && 2 * n <= 3 * e->n;
}

static void clear_rows(const Interior* s, mjtNum* x) {
  for (int l = 0; l < s->e->nlist; l++) {
    memset(x + block_of(s, l)->first, 0, block_of(s, l)->dim * sizeof(mjtNum));
  }
}

// K of the blocks, each row and column by its weight. column: room for nrow numbers.
static void fill_K(Interior* s, mjtNum* column) {
  const HardProblem* p = s->p;
  for (int l = 0, at = 0; l < s->e->nlist; l++) {
    const HardBlock* block = block_of(s, l);
    for (int c = 0; c < block->dim; c++, at++) {
      mjtNum unit[TANGENT_DIM] = {0}, by = p->weight[block->first + c];
      unit[c] = by > 0 ? 1 / by : 0;
      clear_rows(s, column);
      matrix_add(column, p->K, s->e->list[l], unit, block->dim);
      for (int k = 0, row = 0; k < s->e->nlist; k++) {
        const HardBlock* other = block_of(s, k);
        for (int i = other->first; i < other->first + other->dim; i++, row++) {
          s->K[row * s->n + at] = p->weight[i] > 0 ? column[i] / p->weight[i] : 0;
        }
      }
    }
  }
}

static void make_row_equations(Interior* s) {
  mjData* d = s->p->d;
  int n = count_rows(s->e);
  size_t top = arena_top(d), bytes = (2 * (size_t)n + 2) * n * sizeof(mjtNum);
  if (!interior_rows_are_few(s->e) ||
      !arena_push(d, bytes + 20 * s->p->nrow * sizeof(mjtNum), 64)) {
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

// A block of A + K and of both right-hand sides, its rows beginning at `first`.
static void add_law(Interior* s, const InteriorLaw* law, const InteriorBlock* at, int first) {
  int dim = at->block->dim, n = s->n;
  for (int r = 0; r < dim; r++) {
    mjtNum by = at->weight[r] > 0 ? 1 / at->weight[r] : 1;
    for (int c = 0; c < dim; c++) {
      mjtNum other = at->weight[c] > 0 ? 1 / at->weight[c] : 1;
      s->A[(first + r) * n + first + c] += by * law->A[r * dim + c] * other;
    }
    s->X[2 * (first + r)] = by * law->rest[0][r];
    s->X[2 * (first + r) + 1] = by * law->rest[1][r];
  }
}

// (A + K) df = rest[0] + tau rest[1]
static int solve_rows(Interior* s) {
  HardProblem* p = s->p;
  int n = s->n;
  s->e->factors++;
  memcpy(s->A, s->K, (size_t)n * n * sizeof(mjtNum));
  for (int l = 0, first = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    InteriorLaw law;
    interior_law(&law, &at, s->at.dual + l);
    add_law(s, &law, &at, first);
    first += at.block->dim;
  }
  if (!pivoted_solve(s->X, s->A, n, 2, 2, n, 0)) {
    return 0;
  }
  for (int k = 0; k < 2; k++) {
    clear_rows(s, s->w[k]);
    for (int l = 0, row = 0; l < s->e->nlist; l++) {
      const HardBlock* block = block_of(s, l);
      for (int i = block->first; i < block->first + block->dim; i++, row++) {
        s->f[k][i] = p->weight[i] > 0 ? s->X[2 * row + k] / p->weight[i] : 0;
      }
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
    interior_law(&law, &at, s->at.dual + l);
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

void interior_make(Interior* s, HardDofs* e) {
  mjData* d = e->p->d;
  *s = (Interior){
      .e = e,
      .p = e->p,
      .at = {.f = e->p->f,
             .w = e->p->w,
             .dual = mj_stackAllocByte(d, e->nlist * sizeof(InteriorDual), _Alignof(InteriorDual))},
      .f = {mj_stackAllocNum(d, e->p->nrow), mj_stackAllocNum(d, e->p->nrow)},
      .w = {mj_stackAllocNum(d, e->p->nrow), mj_stackAllocNum(d, e->p->nrow)}};
  make_row_equations(s);
}

int interior_solve_step(Interior* s) {
  return s->K ? solve_rows(s) : solve_dofs(s);
}

void interior_step_to(InteriorPoint* step, const Interior* s, mjtNum tau) {
  for (int l = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    int first = at.block->first;
    for (int i = first; i < first + at.block->dim; i++) {
      step->f[i] = s->f[0][i] + tau * s->f[1][i];
      step->w[i] = s->w[0][i] + tau * s->w[1][i];
    }
    step->dual[l] = interior_change(&at, s->at.dual + l, step->f + first, tau);
  }
  step->log_tau = 0;
}

void interior_step_along(InteriorPoint* step, const Interior* s, mjtNum tau) {
  for (int l = 0; l < s->e->nlist; l++) {
    InteriorBlock at = block_at(s, l);
    int first = at.block->first;
    for (int i = first; i < first + at.block->dim; i++) {
      step->f[i] = tau * s->f[1][i];
      step->w[i] = tau * s->w[1][i];
    }
    // the change to products of tau, without the one that goes to 0
    const InteriorDual* dual = s->at.dual + l;
    InteriorDual to = interior_change(&at, dual, step->f + first, tau);
    step->dual[l] = (InteriorDual){to.slack + dual->slack, to.pull + dual->pull};
  }
  step->log_tau = 1;
}
