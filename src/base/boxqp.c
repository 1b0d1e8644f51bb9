#include <string.h>

#include "base/dense.h"
#include "base/vec.h"

// Minimize f(x) = x' H x / 2 + g' x within lower <= x <= upper, by projected Newton: components
// that press against their bound are clamped, the others (free) take a Newton step, cut back at
// the bounds until it gains enough (Tassa, Mansard and Todorov, Control-Limited Differential
// Dynamic Programming, 2014).                                                  spec 07, section 5.7

static const int max_iterations = 100;
#ifndef mjUSESINGLE
static const mjtNum min_gradient = 1e-16;  // squared norm, of the free components
#else
static const mjtNum min_gradient = 1e-9f;
#endif
static const mjtNum backtrack = (mjtNum)0.5;
static const mjtNum min_step = (mjtNum)1e-22;
static const mjtNum armijo = (mjtNum)0.1;

typedef struct Problem_ {
  int n;
  const mjtNum* H;
  const mjtNum* g;
  const mjtNum* lower;
  const mjtNum* upper;
} Problem;

// f(x) from the lower triangle of H
static mjtNum objective(const Problem* p, const mjtNum* x) {
  mjtNum value = 0;
  for (int i = 0; i < p->n; i++) {
    const mjtNum* row = p->H + i * p->n;
    value += x[i] * (p->g[i] + dot_n(row, x, i) + row[i] * x[i] / 2);
  }
  return value;
}

static void clamp(mjtNum* x, const Problem* p) {
  for (int i = 0; i < p->n; i++) {
    if (p->lower && x[i] < p->lower[i]) {
      x[i] = p->lower[i];
    } else if (p->upper && x[i] > p->upper[i]) {
      x[i] = p->upper[i];
    }
  }
}

// R = Cholesky factor of H restricted to the free components, packed. Returns its rank.
static int factor_free(mjtNum* R, const Problem* p, const int* index, int nfree) {
  for (int i = 0; i < nfree; i++) {
    for (int j = 0; j <= i; j++) {
      R[i * nfree + j] = p->H[index[i] * p->n + index[j]];
    }
  }
  return chol_factor(R, nfree, mjMINVAL);
}

static int unbounded(mjtNum* res, mjtNum* R, int* index, const Problem* p) {
  for (int i = 0; i < p->n; i++) {
    index[i] = i;
    res[i] = -p->g[i];
  }
  if (factor_free(R, p, index, p->n) < p->n) {
    return -1;
  }
  chol_solve(res, R, res, p->n);
  return p->n;
}

int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
              const mjtNum* lower, const mjtNum* upper) {
  Problem problem = {n, H, g, lower, upper};
  const Problem* p = &problem;
  if (n <= 0) {
    mju_error("mju_boxQP: problem size %d is not positive", n);
  }
  for (int i = 0; lower && upper && i < n; i++) {
    if (lower[i] >= upper[i]) {
      mju_error("mju_boxQP: lower bound %d is not below the upper one", i);
    }
  }
  if (!lower && !upper) {
    return unbounded(res, R, index, p);
  }

  // behind R: gradient, search direction, candidate, right-hand side, 1 where clamped (now, before)
  mjtNum *grad = R + n * n, *search = grad + n, *candidate = search + n, *rhs = candidate + n;
  mjtNum *clamped = rhs + n, *clamped_before = clamped + n;

  clamp(res, p);
  mjtNum value = objective(p, res);
  int nfree = 0;
  for (int iteration = 0; iteration < max_iterations; iteration++) {
    dense_mulv(grad, H, res, n, n);
    mju_addTo(grad, g, n);

    nfree = 0;
    for (int i = 0; i < n; i++) {
      clamped[i] = (lower && res[i] == lower[i] && grad[i] > 0) ||
                   (upper && res[i] == upper[i] && grad[i] < 0);
      if (clamped[i] == 0) {
        index[nfree++] = i;
      }
    }
    if (nfree == 0) {
      return 0;
    }
    if (iteration == 0 || memcmp(clamped, clamped_before, (size_t)n * sizeof(mjtNum)) != 0) {
      if (factor_free(R, p, index, nfree) < nfree) {
        return -1;
      }
      mju_copy(clamped_before, clamped, n);
    }

    // search_f = -H_ff^-1 (g + H x_clamped)_f - x_f
    for (int i = 0; i < n; i++) {
      candidate[i] = clamped[i] == 0 ? 0 : res[i];
      search[i] = 0;
    }
    mjtNum norm2 = 0;
    for (int i = 0; i < nfree; i++) {
      rhs[i] = g[index[i]] + dot_n(H + index[i] * n, candidate, n);
      norm2 += grad[index[i]] * grad[index[i]];
    }
    chol_solve(rhs, R, rhs, nfree);
    for (int i = 0; i < nfree; i++) {
      search[index[i]] = -rhs[i] - res[index[i]];
    }
    if (norm2 < min_gradient) {
      return nfree;
    }
    mjtNum slope = dot_n(search, grad, n);
    if (slope >= 0) {
      return -1;
    }

    // the gain is measured against the step that would come next
    mjtNum step = 1, improvement;
    mjtNum value_before = value;
    do {
      mju_addScl(candidate, res, search, step, n);
      clamp(candidate, p);
      value = objective(p, candidate);
      step *= backtrack;
      if (step < min_step) {
        break;
      }
      improvement = (value - value_before) / (step * slope);
    } while (improvement < armijo);
    mju_copy(res, candidate, n);
    if (step < min_step) {
      return nfree;
    }
  }
  return nfree;
}

void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n,
                     mjtNum** lower, mjtNum** upper) {
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
