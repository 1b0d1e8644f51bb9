// derive.c: times the derivatives of a step at one state; compiled once against Condyle and once
// against the reference.
//
//   derive MODEL
//
// Prints one line of JSON: microseconds of a step and of its derivatives, the least of many calls.

#include <math.h>

#include "common.h"
#if __has_include(<condyle/derivative.h>)
#include <condyle/derivative.h>
#define EXACT 1
#endif

enum {
  CALLS = 2000  // fewer if they take more than a second
};

typedef struct Task_ {
  const mjModel* m;
  mjData* d;
  mjtNum *start, *A, *B, *weight, *gradient;
} Task;

static void step(Task* t) {
  mj_step(t->m, t->d);
}

static void differences(Task* t) {
  mjd_transitionFD(t->m, t->d, (mjtNum)1e-6, 0, t->A, t->B, NULL, NULL);
}

#ifdef EXACT
static void exact(Task* t) {
  cnd_transitionExact(t->m, t->d, t->A, t->B, NULL, NULL);
}

static void adjoint(Task* t) {
  mjtNum* dctrl = t->gradient + 2 * t->m->nv + t->m->na;
  cnd_transitionAdjoint(t->m, t->d, t->weight, NULL, t->gradient, dctrl, NULL);
}
#endif

static double least(Task* t, void (*run)(Task*)) {
  double best = HUGE_VAL, begin = now();
  for (int i = 0; i < CALLS && now() - begin < 1; i++) {
    mj_setState(t->m, t->d, t->start, mjSTATE_INTEGRATION);
    double start = now();
    run(t);
    best = fmin(best, now() - start);
  }
  return 1e6 * best;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: derive MODEL\n");
    return 2;
  }
  mjData* d;
  mjModel* m = load(&d, argv[1]);
  settle(m, d);
  size_t nx = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu;
  Task t = {m, d};
  mjtNum* room =
      calloc((size_t)mj_stateSize(m, mjSTATE_INTEGRATION) + (nx + 2) * (nx + nu), sizeof(mjtNum));
  if (!room) {
    return 1;
  }
  t.A = room;
  t.B = t.A + nx * nx;
  t.weight = t.B + nx * nu;
  t.gradient = t.weight + nx;
  t.start = t.gradient + nx + nu;
  for (size_t i = 0; i < nx; i++) {
    t.weight[i] = (mjtNum)(i % 7) / 3 - 1;
  }
  mj_getState(m, d, t.start, mjSTATE_INTEGRATION);

  printf("{\"nv\": %d, \"rows\": %d, \"step\": %.2f, \"differences\": %.2f", (int)m->nv,
         (int)d->nefc, least(&t, step), least(&t, differences));
#ifdef EXACT
  printf(", \"exact\": %.2f, \"adjoint\": %.2f", least(&t, exact), least(&t, adjoint));
#endif
  puts("}");
  free(room);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
