// Blocks solved one by one, whole or row by row.

#include "constraint/hard/sweep.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/dense_solve.h"
#include "base/algebra/vec.h"

// K = L L' in place of a block; a row that the rows before it determine, or that its force doesn't
// move, has no force of its own: its pivot is 0.
static void factor_free(mjtNum* L, const HardProblem* p, int i) {
  const mjtNum dependent = (mjtNum)1e-12;
  int n = p->block[i].dim;
  for (int r = 0; r < n; r++) {
    int moves = p->weight[p->block[i].first + r] > 0;
    for (int c = 0; c <= r; c++) {
      L[r * n + c] = c < r || moves ? matrix_diagonal(p->K, i, r, c) : 0;
    }
  }
  small_factor(L, n, n, 0, dependent);
}

void sweep_local(SweepLocal* local, const HardProblem* p, int i) {
  const HardBlock* block = p->block + i;
  mjtNum K[SWEEP_DIM * SWEEP_DIM] = {0};
  if (block->law == HARD_FREE) {
    factor_free(local->L, p, i);
  } else if (block->law == HARD_CONE) {
    for (int r = 0; r < block->dim; r++) {
      for (int c = 0; c < block->dim; c++) {
        int move = p->weight[block->first + r] > 0 && p->weight[block->first + c] > 0;
        K[r * block->dim + c] = move ? matrix_diagonal(p->K, i, r, c) : 0;
      }
    }
    cone_make(&local->cone, K, block->dim);
  }
}

// K_i f = -q of the block alone, q = w - K_i f_i
void sweep_block(mjtNum* f, const HardProblem* p, int i, SweepLocal* local) {
  const HardBlock* block = p->block + i;
  const mjtNum* w = p->w + block->first;
  int n = block->dim;
  if (block->law == HARD_FREE) {
    mjtNum change[SWEEP_DIM];
    small_solve(change, local->L, w, n, n);
    for (int r = 0; r < n; r++) {
      f[r] -= change[r];
    }
    return;
  }
  // any other law has one row
  if (block->law != HARD_CONE) {
    mjtNum k = matrix_diagonal(p->K, i, 0, 0), q = w[0] - k * f[0];
    f[0] = -q / k;
    hard_project(f, block);
    return;
  }
  mjtNum q[SWEEP_DIM];
  for (int r = 0; r < n; r++) {
    q[r] = w[r];
    for (int c = 0; c < n; c++) {
      q[r] -= matrix_diagonal(p->K, i, r, c) * f[c];
    }
  }
  cone_solve(f, &local->cone, q);
}

// The same, row by row: the normal of a contact first, then its friction, scaled back to the cone
// as a whole (Nakaoka et al. 2007, equation 21).
// f_i = f_i - w_i / K_ii
static void row_forces(mjtNum* f, const HardProblem* p, int i) {
  const HardBlock* block = p->block + i;
  mjtNum w[SWEEP_DIM];
  memcpy(w, p->w + block->first, block->dim * sizeof(mjtNum));
  for (int r = 0; r < block->dim; r++) {
    mjtNum k = matrix_diagonal(p->K, i, r, r), before = f[r];
    if (p->weight[block->first + r] > 0) {
      f[r] -= w[r] / k;
    }
    if (r == 0 && block->law == HARD_CONE) {
      f[0] = num_max(0, f[0]);
    } else if (block->law == HARD_PUSH || block->law == HARD_BOUND) {
      hard_project(f, block);
    }
    for (int c = r + 1; c < block->dim; c++) {
      w[c] += matrix_diagonal(p->K, i, c, r) * (f[r] - before);
    }
  }
  if (block->law == HARD_CONE) {
    mjtNum slip = 0;
    for (int r = 1; r < block->dim; r++) {
      slip += f[r] * f[r];
    }
    slip = mju_sqrt(slip);
    for (int r = 1; slip > f[0] && r < block->dim; r++) {
      f[r] *= f[0] / slip;
    }
  }
}

void sweep(HardProblem* p, const int* list, int nlist, SweepLocal* local, int backwards) {
  for (int k = 0; k < nlist; k++) {
    int l = backwards ? nlist - 1 - k : k, i = list[l];
    const HardBlock* block = p->block + i;
    mjtNum *f = p->f + block->first, change[SWEEP_DIM], forces[SWEEP_DIM];
    if (!(p->weight[block->first] > 0) && block->law != HARD_FREE) {
      continue;
    }
    memcpy(forces, f, block->dim * sizeof(mjtNum));
    if (local) {
      sweep_block(forces, p, i, local + l);
    } else {
      row_forces(forces, p, i);
    }
    for (int r = 0; r < block->dim; r++) {
      change[r] = forces[r] - f[r];
      f[r] = forces[r];
    }
    matrix_add(p->w, p->K, i, change, block->dim);
  }
}
