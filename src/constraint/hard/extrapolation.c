// Anderson's method: least squares over the differences of the last sweeps, by normal equations.

#include "constraint/hard/extrapolation.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"

Iterates iterates_make(const HardProblem* p) {
  Iterates h = {.n = 0};
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

void iterates_forget(Iterates* h) {
  h->n = h->next = h->known = 0;
}

void iterates_add(Iterates* h, const HardProblem* p, const int* list, int nlist) {
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

// f = g - sum of c_i dg_i, with the c that make the change |r - sum of c_i dr_i| least
void iterates_extrapolate(Iterates* h, HardProblem* p, const int* list, int nlist) {
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
