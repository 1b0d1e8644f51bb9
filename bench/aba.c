// Time of forward dynamics for chains of hinges of more and more dofs: by articulated bodies
// (cnd_forwardAba), and by M and its factor (mj_crb, mj_factorM, mj_rne, mj_solveM) as long as
// these are bearable.
//
//   aba [DOFS ...]
//
// Prints microseconds, and nanoseconds a dof, the least of several runs.

#include <condyle/dynamics.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "long_chain.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// as the stages of a step do it
static void forward_by_factor(const mjModel* m, mjData* d, mjtNum* qacc) {
  mj_crb(m, d);
  mj_factorM(m, d);
  mj_rne(m, d, 0, d->qfrc_bias);
  for (int i = 0; i < m->nv; i++) {
    qacc[i] = d->qfrc_actuator[i] - d->qfrc_bias[i];
  }
  mj_solveM(m, d, qacc, qacc, 1);
}

static double least_time(void (*forward)(const mjModel*, mjData*, mjtNum*), const LongChain* chain,
                         mjtNum* qacc) {
  double least = HUGE_VAL, end = now() + 3e5;
  for (int run = 0; run < 3 || now() < end; run++) {
    double start = now();
    forward(&chain->m, chain->d, qacc);
    least = fmin(least, now() - start);
  }
  return least;
}

int main(int argc, char** argv) {
  static char* standard[] = {"10", "30", "100", "300", "1000", "3000", "10000"};
  char** sizes = argc > 1 ? argv + 1 : standard;
  int count = argc > 1 ? argc - 1 : (int)(sizeof standard / sizeof standard[0]);
  printf("%8s %14s %10s %14s %10s\n", "dofs", "ABA us", "ns/dof", "factor us", "ns/dof");
  for (int i = 0; i < count; i++) {
    int n = atoi(sizes[i]), factor = n <= 1000;
    if (n < 1) {
      fprintf(stderr, "aba: '%s' is no number of dofs\n", sizes[i]);
      return 1;
    }
    LongChain chain = make_chain(n, factor);
    mjtNum* qacc = long_array((size_t)n, sizeof(mjtNum));
    double aba = least_time(cnd_forwardAba, &chain, qacc);
    printf("%8d %14.2f %10.1f", n, aba, 1e3 * aba / n);
    if (factor) {
      double other = least_time(forward_by_factor, &chain, qacc);
      printf(" %14.2f %10.1f", other, 1e3 * other / n);
    }
    printf("\n");
    delete_chain(&chain);
    free(qacc);
  }
  return 0;
}
