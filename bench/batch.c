// batch.c: steps per second of a batch, beside those of a loop of mj_step on one mjData.
//
//   batch MODEL.xml WORLDS THREADS
//
// Both make the same single steps from the start, so that loading and storing a world is paid for
// each of them. They take turns, and of many short runs the best counts: the k-th call of a batch,
// and a loop of all steps of one world. So a busy machine disturbs neither.

#include <condyle/batch.h>
#include <stdlib.h>

#include "common.h"

enum {
  ROUNDS = 40,
  STEPS = 20
};

static double least(double a, double b) {
  return a < b ? a : b;
}

// Seconds of the steps of one world.
static double time_loop(const mjModel* m, mjData* d) {
  mj_resetData(m, d);
  double start = now();
  for (int k = 0; k < STEPS; k++) {
    mj_step(m, d);
  }
  return now() - start;
}

// Lowers the seconds of each call of the batch.
static void time_batch(cndBatch* batch, double best[STEPS]) {
  cnd_batchReset(batch, NULL, -1);
  for (int k = 0; k < STEPS; k++) {
    double start = now();
    cnd_batchStep(batch, NULL, NULL, 1);
    best[k] = least(best[k], now() - start);
  }
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fputs("usage: batch MODEL.xml WORLDS THREADS\n", stderr);
    return 2;
  }
  mjData* d = NULL;
  mjModel* m = load(&d, argv[1]);
  int n = atoi(argv[2]), nthread = atoi(argv[3]);
  cndBatch* batch = cnd_makeBatch(m, n, nthread);
  double loop = 1e9, call[STEPS], all = 0;
  for (int k = 0; k < STEPS; k++) {
    call[k] = 1e9;
  }
  for (int round = 0; round < ROUNDS; round++) {
    for (int world = 0; world < n; world++) {
      loop = least(loop, time_loop(m, d));
    }
    time_batch(batch, call);
  }
  for (int k = 0; k < STEPS; k++) {
    all += call[k];
  }
  double steps = (double)n * STEPS;
  printf("%-40s %4d worlds, %d threads: loop %8.0f steps/s, batch %8.0f (%.3f)\n", argv[1], n,
         nthread, STEPS / loop, steps / all, loop * n / all);
  cnd_deleteBatch(batch);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
