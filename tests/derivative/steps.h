// steps.h: derivatives of whole steps as what they are defined to be, for tests.
//
// Centered differences over two widths, combined so that the error is of the fourth order
// (Richardson). Where both differ by much a kink lies between: such entries are not judged, and
// counted.

#pragma once

#include <condyle/derivative.h>

#include "support/caught.h"
#include "support/zoo.h"

// The derivative of a step at one state: rows of the next state and the sensors, columns of state
// and control.
typedef struct Steps_ {
  const mjModel* m;
  mjData *d, *work;
  int nx, nu, ns, ny;     // of the state, controls, sensors; rows
  mjtNum *A, *B, *C, *D;  // exact
  mjtNum *y[4], *start;
  int judged, left, kinks;
  double worst;
} Steps;

enum {
  STEPS_SPEC = mjSTATE_INTEGRATION
};

static Steps steps_make(const mjModel* m) {
  Steps s = {.m = m, .d = mj_makeData(m), .work = mj_makeData(m)};
  s.nx = 2 * m->nv + m->na;
  s.nu = m->nu;
  s.ns = m->nsensordata;
  s.ny = s.nx + s.ns;
  size_t rows = (size_t)s.ny, columns = (size_t)(s.nx + s.nu);
  s.A = calloc(rows * columns + 1, sizeof(mjtNum));
  s.B = s.A + s.nx * s.nx;
  s.C = s.B + s.nx * s.nu;
  s.D = s.C + s.ns * s.nx;
  for (int i = 0; i < 4; i++) {
    s.y[i] = calloc((size_t)(m->nq + m->nv + m->na + s.ns + 1), sizeof(mjtNum));
  }
  s.start = calloc((size_t)mj_stateSize(m, STEPS_SPEC), sizeof(mjtNum));
  return s;
}

static void steps_free(Steps* s) {
  mj_deleteData(s->d);
  mj_deleteData(s->work);
  free(s->A);
  free(s->start);
  for (int i = 0; i < 4; i++) {
    free(s->y[i]);
  }
}

// y = (qpos, qvel, act) after a step, and the sensors before it, with one input moved
static void steps_evaluate(mjtNum* y, Steps* s, int column, mjtNum by) {
  const mjModel* m = s->m;
  mjData* d = s->work;
  int nv = m->nv;
  mj_setState(m, d, s->start, STEPS_SPEC);
  if (column < nv) {
    mjtNum* unit = calloc((size_t)nv, sizeof(mjtNum));
    unit[column] = 1;
    mj_integratePos(m, d->qpos, unit, by);
    free(unit);
  } else if (column < 2 * nv) {
    d->qvel[column - nv] += by;
  } else if (column < s->nx) {
    d->act[column - 2 * nv] += by;
  } else {
    d->ctrl[column - s->nx] += by;
  }
  mj_forward(m, d);
  mju_copy(y + m->nq + nv + m->na, d->sensordata, s->ns);
  if (m->opt.integrator == mjINT_RK4) {
    mj_RungeKutta(m, d, 4);
  } else if (m->opt.integrator == mjINT_DISCRETE) {
    mj_step(m, d);
  } else if (m->opt.integrator == mjINT_EULER) {
    mj_Euler(m, d);
  } else {
    mj_implicit(m, d);
  }
  mju_copy(y, d->qpos, m->nq);
  mju_copy(y + m->nq, d->qvel, nv);
  mju_copy(y + m->nq + nv, d->act, m->na);
}

// one column by centered differences of width 2 h
static void steps_difference(mjtNum* out, Steps* s, int column, mjtNum h) {
  const mjModel* m = s->m;
  steps_evaluate(s->y[0], s, column, -h);
  steps_evaluate(s->y[1], s, column, h);
  mj_differentiatePos(m, out, 2 * h, s->y[0], s->y[1]);
  for (int i = m->nv; i < s->ny; i++) {
    int at = i - m->nv + m->nq;
    out[i] = (s->y[1][at] - s->y[0][at]) / (2 * h);
  }
}

static mjtNum steps_exact(const Steps* s, int row, int column) {
  int sensor = row - s->nx;
  if (column < s->nx) {
    return sensor < 0 ? s->A[row * s->nx + column] : s->C[sensor * s->nx + column];
  }
  column -= s->nx;
  return sensor < 0 ? s->B[row * s->nu + column] : s->D[sensor * s->nu + column];
}

// Compares all entries of a state with s->d as it is, relative to the largest of their row among
// inputs of one kind.
static inline void steps_compare(Steps* s) {
  const mjModel* m = s->m;
  int columns = s->nx + s->nu, first[5] = {0, m->nv, 2 * m->nv, s->nx, columns};
  const mjtNum h = (mjtNum)2e-4;
  mjtNum* wide = calloc((size_t)(columns * s->ny + 1), sizeof(mjtNum));
  mjtNum* narrow = calloc((size_t)(columns * s->ny + 1), sizeof(mjtNum));
  mj_forward(m, s->d);
  mju_copy(s->d->qacc_warmstart, s->d->qacc, m->nv);
  mj_getState(m, s->d, s->start, STEPS_SPEC);
  s->kinks += cnd_transitionExact(m, s->d, s->A, s->B, s->C, s->D);
  for (int j = 0; j < columns; j++) {
    steps_difference(wide + j * s->ny, s, j, h);
    steps_difference(narrow + j * s->ny, s, j, h / 2);
  }
  for (int i = 0; i < s->ny; i++) {
    for (int kind = 0; kind < 4; kind++) {
      double size = 1e-4;
      for (int j = first[kind]; j < first[kind + 1]; j++) {
        size = fmax(size, fabs((double)narrow[j * s->ny + i]));
      }
      for (int j = first[kind]; j < first[kind + 1]; j++) {
        double a = (double)wide[j * s->ny + i], b = (double)narrow[j * s->ny + i];
        if (!(fabs(a - b) < 3e-5 * size)) {
          s->left++;
          continue;
        }
        s->judged++;
        s->worst = fmax(s->worst, fabs(steps_exact(s, i, j) - (4 * b - a) / 3) / size);
      }
    }
  }
  free(wide);
  free(narrow);
}

// Moves all coordinates of s->d at random, at most so much; velocities, activations, controls and
// applied forces too.
static void steps_scatter(Steps* s, unsigned* seed, mjtNum size) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  mjtNum* v = calloc((size_t)m->nv + 1, sizeof(mjtNum));
#define STEPS_RANDOM() ((mjtNum)((*seed = *seed * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1)
  for (int i = 0; i < m->nv; i++) {
    v[i] = size * STEPS_RANDOM();
    d->qvel[i] = 3 * size * STEPS_RANDOM();
    d->qfrc_applied[i] = (mjtNum)0.1 * STEPS_RANDOM();
  }
  mj_integratePos(m, d->qpos, v, 1);
  for (int i = 6; i < 6 * m->nbody; i++) {
    d->xfrc_applied[i] = (mjtNum)0.1 * STEPS_RANDOM();
  }
  for (int i = 0; i < m->na; i++) {
    d->act[i] = (mjtNum)0.5 + (mjtNum)0.4 * STEPS_RANDOM();
  }
  for (int i = 0; i < m->nu; i++) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * i;
    mjtNum at = (mjtNum)0.45 * STEPS_RANDOM();
    d->ctrl[i] =
        m->actuator_ctrllimited[i] ? (range[0] + range[1]) / 2 + at * (range[1] - range[0]) : at;
  }
#undef STEPS_RANDOM
  free(v);
}

// So many random states of a model.
static inline void steps_check(mjModel* m, const char* name, int states) {
  unsigned seed = 5;
  m->opt.tolerance = 0;
  Steps s = steps_make(m);
  for (int i = 0; i < states; i++) {
    mj_resetData(m, s.d);
    steps_scatter(&s, &seed, (mjtNum)0.3);
    steps_compare(&s);
  }
  if (!(s.worst < 1e-6) || s.left > s.judged / 10) {
    fail_msg("%s, integrator %d: an entry is off by %g of its row; %d judged, %d not, %d kinks",
             name, m->opt.integrator, s.worst, s.judged, s.left, s.kinks);
  }
  steps_free(&s);
}

// A file of tests/models or models, with every integrator.
static inline void steps_checkFile(const char* file, int states) {
  mjModel* m = test_model_file("%s", file);
  for (int i = mjINT_EULER; i <= mjINT_IMPLICITFAST; i++) {
    m->opt.integrator = i;
    steps_check(m, file, states);
  }
  test_release(m);
}
