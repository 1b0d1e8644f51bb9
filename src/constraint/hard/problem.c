// The laws of hard constraints, and the residual of forces. A cone's normal velocity has |w_t|
// added: that makes sliding contacts obey a cone and its dual.

#include "constraint/hard/problem.h"

#include <mujoco/api/base.h>

#include "base/vec.h"
#include "constraint/hard/cone.h"

enum {
  MAX_DIM = 6
};

// mean diagonal of a block, over the rows that move
static mjtNum mean_diagonal(const HardProblem* p, int i) {
  mjtNum trace = 0;
  for (int r = 0; r < p->block[i].dim; r++) {
    trace += matrix_diagonal(p->K, i, r, r);
  }
  return trace / p->block[i].dim;
}

void hard_project(mjtNum* f, const HardBlock* block) {
  switch (block->law) {
    case HARD_FREE:
      break;
    case HARD_BOUND:
      f[0] = num_clamp(f[0], -block->bound, block->bound);
      break;
    case HARD_PUSH:
      f[0] = num_max(0, f[0]);
      break;
    case HARD_CONE:
      cone_project(f, block->dim);
      break;
  }
}

mjtNum hard_residual(const HardProblem* p, const int* list, int nlist) {
  mjtNum worst = 0, largest = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    const mjtNum *f = p->f + block->first, *w = p->w + block->first;
    mjtNum k = mean_diagonal(p, list[l]), moved[MAX_DIM] = {0}, slip = 0;
    if (k <= HARD_IMMOBILE) {
      continue;
    }
    for (int r = 1; block->law == HARD_CONE && r < block->dim; r++) {
      slip += w[r] * w[r];
    }
    for (int r = 0; r < block->dim; r++) {
      moved[r] = f[r] - (w[r] + (r == 0 ? mju_sqrt(slip) : 0)) / k;
    }
    hard_project(moved, block);
    for (int r = 0; r < block->dim; r++) {
      int mobile = matrix_diagonal(p->K, list[l], r, r) > HARD_IMMOBILE;
      worst = num_max(worst, mobile ? mju_abs(f[r] - moved[r]) : 0);
      largest = num_max(largest, mju_abs(f[r]));
    }
  }
  return worst / (1 + largest);
}

mjtNum hard_largest(const HardProblem* p, const int* list, int nlist) {
  mjtNum largest = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int r = block->first; r < block->first + block->dim; r++) {
      largest = num_max(largest, mju_abs(p->f[r]));
    }
  }
  return largest;
}

mjtNum hard_bound(const HardProblem* p, const int* list, int nlist) {
  const mjtNum boundless = (mjtNum)1e6;
  mjtNum alone = hard_largest(p, list, nlist);
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    mjtNum k = mean_diagonal(p, list[l]);
    for (int r = block->first; k > HARD_IMMOBILE && r < block->first + block->dim; r++) {
      alone = num_max(alone, mju_abs(p->b[r]) / k);
    }
  }
  return boundless * alone;
}

void hard_multiply(HardProblem* p) {
  mju_copy(p->w, p->b, p->nrow);
  for (int i = 0; i < p->nblock; i++) {
    matrix_add(p->w, p->K, i, p->f + p->block[i].first, p->block[i].dim);
  }
}
