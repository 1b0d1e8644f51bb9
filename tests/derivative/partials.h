// partials.h: derivatives of constraint forces as what they are defined to be, for tests.
//
// F(q, v, x) = J' f is computed by the engine's own stages; its differences over two steps are
// combined so that the error is of the fourth order in the step (Richardson). Columns where rows
// come or go, where a row changes its zone or where the search for a contact jumps within the step
// are left out.

#pragma once

#include <mujoco/mujoco.h>

#include "constraint/law/law.h"
#include "derivative/constraint/constraint.h"
#include "support/caught.h"
#include "support/zoo.h"

// What is compared, and how it went.
typedef struct Partials_ {
  const mjModel* m;
  mjData *d, *work;  // the state, of which mj_forward has been run; scratch
  const mjtNum* x;   // accelerations
  int (*refine)(const mjModel*,
                mjData*);  // makes contacts better than their search; 0 if it can't; may be NULL
  double worst[3];         // largest error of F_q, F_v, H_c, relative to their columns
  int compared, kinks;
} Partials;

enum {
  PARTIALS_ROWS = 2000
};

// FNV-1a
static unsigned long long partials_mix(unsigned long long hash, int x) {
  return (hash ^ (unsigned)(x + 100)) * 1099511628211ull;
}

// F at the positions and velocities of work; returns what must not change within a step, 0 if
// contacts can't be refined.
static unsigned long long partials_force(mjtNum* F, Partials* p, const mjtNum* x) {
  static mjtNum y[PARTIALS_ROWS], f[PARTIALS_ROWS];
  static int zone[PARTIALS_ROWS];
  const mjModel* m = p->m;
  mjData* d = p->work;
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
  mj_tendon(m, d);
  mj_collision(m, d);
  if (p->refine && !p->refine(m, d)) {
    return 0;
  }
  mj_makeConstraint(m, d);
  mj_referenceConstraint(m, d);
  mju_zero(F, m->nv);
  assert_that(d->nefc, <=, PARTIALS_ROWS);
  unsigned long long hash = 14695981039346656037ull;
  if (d->nefc) {
    Rows rows = rows_whole(m, d);
    mj_mulJacVec(m, d, y, x);
    mju_subFrom(y, d->efc_aref, d->nefc);
    law_cost(f, zone, &rows, y, 0);
    mj_mulJacTVec(m, d, F, f);
  }
  for (int i = 0; i < d->nefc; i++) {
    hash = partials_mix(partials_mix(partials_mix(hash, d->efc_type[i]), d->efc_id[i]), zone[i]);
  }
  for (int i = 0; i < d->ncon; i++) {
    hash = partials_mix(partials_mix(hash, d->contact[i].geom[0]), d->contact[i].geom[1]);
  }
  return hash | 1;
}

// dF for a step of dof j: of positions (kind 0), velocities (1) or accelerations (2); 0 if rows
// change.
static inline int partials_step(mjtNum* F, Partials* p, int kind, int j, mjtNum step,
                                unsigned long long hash) {
  const mjModel* m = p->m;
  mjtNum *x = mju_malloc(m->nv * sizeof(mjtNum)), *dq = mju_malloc(m->nv * sizeof(mjtNum));
  mju_copy(x, p->x, m->nv);
  mju_copy(p->work->qpos, p->d->qpos, m->nq);
  mju_copy(p->work->qvel, p->d->qvel, m->nv);
  mju_zero(dq, m->nv);
  dq[j] = step;
  if (kind == 0) {
    mj_integratePos(m, p->work->qpos, dq, 1);
  } else {
    (kind == 1 ? p->work->qvel : x)[j] += step;
  }
  int same = partials_force(F, p, x) == hash;
  mju_free(x);
  mju_free(dq);
  return same;
}

// (4 D(h/2) - D(h)) / 3 with D the centered difference; 0 if these two are far apart, so that
// something jumps between them. Numbers below least are nothing.
static inline int partials_column(mjtNum* column, Partials* p, int kind, int j, mjtNum h,
                                  double least, unsigned long long hash) {
  int nv = p->m->nv, ok = 1;
  mjtNum* F = mju_malloc(4 * nv * sizeof(mjtNum));
  const mjtNum step[4] = {h, -h, h / 2, -h / 2};
  for (int i = 0; i < 4 && ok; i++) {
    ok = partials_step(F + i * nv, p, kind, j, step[i], hash);
  }
  double jump = 0, size = least;
  for (int k = 0; k < nv && ok; k++) {
    mjtNum wide = (F[k] - F[nv + k]) / (2 * h), narrow = (F[2 * nv + k] - F[3 * nv + k]) / h;
    column[k] = (4 * narrow - wide) / 3;
    jump = fmax(jump, fabs(wide - narrow));
    size = fmax(size, fabs(narrow));
  }
  ok = ok && jump < 0.01 * size;
  mju_free(F);
  return ok;
}

// The derivatives of lambda . F are those of F, multiplied by lambda.
static inline void partials_compareDual(const Partials* p, const mjtNum* A) {
  int nv = p->m->nv;
  mjtNum *lambda = mju_malloc(7 * nv * sizeof(mjtNum)), *rate = lambda + nv,
         *expected = rate + 3 * nv;
  for (int i = 0; i < nv; i++) {
    lambda[i] = (mjtNum)sin(1 + 3 * i);
  }
  mju_zero(rate, 3 * nv);
  constraint_vjp(p->m, p->d, p->x, NULL, lambda, rate, rate + nv, rate + 2 * nv, NULL);
  for (int kind = 0; kind < 3; kind++) {
    mju_mulMatTVec(expected, A + kind * nv * nv, lambda, nv, nv);
    double size = largest_of(A + kind * nv * nv, nv * nv);
    assert_numbers(rate + kind * nv, expected, nv, 1e-9, size + 1e-9);
  }
  mju_free(lambda);
}

// H_c alone is the same.
static inline void partials_compareStiffness(const Partials* p, const mjtNum* A) {
  int n = p->m->nv * p->m->nv;
  mjtNum* H = mju_malloc(n * sizeof(mjtNum));
  mju_zero(H, n);
  constraint_stiffness(p->m, p->d, p->x, NULL, H);
  mju_scl(H, H, -1, n);
  assert_numbers(H, A + 2 * n, n, 1e-12, largest_of(A + 2 * n, n) + 1e-9);
  mju_free(H);
}

// Compares all columns of the state in p->d.
static inline void partials_compare(Partials* p) {
  const mjModel* m = p->m;
  int nv = m->nv;
  mjtNum *A = mju_malloc((3 * nv + 2) * nv * sizeof(mjtNum)), *column = A + 3 * nv * nv,
         *F = column + nv;
  mj_copyData(p->work, m, p->d);
  unsigned long long hash = partials_force(F, p, p->x);
  if (!hash) {
    mju_free(A);
    return;
  }
  if (p->refine) {
    p->refine(m, p->d);
    mj_makeConstraint(m, p->d);
    mj_referenceConstraint(m, p->d);
  }
  mju_zero(A, 3 * nv * nv);
  p->kinks += constraint_partials(m, p->d, p->x, NULL, A, A + nv * nv, A + 2 * nv * nv);
  mju_scl(A + 2 * nv * nv, A + 2 * nv * nv, -1, nv * nv);
  partials_compareDual(p, A);
  partials_compareStiffness(p, A);
  for (int kind = 0; kind < 3; kind++) {
    double largest = largest_of(A + kind * nv * nv, nv * nv) + 1e-9;
    for (int j = 0; j < nv; j++) {
      double best = INFINITY;
      for (double h = kind ? 1e-3 : 3e-4; h > 1e-6; h /= 10) {
        if (!partials_column(column, p, kind, j, (mjtNum)h, 1e-3 * largest, hash)) {
          continue;
        }
        // columns that are nothing are rounding of others
        double size = 1e-3 * largest, gap = 0;
        for (int k = 0; k < nv; k++) {
          double exact = A[(kind * nv + k) * nv + j];
          size = fmax(size, fmax(fabs(exact), fabs(column[k])));
          gap = fmax(gap, fabs(exact - column[k]));
        }
        best = fmin(best, gap / size);
      }
      if (best < INFINITY) {
        p->worst[kind] = fmax(p->worst[kind], best);
        p->compared++;
      }
    }
  }
  mju_free(A);
}

// states

static unsigned partials_seed = 1;

// in [-1, 1], always the same sequence after a seed
static double partials_random(void) {
  partials_seed = partials_seed * 1664525u + 1013904223u;
  return (partials_seed >> 8) / 8388608.0 - 1;
}

// Moves the positions of d by random amounts of that size, and sets random velocities.
static inline void partials_scatter(const mjModel* m, mjData* d, double size, double speed) {
  mjtNum* dq = mju_malloc(m->nv * sizeof(mjtNum));
  for (int i = 0; i < m->nv; i++) {
    dq[i] = (mjtNum)(size * partials_random());
    d->qvel[i] = (mjtNum)(speed * partials_random());
  }
  mj_integratePos(m, d->qpos, dq, 1);
  mju_free(dq);
}

// Compares the state in d at accelerations near its own.
static inline void partials_state(Partials* p) {
  const mjModel* m = p->m;
  mj_forward(m, p->d);
  mjtNum* x = mju_malloc(m->nv * sizeof(mjtNum));
  for (int i = 0; i < m->nv; i++) {
    x[i] = p->d->qacc[i] + (mjtNum)(0.05 * partials_random() * (1 + fabs(p->d->qacc[i])));
  }
  p->x = x;
  partials_compare(p);
  p->x = NULL;
  mju_free(x);
}

// Fails unless something was compared and agrees.
static inline void partials_assert(const Partials* p, const char* label, double tolerance) {
  double worst = fmax(p->worst[0], fmax(p->worst[1], p->worst[2]));
  if (p->compared == 0 || !(worst <= tolerance)) {
    fail_msg("%d columns compared, F_q differs by %g, F_v by %g, H by %g: %s", p->compared,
             p->worst[0], p->worst[1], p->worst[2], label);
  }
}
