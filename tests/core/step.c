// A program on binary models alone, for check.sh. It prints the same whichever library it is linked
// with: the whole one, the core, or the one file.
//
// usage: step STEPS FILE.mjb...
//
// For each model: a hash of its states in STEPS steps with noise for controls, one of the exact
// derivatives at the end (- where there are none), one of three worlds of a batch (not with
// NO_BATCH).

#ifdef ONE_FILE
#include "condyle.h"
#else
#include <condyle/batch.h>
#include <condyle/derivative.h>
#include <condyle/error.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NWORLD = 3
};

static uint64_t hash_numbers(uint64_t hash, const mjtNum* numbers, size_t n) {
  const unsigned char* byte = (const unsigned char*)numbers;
  for (size_t i = 0; i < n * sizeof(mjtNum); i++) {
    hash = (hash ^ byte[i]) * 1099511628211u;
  }
  return hash;
}

static uint64_t hash_state(uint64_t hash, const mjModel* m, const mjData* d) {
  hash = hash_numbers(hash, d->qpos, (size_t)m->nq);
  hash = hash_numbers(hash, d->qvel, (size_t)m->nv);
  hash = hash_numbers(hash, d->act, (size_t)m->na);
  hash = hash_numbers(hash, d->efc_force, (size_t)d->nefc);
  return hash_numbers(hash, d->sensordata, (size_t)m->nsensordata);
}

typedef struct Run_ {
  const mjModel* m;
  mjData* d;
  int steps;
  uint64_t hash, seed;
} Run;

static void draw_controls(mjtNum* ctrl, size_t n, uint64_t* seed) {
  for (size_t k = 0; k < n; k++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    ctrl[k] = (mjtNum)((double)(*seed >> 11) / 9007199254740992.0 - 0.5);
  }
}

static void run_steps(void* argument) {
  Run* r = argument;
  for (int i = 0; i < r->steps; i++) {
    draw_controls(r->d->ctrl, (size_t)r->m->nu, &r->seed);
    mj_step(r->m, r->d);
    r->hash = hash_state(r->hash, r->m, r->d);
  }
}

static void run_derivative(void* argument) {
  Run* r = argument;
  size_t n = 2 * (size_t)r->m->nv + (size_t)r->m->na;
  mjtNum* A = malloc(n * n * sizeof(mjtNum) + 1);
  cnd_transitionExact(r->m, r->d, A, NULL, NULL, NULL);
  r->hash = hash_numbers(r->hash, A, n * n);
  free(A);
}

#ifndef NO_BATCH
// Worlds differ by their first controls, and by the masses of their bodies.
static void run_batch(void* argument) {
  Run* r = argument;
  size_t nu = (size_t)r->m->nu, nq = (size_t)r->m->nq;
  cndArray mass, qpos;
  cndBatch* batch = cnd_makeBatch(r->m, NWORLD, 1);
  cnd_batchLanes(batch, cndLANES_OFF);
  cnd_batchVary(&mass, batch, "body_mass");
  cnd_batchExpose(&qpos, batch, "qpos");
  for (size_t k = 0; k < NWORLD * mass.rows * mass.columns; k++) {
    ((mjtNum*)mass.data)[k] *= (mjtNum)(1 + 0.01 * (double)(k % 7));
  }
  mjtNum* ctrl = malloc(NWORLD * nu * sizeof(mjtNum) + 1);
  draw_controls(ctrl, NWORLD * nu, &r->seed);
  cnd_batchSetConst(batch, NULL);
  cnd_batchStep(batch, NULL, ctrl, r->steps / 4);
  r->hash = hash_numbers(r->hash, qpos.data, NWORLD * nq);
  free(ctrl);
  cnd_deleteBatch(batch);
}
#endif

// The hash of a part, or why it can't be had.
static void print_part(Run r, void (*part)(void* run)) {
  char error[1000];
  r.hash = 14695981039346656037u;
  r.seed = 1;
  if (cnd_try(part, &r, error, sizeof(error))) {
    printf(" -");
    fprintf(stderr, "%s\n", error);
  } else {
    printf(" %016llx", (unsigned long long)r.hash);
  }
}

int main(int argc, char** argv) {
  for (int i = 2; i < argc; i++) {
    mjModel* m = mj_loadModel(argv[i], NULL);
    mjData* d = m ? mj_makeData(m) : NULL;
    if (!d) {
      return 1;
    }
    Run run = {m, d, atoi(argv[1]), 0, 0};
    const char* name = strrchr(argv[i], '/');
    printf("%s", name ? name + 1 : argv[i]);
    print_part(run, run_steps);
    print_part(run, run_derivative);
#ifndef NO_BATCH
    print_part(run, run_batch);
#endif
    printf("\n");
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  return argc > 2 ? 0 : 1;
}
