// wide.c: one engine's time on one model; compiled once against each engine's header and library.
//
//   wide states MODEL FILE                  writes the states that steps are timed from
//   wide step MODEL FILE STEPS REPEATS      times STEPS steps from each of them
//   wide load MODEL                         times loading, first and again
//
// States: up to two keyframes (of a model without any, the reset) and three of a run from there
// under an agent's controls. One engine writes them and all start there, so each does the
// same work. Prints one line of JSON.

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../common.h"

enum {
  MAX_KEYS = 2,
  SETTLED = 3,
  SETTLE_STEPS = 400
};

static int fail(const char* what) {
  fprintf(stderr, "%s\n", what);
  return 1;
}

// xorshift64: uniform in (-1, 1)
static double random_unit(uint64_t* seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

// Controls as of an agent that explores: noise smoothed over some ten steps, within each range.
static void explore(const mjModel* m, mjData* d, double* noise, uint64_t* seed) {
  for (int i = 0; i < m->nu; i++) {
    noise[i] = 0.9 * noise[i] + 0.4 * random_unit(seed);
    double u = fmin(fmax(noise[i], -1), 1);
    const mjtNum* range = m->actuator_ctrlrange + 2 * i;
    double low = (double)range[0], high = (double)range[1];
    d->ctrl[i] =
        (mjtNum)(m->actuator_ctrllimited[i] ? (low + high) / 2 + u * (high - low) / 2 : 0.3 * u);
  }
}

// Every part of a state read from or written to a file.
static int transfer(const mjModel* m, mjData* d, FILE* file, int writes) {
  struct {
    mjtNum* data;
    size_t count;
  } parts[] = {
      {d->qpos, (size_t)m->nq},           {d->qvel, (size_t)m->nv}, {d->act, (size_t)m->na},
      {d->qacc_warmstart, (size_t)m->nv}, {d->ctrl, (size_t)m->nu},
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    size_t done = writes ? fwrite(parts[i].data, sizeof(mjtNum), parts[i].count, file)
                         : fread(parts[i].data, sizeof(mjtNum), parts[i].count, file);
    if (done != parts[i].count) {
      return 0;
    }
  }
  return 1;
}

// Seconds of this thread: what others do on the machine counts little.
static double spent(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int warnings_of(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number + d->warning[mjWARN_BADQVEL].number +
         d->warning[mjWARN_BADQACC].number;
}

static int write_states(const mjModel* m, mjData* d, const char* path, double* noise) {
  FILE* file = fopen(path, "wb");
  if (!file) {
    return fail("can't write the states");
  }
  int keys = m->nkey < MAX_KEYS ? (int)m->nkey : MAX_KEYS;
  int ok = 1, count = 0;
  for (int i = keys - 1; i >= 0; i--, count++) {
    mj_resetDataKeyframe(m, d, i);
    ok = ok && transfer(m, d, file, 1);
  }
  if (!keys) {
    ok = transfer(m, d, file, 1);
    count = 1;
  }
  uint64_t seed = 88172645463325252u;
  for (int i = 0; i < SETTLED; i++, count++) {
    for (int step = 0; step < SETTLE_STEPS; step++) {
      explore(m, d, noise, &seed);
      mj_step(m, d);
    }
    ok = ok && transfer(m, d, file, 1);
  }
  printf("{\"states\": %d, \"warnings\": %d}\n", count, warnings_of(d));
  return fclose(file) || !ok ? fail("can't write the states") : 0;
}

static int time_steps(const mjModel* m, mjData* d, const char* path, int steps, int repeats,
                      double* noise) {
  FILE* file = fopen(path, "rb");
  if (!file) {
    return fail("can't read the states");
  }
  fseek(file, 0, SEEK_END);
  long end = ftell(file);
  rewind(file);
  double contacts = 0, rows = 0;
  int count = 0, warnings = 0;
  printf("{\"ns\": [");
  while (ftell(file) < end) {
    long place = ftell(file);
    double best = 1e30;
    for (int repeat = 0; repeat < repeats; repeat++) {
      fseek(file, place, SEEK_SET);
      mj_resetData(m, d);
      if (!transfer(m, d, file, 0)) {
        return fail("the states are of another model");
      }
      memset(noise, 0, (size_t)(m->nu + 1) * sizeof *noise);
      uint64_t seed = 88172645463325252u + (uint64_t)count;
      double start = spent();
      for (int i = 0; i < steps; i++) {
        explore(m, d, noise, &seed);
        mj_step(m, d);
        contacts += d->ncon;
        rows += d->nefc;
      }
      best = fmin(best, (spent() - start) / steps);
      warnings += warnings_of(d);
    }
    printf("%s%.1f", count ? ", " : "", best * 1e9);
    count++;
  }
  double all = (double)count * steps * repeats;
  printf(
      "], \"steps\": %d, \"contacts\": %.2f, \"rows\": %.2f, \"nv\": %d, \"nmesh\": %d, "
      "\"solver\": %d, \"noslip\": %d, \"cone\": %d, \"warnings\": %d}\n",
      count * steps, contacts / all, rows / all, (int)m->nv, (int)m->nmesh, (int)m->opt.solver,
      (int)m->opt.noslip_iterations, (int)m->opt.cone, warnings);
  fclose(file);
  return 0;
}

static mjModel* timed_load(const char* path, double* ms) {
  char error[1000] = "";
  double start = now();
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  *ms = (now() - start) * 1e3;
  if (!m) {
    fprintf(stderr, "%s\n", error);
  }
  return m;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    return fail(
        "usage: wide states MODEL FILE | wide step MODEL FILE STEPS REPEATS | wide load MODEL");
  }
  double first = 0, again = 0;
  mjModel* m = timed_load(argv[2], &first);
  if (!m) {
    return 1;
  }
  int status = 1;
  if (!strcmp(argv[1], "load")) {
    mj_deleteModel(m);
    m = timed_load(argv[2], &again);
    printf("{\"cold\": %.3f, \"warm\": %.3f}\n", first, again);
    status = !m;
  } else {
    mjData* d = mj_makeData(m);
    double* noise = calloc((size_t)m->nu + 1, sizeof *noise);
    if (!d || !noise) {
      return fail("out of memory");
    }
    if (argc > 3 && !strcmp(argv[1], "states")) {
      status = write_states(m, d, argv[3], noise);
    } else if (argc > 5 && !strcmp(argv[1], "step")) {
      status = time_steps(m, d, argv[3], atoi(argv[4]), atoi(argv[5]), noise);
    }
    free(noise);
    mj_deleteData(d);
  }
  mj_deleteModel(m);
  return status;
}
