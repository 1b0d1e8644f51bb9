#include "constraint/hard/solver.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "constraint/hard/cone.h"
#include "constraint/hard/newton.h"

enum {
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
      int mobile = matrix_diagonal(p->K, list[l], r, r) > IMMOBILE;
      worst = num_max(worst, mobile ? mju_abs(f[r] - moved[r]) : 0);
      largest = num_max(largest, mju_abs(f[r]));
    }
  }
  return worst / (1 + largest);
}

void hard_multiply(HardProblem* p) {
  mju_copy(p->w, p->b, p->nrow);
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

// One sweep, forwards or backwards; local NULL: plain. Blocks that can't be moved are passed over.
static void sweep(HardProblem* p, const int* list, int nlist, Local* local, int backwards) {
  for (int k = 0; k < nlist; k++) {
    int l = backwards ? nlist - 1 - k : k, i = list[l];
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

// Anderson's: a sweep takes f to g(f), and r = g(f) - f is to vanish. What the last sweeps have shown of how
// r follows g is taken for linear, and the combination of them with the least |r| is where the next sweep
// starts. w goes along, being linear in f. (Walker and Ni 2011. Conjugate gradients over sweeps,
// Silcowitz-Hansen et al. 2010, need nearly twice as many sweeps.)
enum {
  HISTORY = 8
};

typedef struct {
  mjtNum* f;                                        // before the sweep
  mjtNum *g, *w, *r;                                // after the last one
  mjtNum *dg[HISTORY], *dw[HISTORY], *dr[HISTORY];  // differences from sweep to sweep
  int n, next;                                      // how many there are, which is the oldest
  int known;                                        // g, w, r are
} History;

static History history_make(const HardProblem* p) {
  History h = {.n = 0};
  h.f = mj_stackAllocNum(p->d, p->nrow);
  h.g = mj_stackAllocNum(p->d, p->nrow);
  h.w = mj_stackAllocNum(p->d, p->nrow);
  h.r = mj_stackAllocNum(p->d, p->nrow);
  for (int i = 0; i < HISTORY; i++) {
    h.dg[i] = mj_stackAllocNum(p->d, p->nrow);
    h.dw[i] = mj_stackAllocNum(p->d, p->nrow);
    h.dr[i] = mj_stackAllocNum(p->d, p->nrow);
  }
  return h;
}

static void history_forget(History* h) {
  h->n = h->next = h->known = 0;
}

// Takes down the last sweep.
static void history_add(History* h, const HardProblem* p, const int* list, int nlist) {
  int at = h->next;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      mjtNum r = p->f[i] - h->f[i];
      h->dg[at][i] = p->f[i] - h->g[i];
      h->dw[at][i] = p->w[i] - h->w[i];
      h->dr[at][i] = r - h->r[i];
      h->g[i] = p->f[i];
      h->w[i] = p->w[i];
      h->r[i] = r;
    }
  }
  if (h->known) {
    h->next = (at + 1) % HISTORY;
    h->n = int_min(h->n + 1, HISTORY);
  }
  h->known = 1;
}

static mjtNum dot(const mjtNum* a, const mjtNum* b, const HardProblem* p, const int* list,
                  int nlist) {
  mjtNum sum = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      sum += a[i] * b[i];
    }
  }
  return sum;
}

// f -= sum y_k dg_k with the y that minimize |r - sum y_k dr_k|
static void history_extrapolate(History* h, HardProblem* p, const int* list, int nlist) {
  const mjtNum regular = (mjtNum)1e-12;
  int n = h->n;
  mjtNum A[HISTORY * HISTORY], y[HISTORY];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= i; k++) {
      A[i * n + k] = A[k * n + i] = dot(h->dr[i], h->dr[k], p, list, nlist);
    }
    A[i * n + i] *= 1 + regular;
  }
  mjtNum largest = 0;
  for (int i = 0; i < n; i++) {
    largest = num_max(largest, A[i * n + i]);
  }
  for (int i = 0; i < n * n && largest > 0; i++) {
    A[i] /= largest;
  }
  if (!(largest > 0) || mju_cholFactor(A, n, mjMINVAL * mjMINVAL) < n) {
    h->n = h->next = 0;
    return;
  }
  for (int i = 0; i < n; i++) {
    y[i] = dot(h->dr[i], h->r, p, list, nlist) / largest;
  }
  mju_cholSolve(y, A, y, n);
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int k = 0; k < n; k++) {
      for (int i = block->first; i < block->first + block->dim; i++) {
        p->f[i] -= y[k] * h->dg[k][i];
        p->w[i] -= y[k] * h->dw[k][i];
      }
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

// The nearest allowed forces, in all blocks.
static void project_all(HardProblem* p, const int* list, int nlist) {
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    mjtNum *f = p->f + block->first, change[MAX_DIM];
    for (int r = 0; r < block->dim; r++) {
      change[r] = -f[r];
    }
    hard_project(f, block);
    for (int r = 0; r < block->dim; r++) {
      change[r] += f[r];
    }
    matrix_add(p->w, p->K, list[l], change, block->dim);
  }
}

// Newton's steps, each followed by a sweep, which finds anew what sticks and what slides; ends when a few
// in a row don't help, with the best of them.
static void finish(HardProblem* p, const int* list, int nlist, HardEnd* end, int iterations,
                   mjtNum tolerance, Local* local) {
  enum {
    PATIENCE = 3
  };
  size_t bytes = p->nrow * sizeof(mjtNum);
  mj_markStack(p->d);
  mjtNum* f = mj_stackAllocNum(p->d, p->nrow);
  mjtNum* w = mj_stackAllocNum(p->d, p->nrow);
  memcpy(f, p->f, bytes);
  memcpy(w, p->w, bytes);
  for (int patience = PATIENCE;
       end->residual > tolerance && end->sweeps < iterations && patience > 0; patience--) {
    if (!newton_step(p, list, nlist)) {
      break;
    }
    project_all(p, list, nlist);
    sweep(p, list, nlist, local, 0);
    end->sweeps++;
    mjtNum residual = hard_residual(p, list, nlist);
    if (residual < end->residual) {
      end->residual = residual;
      memcpy(f, p->f, bytes);
      memcpy(w, p->w, bytes);
      patience = PATIENCE + 1;
    }
  }
  memcpy(p->f, f, bytes);
  memcpy(p->w, w, bytes);
  mj_freeStack(p->d);
}

// w anew: large forces that cancelled leave their rounding in it. Returns the residual.
static mjtNum refresh(HardProblem* p, const int* list, int nlist) {
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    memcpy(p->w + block->first, p->b + block->first, block->dim * sizeof(mjtNum));
  }
  for (int l = 0; l < nlist; l++) {
    matrix_add(p->w, p->K, list[l], p->f + p->block[list[l]].first, p->block[list[l]].dim);
  }
  return hard_residual(p, list, nlist);
}

// What the sweep of a number is like. Those forwards are extrapolated, those backwards are not: where
// the one goes in circles, the other most often doesn't.
enum {
  PLAIN = 10,         // the first ones are plain,
  STRETCH = 30,       // then so many go forwards, as many backwards, and so on
  NEWTON_FROM = 30,   // Newton's steps are tried from here on
  NEWTON_EVERY = 10,  //
};

static int goes_backwards(int number) {
  return number >= PLAIN && (number - PLAIN) / STRETCH % 2;
}

static void note(mjSolverStat* stat, int nstat, int number, const HardEnd* end, mjtNum before,
                 int nactive) {
  if (number < nstat) {
    stat[number] = (mjSolverStat){
        .improvement = before - end->residual, .gradient = end->residual, .nactive = nactive};
  }
}

HardEnd hard_solve(HardProblem* p, const int* list, int nlist, int iterations, mjtNum tolerance,
                   mjSolverStat* stat, int nstat) {
  HardEnd end = {0, hard_residual(p, list, nlist)};
  mj_markStack(p->d);
  History history = {0};
  Local* local = NULL;
  while (end.residual > tolerance && end.sweeps < iterations) {
    if (end.sweeps >= PLAIN && !local) {
      history = history_make(p);
      local = mj_stackAllocByte(p->d, (size_t)nlist * sizeof(Local), _Alignof(Local));
      for (int l = 0; l < nlist; l++) {
        make_local(local + l, p, list[l]);
      }
    }
    int number = end.sweeps, backwards = goes_backwards(number);
    mjtNum before = end.residual;
    if (local) {
      memcpy(history.f, p->f, p->nrow * sizeof(mjtNum));
    }
    sweep(p, list, nlist, local, backwards);
    end.residual = hard_residual(p, list, nlist);
    end.sweeps++;
    if (backwards || end.residual > 2 * before) {
      history_forget(&history);
    }
    if (local && end.sweeps >= NEWTON_FROM && end.sweeps % NEWTON_EVERY == 0) {
      finish(p, list, nlist, &end, iterations, tolerance, local);
    }
    if (local && end.residual <= tolerance) {
      end.residual = refresh(p, list, nlist);
    }
    if (local && !backwards && end.residual > tolerance && end.sweeps < iterations) {
      history_add(&history, p, list, nlist);
      history_extrapolate(&history, p, list, nlist);
    }
    note(stat, nstat, number, &end, before, count_active(p, list, nlist));
  }
  mj_freeStack(p->d);
  return end;
}
