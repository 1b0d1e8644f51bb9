// stepper.c: times one engine on one model; compiled once against Condyle and once against the
// reference.
//
//   stepper MODEL STEPS [REPEATS]
//
// Each repeat starts from the reference configuration with the same random controls, so every
// engine does the same work. Prints one line of JSON: nanoseconds per step (the fastest repeat),
// load time and what was simulated.

#include <stdint.h>

#include "common.h"

// xorshift64: uniform in (-1, 1)
static double random_unit(uint64_t* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: stepper MODEL STEPS [REPEATS]\n");
    return 2;
  }
  int steps = atoi(argv[2]), repeats = argc > 3 ? atoi(argv[3]) : 3;

  char error[1000] = "";
  double start = now();
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof error);
  double loading = now() - start;
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* d = mj_makeData(m);
  if (!d) {
    return 1;
  }

  double best = 1e30, contacts = 0, rows = 0;
  for (int repeat = 0; repeat < repeats; repeat++) {
    uint64_t noise = 88172645463325252u;
    contacts = rows = 0;
    mj_resetData(m, d);
    start = now();
    for (int i = 0; i < steps; i++) {
      for (int k = 0; k < m->nu; k++) {
        d->ctrl[k] = (mjtNum)(0.1 * random_unit(&noise));
      }
      mj_step(m, d);
      contacts += d->ncon;
      rows += d->nefc;
    }
    double elapsed = (now() - start) / steps;
    best = elapsed < best ? elapsed : best;
  }
  int warnings = 0;
  for (int i = 0; i < mjNWARNING; i++) {
    warnings += d->warning[i].number;
  }
  printf(
      "{\"ns\": %.1f, \"load_ms\": %.3f, \"contacts\": %.2f, \"rows\": %.2f, \"nv\": %d, "
      "\"warnings\": %d}\n",
      best * 1e9, loading * 1e3, contacts / steps, rows / steps, (int)m->nv, warnings);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
