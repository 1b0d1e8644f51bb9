#include "constraint/hard/solver.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "constraint/hard/cone.h"

enum {
  PLAIN_SWEEPS = 10,  // before blocks are solved whole
  MAX_DIM = 6
};

// A row with less on the diagonal can't be moved by its force.
#define IMMOBILE mjMINVAL

// law by law

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
    if (k <= IMMOBILE) {
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
      worst = num_max(worst, mju_abs(f[r] - moved[r]));
      largest = num_max(largest, mju_abs(f[r]));
    }
  }
  return worst / (1 + largest);
}

void hard_multiply(HardProblem* p) {
  memcpy(p->w, p->b, p->nrow * sizeof(mjtNum));
  for (int i = 0; i < p->nblock; i++) {
    matrix_add(p->w, p->K, i, p->f + p->block[i].first, p->block[i].dim);
  }
}

// sweeps

// What blocks need to be solved whole, made when the plain sweeps are over: a cone, or the factor of a
// free block.
typedef union {
  Cone cone;
  mjtNum L[MAX_DIM * MAX_DIM];
} Local;

// K = L L' in place of a block; a row that the rows before it determine has no force of its own: its
// pivot is 0.
static void factor_free(mjtNum* L, const HardProblem* p, int i) {
  const mjtNum dependent = (mjtNum)1e-12;
  int n = p->block[i].dim;
  for (int r = 0; r < n; r++) {
    for (int c = 0; c <= r; c++) {
      mjtNum sum = matrix_diagonal(p->K, i, r, c);
      for (int k = 0; k < c; k++) {
        sum -= L[r * n + k] * L[c * n + k];
      }
      if (c < r) {
        L[r * n + c] = L[c * n + c] > 0 ? sum / L[c * n + c] : 0;
      } else {
        L[r * n + r] =
            sum > dependent * matrix_diagonal(p->K, i, r, r) && sum > IMMOBILE ? mju_sqrt(sum) : 0;
      }
    }
  }
}

// x = -K^-1 w
static void solve_free(mjtNum* x, const mjtNum* L, const mjtNum* w, int n) {
  for (int r = 0; r < n; r++) {
    mjtNum sum = -w[r];
    for (int k = 0; k < r; k++) {
      sum -= L[r * n + k] * x[k];
    }
    x[r] = L[r * n + r] > 0 ? sum / L[r * n + r] : 0;
  }
  for (int r = n - 1; r >= 0; r--) {
    mjtNum sum = x[r];
    for (int k = r + 1; k < n; k++) {
      sum -= L[k * n + r] * x[k];
    }
    x[r] = L[r * n + r] > 0 ? sum / L[r * n + r] : 0;
  }
}

static void make_local(Local* local, const HardProblem* p, int i) {
  const HardBlock* block = p->block + i;
  mjtNum K[MAX_DIM * MAX_DIM];
  if (block->law == HARD_FREE) {
    factor_free(local->L, p, i);
  } else if (block->law == HARD_CONE) {
    for (int r = 0; r < block->dim; r++) {
      for (int c = 0; c < block->dim; c++) {
        K[r * block->dim + c] = matrix_diagonal(p->K, i, r, c);
      }
    }
    cone_make(&local->cone, K, block->dim);
  }
}

// The new forces of a block, its own effect on w taken into account exactly.
static void block_forces(mjtNum* f, const HardProblem* p, int i, Local* local) {
  const HardBlock* block = p->block + i;
  const mjtNum* w = p->w + block->first;
  int n = block->dim;
  if (block->law == HARD_FREE) {
    mjtNum change[MAX_DIM];
    solve_free(change, local->L, w, n);
    for (int r = 0; r < n; r++) {
      f[r] += change[r];
    }
    return;
  }
  mjtNum q[MAX_DIM];
  for (int r = 0; r < n; r++) {
    q[r] = w[r];
    for (int c = 0; c < n; c++) {
      q[r] -= matrix_diagonal(p->K, i, r, c) * f[c];
    }
  }
  if (block->law == HARD_CONE) {
    cone_solve(f, &local->cone, q);
  } else {
    f[0] = -q[0] / matrix_diagonal(p->K, i, 0, 0);
    hard_project(f, block);
  }
}

// The same, row by row: the normal of a contact first, then its friction, scaled back to the cone as a
// whole (Nakaoka et al. 2007, equation 21).
static void row_forces(mjtNum* f, const HardProblem* p, int i) {
  const HardBlock* block = p->block + i;
  mjtNum w[MAX_DIM];
  memcpy(w, p->w + block->first, block->dim * sizeof(mjtNum));
  for (int r = 0; r < block->dim; r++) {
    mjtNum k = matrix_diagonal(p->K, i, r, r), before = f[r];
    if (k > IMMOBILE) {
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

// One sweep; local NULL: plain. Blocks that are not to be moved are passed over.
static void sweep(HardProblem* p, const int* list, int nlist, Local* local) {
  for (int l = 0; l < nlist; l++) {
    int i = list[l];
    const HardBlock* block = p->block + i;
    mjtNum *f = p->f + block->first, change[MAX_DIM], forces[MAX_DIM];
    if (matrix_diagonal(p->K, i, 0, 0) <= IMMOBILE && block->law != HARD_FREE) {
      continue;
    }
    memcpy(forces, f, block->dim * sizeof(mjtNum));
    if (local) {
      block_forces(forces, p, i, local + l);
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

// extrapolation

// Nonlinear conjugate gradients (Silcowitz-Hansen et al. 2010): what a sweep changes, g, is taken for a
// gradient, and the change of the sweep before it is continued beta = |g|^2 / |g before|^2 as far. w
// follows, being linear in f.
typedef struct {
  mjtNum *f, *w;         // before the sweep
  mjtNum *step, *wstep;  // how the last extrapolation went on, and K step
  mjtNum square;         // |g|^2 of the last sweep, 0 to begin anew
} Conjugate;

static Conjugate conjugate_make(const HardProblem* p) {
  mjData* d = p->d;
  Conjugate c = {.square = 0};
  c.f = mj_stackAllocNum(d, p->nrow);
  c.w = mj_stackAllocNum(d, p->nrow);
  c.step = mj_stackAllocNum(d, p->nrow);
  c.wstep = mj_stackAllocNum(d, p->nrow);
  return c;
}

static void conjugate_keep(Conjugate* c, const HardProblem* p, const int* list, int nlist) {
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    memcpy(c->f + block->first, p->f + block->first, block->dim * sizeof(mjtNum));
    memcpy(c->w + block->first, p->w + block->first, block->dim * sizeof(mjtNum));
  }
}

static void conjugate_extrapolate(Conjugate* c, HardProblem* p, const int* list, int nlist,
                                  int restart) {
  mjtNum square = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int r = block->first; r < block->first + block->dim; r++) {
      square += num_square(p->f[r] - c->f[r]);
    }
  }
  mjtNum beta = !restart && c->square > 0 && square <= c->square ? square / c->square : 0;
  c->square = square;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int r = block->first; r < block->first + block->dim; r++) {
      mjtNum on = beta > 0 ? beta * c->step[r] : 0, won = beta > 0 ? beta * c->wstep[r] : 0;
      c->step[r] = on + p->f[r] - c->f[r];
      c->wstep[r] = won + p->w[r] - c->w[r];
      p->f[r] += on;
      p->w[r] += won;
    }
  }
}

// the loop

static int count_active(const HardProblem* p, const int* list, int nlist) {
  int active = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int r = block->first; r < block->first + block->dim; r++) {
      active += p->f[r] != 0;
    }
  }
  return active;
}

HardEnd hard_solve(HardProblem* p, const int* list, int nlist, int iterations, mjtNum tolerance,
                   mjSolverStat* stat, int nstat) {
  HardEnd end = {0, hard_residual(p, list, nlist)};
  mj_markStack(p->d);
  Conjugate conjugate = conjugate_make(p);
  Local* local = NULL;
  while (end.residual > tolerance && end.sweeps < iterations) {
    if (end.sweeps == PLAIN_SWEEPS) {
      local = mj_stackAllocByte(p->d, (size_t)nlist * sizeof(Local), _Alignof(Local));
      for (int l = 0; l < nlist; l++) {
        make_local(local + l, p, list[l]);
      }
    }
    conjugate_keep(&conjugate, p, list, nlist);
    sweep(p, list, nlist, local);
    mjtNum before = end.residual;
    end.residual = hard_residual(p, list, nlist);
    if (stat && end.sweeps < nstat) {
      stat[end.sweeps] = (mjSolverStat){.improvement = before - end.residual,
                                        .gradient = end.residual,
                                        .nactive = count_active(p, list, nlist)};
    }
    end.sweeps++;
    if (local && end.residual > tolerance && end.sweeps < iterations) {
      conjugate_extrapolate(&conjugate, p, list, nlist, end.residual > before);
    }
  }
  mj_freeStack(p->d);
  return end;
}
