// boxqp.c: minimizes f(x) = x' H x / 2 + g' x within lower <= x <= upper, by projected Newton. A
// component is clamped if the gradient presses it against its bound. The others are free and take a
// Newton step, projected onto the bounds and halved until f falls enough (Tassa, Mansard and
// Todorov, Control-Limited Differential Dynamic Programming, 2014).
//                                                               theory/numerics.md, Box constraints

#include <mujoco/api/base.h>

#include "base/algebra/dense.h"

static const int max_iterations = 100;
#ifndef mjUSESINGLE
static const mjtNum min_gradient = 1e-16;  // squared norm of the free gradient at the minimum
#else
static const mjtNum min_gradient = 1e-9f;
#endif
static const mjtNum backtrack = (mjtNum)0.5;   // factor from one step to the next
static const mjtNum min_step = (mjtNum)1e-22;  // a search that gets here gives up
static const mjtNum armijo = (mjtNum)0.1;      // least part of the predicted decrease

typedef struct Problem_ {
  int n;
  const mjtNum *H, *g, *lower, *upper;
  mjtNum* R;   // Cholesky factor of the free part of H, packed
  int* index;  // free components, ascending
  int nfree;
  mjtNum *grad, *search, *candidate, *rhs;
  mjtNum* clamped;  // 1 where x is clamped, 0 where it is free
} BoxProblem;

// f(x) from the lower triangle of H
static mjtNum objective(const BoxProblem* p, const mjtNum* x) {
  mjtNum value = 0;
  for (int i = 0; i < p->n; i++) {
    const mjtNum* row = p->H + (size_t)i * p->n;
    value += x[i] * (p->g[i] + dot_n(row, x, i) + row[i] * x[i] / 2);
  }
  return value;
}

static void clamp(mjtNum* x, const BoxProblem* p) {
  for (int i = 0; i < p->n; i++) {
    if (p->lower && x[i] < p->lower[i]) {
      x[i] = p->lower[i];
    } else if (p->upper && x[i] > p->upper[i]) {
      x[i] = p->upper[i];
    }
  }
}

// Returns 0 if the free part of H is not positive definite.
static int factor_free(const BoxProblem* p) {
  for (int i = 0; i < p->nfree; i++) {
    for (int j = 0; j <= i; j++) {
      p->R[i * p->nfree + j] = p->H[p->index[i] * p->n + p->index[j]];
    }
  }
  return mju_cholFactor(p->R, p->nfree, mjMINVAL) == p->nfree;
}

static int unbounded(mjtNum* x, BoxProblem* p) {
  p->nfree = p->n;
  for (int i = 0; i < p->n; i++) {
    p->index[i] = i;
    x[i] = -p->g[i];
  }
  if (!factor_free(p)) {
    return -1;
  }
  mju_cholSolve(x, p->R, x, p->n);
  return p->n;
}

// Sets the gradient at x and the clamped components. Returns 1 if the clamped set changed.
static int find_free(BoxProblem* p, const mjtNum* x) {
  mju_mulMatVec(p->grad, p->H, x, p->n, p->n);
  mju_addTo(p->grad, p->g, p->n);
  int changed = 0;
  p->nfree = 0;
  for (int i = 0; i < p->n; i++) {
    int clamped = (p->lower && x[i] == p->lower[i] && p->grad[i] > 0) ||
                  (p->upper && x[i] == p->upper[i] && p->grad[i] < 0);
    changed |= p->clamped[i] != clamped;
    p->clamped[i] = (mjtNum)clamped;
    if (!clamped) {
      p->index[p->nfree++] = i;
    }
  }
  return changed;
}

// search_f = -H_ff^-1 (g + H x_clamped)_f - x_f. Returns the squared norm of the free gradient.
static mjtNum find_direction(const BoxProblem* p, const mjtNum* x) {
  mjtNum* held = p->candidate;
  for (int i = 0; i < p->n; i++) {
    held[i] = p->clamped[i] == 0 ? 0 : x[i];
    p->search[i] = 0;
  }
  mjtNum norm2 = 0;
  for (int k = 0; k < p->nfree; k++) {
    int i = p->index[k];
    p->rhs[k] = p->g[i] + dot_n(p->H + (size_t)i * p->n, held, p->n);
    norm2 += p->grad[i] * p->grad[i];
  }
  mju_cholSolve(p->rhs, p->R, p->rhs, p->nfree);
  for (int k = 0; k < p->nfree; k++) {
    p->search[p->index[k]] = -p->rhs[k] - x[p->index[k]];
  }
  return norm2;
}

// Moves x by the first of the steps 1, 1/2, ... that lowers f enough: by at least the armijo
// fraction of what slope predicts for the next, halved step. Returns 0 if no step does; x is then
// moved by the smallest.
static int line_search(mjtNum* x, mjtNum value[1], const BoxProblem* p, mjtNum slope) {
  mjtNum step = 1, improvement = 0, before = *value;
  do {
    mju_addScl(p->candidate, x, p->search, step, p->n);
    clamp(p->candidate, p);
    *value = objective(p, p->candidate);
    step *= backtrack;
    improvement = (*value - before) / (step * slope);
  } while (step >= min_step && improvement < armijo);
  mju_copy(x, p->candidate, p->n);
  return step >= min_step;
}

static int bounded(mjtNum* x, BoxProblem* p) {
  clamp(x, p);
  mju_fill(p->clamped, -1, p->n);
  mjtNum value = objective(p, x);
  for (int iteration = 0; iteration < max_iterations; iteration++) {
    int changed = find_free(p, x);
    if (p->nfree == 0) {
      return 0;
    }
    if (changed && !factor_free(p)) {
      return -1;
    }
    if (find_direction(p, x) < min_gradient) {
      return p->nfree;
    }
    mjtNum slope = dot_n(p->search, p->grad, p->n);
    if (slope >= 0) {
      return -1;
    }
    if (!line_search(x, &value, p, slope)) {
      return p->nfree;
    }
  }
  return p->nfree;
}

int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
              const mjtNum* lower, const mjtNum* upper) {
  if (n <= 0) {
    mju_error("mju_boxQP: problem size %d is not positive", n);
  }
  for (int i = 0; lower && upper && i < n; i++) {
    if (lower[i] >= upper[i]) {
      mju_error("mju_boxQP: lower bound %d, %g, is not below the upper one, %g", i,
                (double)lower[i], (double)upper[i]);
    }
  }

  // Seven vectors of work space follow R. The sixth holds the index if the caller gives no array.
  mjtNum* room = R + (size_t)n * n;
  BoxProblem problem = {.n = n,
                        .H = H,
                        .g = g,
                        .lower = lower,
                        .upper = upper,
                        .R = R,
                        .index = index ? index : (int*)(void*)(room + 5 * n),
                        .grad = room,
                        .search = room + n,
                        .candidate = room + 2 * n,
                        .rhs = room + 3 * n,
                        .clamped = room + 4 * n};
  return lower || upper ? bounded(res, &problem) : unbounded(res, &problem);
}

void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n,
                     mjtNum** lower, mjtNum** upper) {
  if (n < 1) {
    mju_error("mju_boxQPmalloc: n is %d, must be at least 1", n);
    return;
  }
  size_t vector = (size_t)n * sizeof(mjtNum);
  *res = mju_malloc(vector);
  *R = mju_malloc(vector * (size_t)(n + 7));
  *H = mju_malloc(vector * (size_t)n);
  *g = mju_malloc(vector);
  if (index) {
    *index = mju_malloc((size_t)n * sizeof(int));
  }
  if (lower) {
    *lower = mju_malloc(vector);
  }
  if (upper) {
    *upper = mju_malloc(vector);
  }
}
