// batch.c: steps per second of a batch, beside those of a loop of mj_step on one mjData.
//
//   batch MODEL.xml WORLDS THREADS
//
// Loop and batch take turns, so that a busy machine slows both; the best of each counts. Both make
// single steps, so that loading and storing a world is paid for each of them.

#include <condyle/batch.h>
#include <stdlib.h>

#include "common.h"

enum {
  ROUNDS = 15
};

// Seconds of a loop of steps.
static double time_loop(const mjModel* m, mjData* d, int steps) {
  double start = now();
  for (int k = 0; k < steps; k++) {
    mj_step(m, d);
  }
  return now() - start;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fputs("usage: batch MODEL.xml WORLDS THREADS\n", stderr);
    return 2;
  }
  mjData* d = NULL;
  mjModel* m = load(&d, argv[1]);
  int n = atoi(argv[2]), nthread = atoi(argv[3]), steps = 0;
  cndBatch* batch = cnd_makeBatch(m, n, nthread);
  double loop = 1e9, best = 1e9;

  // about a tenth of a second each
  double once = time_loop(m, d, 20) / 20;
  steps = (int)(0.1 / (once * n)) + 1;
  for (int round = 0; round < ROUNDS; round++) {
    mj_resetData(m, d);
    double time = 0;
    for (int world = 0; world < n; world++) {
      mj_resetData(m, d);
      time += time_loop(m, d, steps);
    }
    loop = time < loop ? time : loop;
    cnd_batchReset(batch, NULL, -1);
    double start = now();
    for (int k = 0; k < steps; k++) {
      cnd_batchStep(batch, NULL, NULL, 1);
    }
    time = now() - start;
    best = time < best ? time : best;
  }
  double all = (double)n * steps;
  printf("%-40s %4d worlds, %d threads: loop %8.0f steps/s, batch %8.0f (%.3f)\n", argv[1], n,
         nthread, all / loop, all / best, loop / best);
  cnd_deleteBatch(batch);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
