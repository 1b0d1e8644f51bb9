// lanes.c: time of a step of one world on one core: world by world, and in lanes.
//
//   lanes WORLDS MODEL.xml ...
//
// The worlds have different states and random controls, new ones for every call. The ways take
// turns; each call of a way begins at the same states, and of many the best counts, so that a busy
// machine disturbs none.

#include <condyle/batch.h>
#include <string.h>

#include "common.h"

enum {
  ROUNDS = 40,
  CALLS = 8,
  STEPS = 4,
  SETTLE = 40,  // calls before the states that are timed
  NWAY = 3
};

static const char* const kWay[NWAY] = {"scalar", "double", "single"};

static double uniform(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1;
}

static void draw_controls(mjtNum* ctrl, const mjModel* m, int n, unsigned* seed) {
  for (int i = 0; i < n * m->nu; i++) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * (i % m->nu);
    double half = m->actuator_ctrllimited[i % m->nu] ? (range[1] - range[0]) / 2 : 1;
    ctrl[i] = (mjtNum)(0.5 * half * uniform(seed));
  }
}

static void measure(const char* file, int n) {
  mjData* d = NULL;
  mjModel* m = load(&d, file);
  mjtNum* ctrl[SETTLE + CALLS];
  unsigned seed = 1;
  for (int k = 0; k < SETTLE + CALLS; k++) {
    ctrl[k] = malloc((size_t)(n * m->nu + 1) * sizeof(mjtNum));
    draw_controls(ctrl[k], m, n, &seed);
  }
  cndBatch* batch = cnd_makeBatch(m, n, 1);
  cnd_batchLanes(batch, cndLANES_OFF);
  for (int k = 0; k < SETTLE; k++) {
    cnd_batchStep(batch, NULL, ctrl[k], STEPS);
  }
  unsigned int sig = mjSTATE_INTEGRATION;
  mjtNum* start = malloc((size_t)n * (size_t)mj_stateSize(m, sig) * sizeof(mjtNum));
  cnd_batchGetState(batch, NULL, start, sig);
  double best[NWAY][CALLS];
  int lanes[NWAY] = {0};
  for (int way = 0; way < NWAY; way++) {
    for (int k = 0; k < CALLS; k++) {
      best[way][k] = 1e9;
    }
  }
  const char* why = NULL;
  for (int round = 0; round < ROUNDS; round++) {
    for (int way = 0; way < NWAY; way++) {
      lanes[way] = cnd_batchLanes(batch, (cndtLanes)way);
      why = way ? cnd_batchWhy(batch) : NULL;
      cnd_batchSetState(batch, NULL, start, sig);
      for (int k = 0; k < CALLS; k++) {
        double begin = now();
        cnd_batchStep(batch, NULL, ctrl[SETTLE + k], STEPS);
        double time = now() - begin;
        best[way][k] = time < best[way][k] ? time : best[way][k];
      }
    }
  }
  double sum[NWAY] = {0};
  printf("%-40s", file);
  for (int way = 0; way < NWAY; way++) {
    for (int k = 0; k < CALLS; k++) {
      sum[way] += best[way][k] * 1e9 / (n * STEPS * CALLS);
    }
    printf("  %s %8.0f ns (%.2f)", kWay[way], sum[way], sum[0] / sum[way]);
  }
  printf("  %d, %d lanes%s%s\n", lanes[1], lanes[2], why ? ": " : "", why ? why : "");
  cnd_deleteBatch(batch);
  for (int k = 0; k < SETTLE + CALLS; k++) {
    free(ctrl[k]);
  }
  free(start);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fputs("usage: lanes WORLDS MODEL.xml ...\n", stderr);
    return 2;
  }
  for (int i = 2; i < argc; i++) {
    measure(argv[i], atoi(argv[1]));
  }
  return 0;
}
