// Farkas' lemma: forces that no motion feels, Y' d = 0, but whose constraints would do work on what
// they ask for, d . b < 0, prove that no motion z obeys Y z + b >= 0. Newton's steps for the
// smoothed problem without friction find such forces: nothing stops them there, and they grow.

#include "constraint/hard/contradiction.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/hard/smooth_law.h"

// A motion of so many times what single constraints need counts as none.
#define ENORMOUS ((mjtNum)1e5)

// The problem of normals, limits and equalities alone, from zero forces. Returns the number of its
// blocks; those of friction loss are left out.
static int make_frictionless(HardProblem* p, int* list, const HardProblem* of, const int* blocks,
                             int nblock) {
  HardBlock* block = mj_stackAllocByte(of->d, of->nblock * sizeof(HardBlock), _Alignof(HardBlock));
  int n = 0;
  memcpy(block, of->block, of->nblock * sizeof(HardBlock));
  *p = *of;
  p->block = block;
  p->f = mj_stackAllocNum(of->d, of->nrow);
  p->w = mj_stackAllocNum(of->d, of->nrow);
  mju_zero(p->f, of->nrow);
  mju_copy(p->w, of->b, of->nrow);
  for (int l = 0; l < nblock; l++) {
    HardBlock* to = block + blocks[l];
    if (to->law == HARD_CONE) {
      to->law = HARD_PUSH;
      to->dim = 1;
    }
    if (to->law != HARD_BOUND && (to->law == HARD_FREE || p->weight[to->first] > 0)) {
      list[n++] = blocks[l];
    }
  }
  return n;
}

// For every motion z that obeys, 0 <= f . w = f . b + (Y' f) . z, so |z| is at least
// -f . b / |Y' f|, and |Y' f|^2 = f . (w - b).
static int is_proof(const HardProblem* p, const int* list, int nlist, mjtNum need) {
  mjtNum work = 0, square = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      if (block->law == HARD_PUSH && p->f[i] < 0) {
        return 0;
      }
      work += p->f[i] * p->b[i];
      square += p->f[i] * (p->w[i] - p->b[i]);
    }
  }
  return work < 0 && -work > ENORMOUS * need * mju_sqrt(num_max(0, square));
}

// A whole Newton's step of the smoothed laws.
static int step(HardDofs* e, mjtNum* change, mjtNum* motion, mjtNum tau) {
  HardProblem* p = e->p;
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = p->block + e->list[l];
    mjtNum missing[TANGENT_DIM];
    smooth_law(missing, e->tangent + l, block, p->weight + block->first, p->f + block->first,
               p->w + block->first, (Smoothing){tau, 1});
  }
  if (!dofs_factor(e) || !dofs_solve(e, change, motion)) {
    return 0;
  }
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = p->block + e->list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      p->f[i] += change[i];
      p->w[i] += motion[i];
    }
  }
  return 1;
}

int contradiction_proved(const HardProblem* p, const int* list, int nlist, mjtNum need) {
  enum {
    STEPS = 30
  };
  mjData* d = p->d;
  int proved = 0;
  mj_markStack(d);
  HardProblem without;
  HardDofs e;
  int* blocks = mj_stackAllocInt(d, nlist);
  int n = make_frictionless(&without, blocks, p, list, nlist);
  if (n && dofs_make(&e, &without, blocks, n)) {
    mjtNum* change = mj_stackAllocNum(d, p->nrow);
    mjtNum* motion = mj_stackAllocNum(d, p->nrow);
    for (int k = 0; k < STEPS && !proved && step(&e, change, motion, num_square(need)); k++) {
      proved = is_proof(&without, blocks, n, need);
    }
  }
  mj_freeStack(d);
  return proved;
}
