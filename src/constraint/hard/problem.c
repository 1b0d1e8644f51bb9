// The residual of forces. A solution is a fixed point of
//
//   f_n := max(0, f_n - w_n / k_n)
//   f_t := f_t - w_t / k_t, scaled back to |f_t| <= f_n
//
// (Alart and Curnier 1991), and each k is the diagonal of K, so that the change says by how much a
// force is wrong. Projecting on the cone as a whole would do as well for moderate friction only:
// where the coefficient is large, either the normal or the tangents would hardly count.

#include "constraint/hard/problem.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/hard/cone.h"

enum {
  MAX_DIM = 6
};

// Rounding of w is thought of as this part of the residual's unit, 10^-10.
#define ROUNDING ((mjtNum)1e-4)

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

// Tangents of a cone with normal force f[0]: where they are to go. Rows of their own k tell whether
// they stick; a slide needs one k for all, or it would turn.
static void wanted_tangents(mjtNum* f, const mjtNum* w, const mjtNum* weight, int dim) {
  mjtNum alone[MAX_DIM], square = 0, k = 0;
  int moving = 0;
  for (int r = 1; r < dim; r++) {
    mjtNum own = weight[r] * weight[r];
    alone[r] = own > 0 ? f[r] - w[r] / own : f[r];
    square += alone[r] * alone[r];
    k += own;
    moving += own > 0;
  }
  if (square <= f[0] * f[0]) {
    memcpy(f + 1, alone + 1, (dim - 1) * sizeof(mjtNum));
    return;
  }
  square = 0;
  for (int r = 1; r < dim; r++) {
    f[r] -= weight[r] > 0 ? w[r] * (mjtNum)moving / k : 0;
    square += f[r] * f[r];
  }
  if (square > f[0] * f[0]) {
    mju_scl(f + 1, f + 1, f[0] / mju_sqrt(square), dim - 1);
  }
}

// f := P(f - w / k); returns 0 if the block can't be moved.
static int wanted(mjtNum* f, const HardBlock* block, const mjtNum* w, const mjtNum* weight) {
  if (block->law == HARD_FREE) {
    for (int r = 0; r < block->dim; r++) {
      f[r] -= weight[r] > 0 ? w[r] / (weight[r] * weight[r]) : 0;
    }
    return 1;
  }
  if (!(weight[0] > 0)) {
    return 0;
  }
  f[0] -= w[0] / (weight[0] * weight[0]);
  if (block->law == HARD_CONE) {
    f[0] = num_max(0, f[0]);
    wanted_tangents(f, w, weight, block->dim);
  } else {
    hard_project(f, block);
  }
  return 1;
}

mjtNum hard_need(const HardProblem* p, const int* list, int nlist) {
  mjtNum need = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    const mjtNum* weight = p->weight + block->first;
    mjtNum f[MAX_DIM] = {0};
    if (!wanted(f, block, p->b + block->first, weight)) {
      continue;
    }
    for (int r = 0; r < block->dim; r++) {
      if (weight[r] > 0) {
        mjtNum rounding = ROUNDING * p->size[block->first + r] / weight[r];
        need = num_max(need, num_max(weight[r] * mju_abs(f[r]), rounding));
      }
    }
  }
  return need;
}

mjtNum hard_largest(const HardProblem* p, const int* list, int nlist) {
  mjtNum largest = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int r = block->first; r < block->first + block->dim; r++) {
      largest = num_max(largest, p->weight[r] * mju_abs(p->f[r]));
    }
  }
  return largest;
}

// max weight |f - P(f - w/k)| / max(need, weight |f|), weight = sqrt(k)
mjtNum hard_residual(const HardProblem* p, const int* list, int nlist, mjtNum need) {
  mjtNum worst = 0, largest = need;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    const mjtNum *f = p->f + block->first, *weight = p->weight + block->first;
    mjtNum to[MAX_DIM];
    memcpy(to, f, block->dim * sizeof(mjtNum));
    if (!wanted(to, block, p->w + block->first, weight)) {
      continue;
    }
    for (int r = 0; r < block->dim; r++) {
      worst = num_max(worst, weight[r] * mju_abs(f[r] - to[r]));
      largest = num_max(largest, weight[r] * mju_abs(f[r]));
    }
  }
  return worst > 0 ? worst / largest : 0;
}

// sqrt(sum (weight (f - P(f - w/k)))^2)
mjtNum hard_distance(const HardProblem* p, const int* list, int nlist) {
  mjtNum sum = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    const mjtNum *f = p->f + block->first, *weight = p->weight + block->first;
    mjtNum to[MAX_DIM];
    memcpy(to, f, block->dim * sizeof(mjtNum));
    if (wanted(to, block, p->w + block->first, weight)) {
      for (int r = 0; r < block->dim; r++) {
        sum += num_square(weight[r] * (f[r] - to[r]));
      }
    }
  }
  return mju_sqrt(sum);
}

void hard_multiply(HardProblem* p) {
  mju_copy(p->w, p->b, p->nrow);
  for (int i = 0; i < p->nblock; i++) {
    matrix_add(p->w, p->K, i, p->f + p->block[i].first, p->block[i].dim);
  }
}
