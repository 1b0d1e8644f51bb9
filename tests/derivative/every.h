// every.h: tests of derivatives in all models there are.
//
// Alone a test takes one state of each kind of small models. CONDYLE_STATES=20 takes so many of
// each kind, of all models here and below the folders in CONDYLE_MODELS (separated by colons), and
// tells what it found in each; CONDYLE_MODEL=text only models with that in their path;
// CONDYLE_INTEGRATOR=4 leaves out integrators of smaller numbers;
// CONDYLE_COLUMNS=6 only so many inputs of each state, drawn at random, for models with many dofs.

#pragma once

#include <dirent.h>

#include "derivative/steps.h"

enum {
  MOST_MODELS = 1000,
  MOST_COLUMNS = 48
};

// At most so many columns of the derivative at a state are compared.
static inline int columns_asked(void) {
  return (int)test_setting("CONDYLE_COLUMNS", MOST_COLUMNS);
}

// states

static mjtNum random_in(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (mjtNum)(*seed >> 8) / (1 << 23) - 1;
}

// Free bodies go apart and up by so much.
static void lift(const mjModel* m, mjData* d, unsigned* seed, mjtNum by) {
  for (int j = 0; j < m->njnt; j++) {
    mjtNum* at = d->qpos + m->jnt_qposadr[j];
    if (m->jnt_type[j] == mjJNT_FREE) {
      at[0] += by * random_in(seed);
      at[1] += by * random_in(seed);
      at[2] += by * (1 + random_in(seed) / 2);
    }
  }
}

static int is_finite(const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (mju_isBad(x[i])) {
      return 0;
    }
  }
  return 1;
}

// Is the state after a step one that another step goes on from?
static int steps_stay(Steps* s) {
  const mjModel* m = s->m;
  mj_getState(m, s->d, s->start, STEPS_SPEC);
  steps_evaluate(s->y[0], s, m->nv, 0);
  return is_finite(s->y[0], m->nq + m->nv + m->na);
}

// A state in contact, or out of it: scattered, or where some steps lead from there. Returns whether
// one was found.
static int find_state(Steps* s, unsigned* seed, int in_contact) {
  static const mjtNum kSizes[] = {(mjtNum)0.02, (mjtNum)0.1, (mjtNum)0.3};
  const mjModel* m = s->m;
  mjData* d = s->d;
  for (int attempt = 0; attempt < 12; attempt++) {
    mj_resetData(m, d);
    if (m->nkey && attempt % 2) {
      mj_resetDataKeyframe(m, d, attempt / 2 % m->nkey);
    }
    steps_scatter(s, seed, kSizes[attempt % 3]);
    if (!in_contact && attempt > 2) {
      lift(m, d, seed, attempt);
    }
    int steps = in_contact ? 10 << attempt / 2 : 0;
    for (int i = 0; i < steps; i++) {
      mj_step(m, d);
    }
    mj_forward(m, d);
    // next states beyond what mj_step goes on from are none
    if ((d->ncon > 0) == in_contact && is_finite(d->qacc, m->nv) && steps_stay(s)) {
      return 1;
    }
  }
  return 0;
}

// The same, by steps as good as usual; what never comes apart is out of contact with its contacts
// off, until the next call.
static int find_any_state(mjModel* m, Steps* s, unsigned* seed, int in_contact, int flags) {
  mjtNum tolerance = m->opt.tolerance;
  m->opt.disableflags = flags;
  m->opt.tolerance = (mjtNum)1e-8;
  int found = find_state(s, seed, in_contact);
  if (!found && !in_contact) {
    m->opt.disableflags = flags | mjDSBL_CONTACT;
    found = find_state(s, seed, 0);
  }
  m->opt.tolerance = tolerance;
  return found;
}

// models

typedef struct {
  char* path[MOST_MODELS];
  int n;
} Models;

static int by_name(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

// Adds the models of a folder and of those in it.
static void collect(Models* all, const char* folder) {
  char* open[MOST_MODELS];
  int n = 0;
  open[n++] = strdup(folder);
  while (n > 0) {
    char* path = open[--n];
    DIR* dir = opendir(path);
    if (!dir && strlen(path) > 4 && !strcmp(path + strlen(path) - 4, ".xml") &&
        all->n < MOST_MODELS) {
      all->path[all->n++] = strdup(path);
    }
    for (struct dirent* e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
      char inner[2000];
      snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
      if (e->d_name[0] != '.' && n < MOST_MODELS) {
        open[n++] = strdup(inner);
      }
    }
    if (dir) {
      closedir(dir);
    }
    free(path);
  }
}

// Solutions are found to the last digit, by a solver that can; there is room for the matrices.
static void set_precise(mjModel* m) {
  m->narena += 40 * (mjtSize)m->nv * (2 * m->nv + m->na + m->nu) * (mjtSize)sizeof(mjtNum);
  m->opt.tolerance = 0;
  m->opt.iterations = m->nv < 100 ? 200 : 40;
  m->opt.ls_iterations = 100;
  m->opt.solver = mjSOL_NEWTON;
  m->opt.ccd_tolerance = (mjtNum)1e-12;
  m->opt.ccd_iterations = 200;
}

// Loads a model that can be differentiated, and calls check with it; returns what that does.
typedef int CheckModel(mjModel* m, const char* path, int states, int is_told);

static int check_file(const char* path, CheckModel* check, int states, int is_told) {
  char error[1000];
  int result = 0;
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  if (m && m->nv) {
    set_precise(m);
    result = check(m, path, states, is_told);
  } else if (is_told) {
    printf("%-60s %s\n", path, m ? "nothing moves" : error);
  }
  mj_deleteModel(m);
  return result;
}

// Sum of what check returns, of the few models with one state, or of those that the environment
// asks for.
static int every_model(const char* const* few, CheckModel* check) {
  char path[2000];
  int sum = 0, states = (int)test_setting("CONDYLE_STATES", 0);
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  for (; !states && *few; few++) {
    snprintf(path, sizeof path, "%s/%s", CONDYLE_SOURCE_DIR, *few);
    sum += check_file(path, check, 1, 0);
  }
  Models all = {.n = 0};
  const char *extra = getenv("CONDYLE_MODELS"), *only = getenv("CONDYLE_MODEL");
  snprintf(path, sizeof path, "%s/models:%s/tests/models%s%s", CONDYLE_SOURCE_DIR,
           CONDYLE_SOURCE_DIR, extra ? ":" : "", extra ? extra : "");
  for (char* part = states ? strtok(path, ":") : NULL; part; part = strtok(NULL, ":")) {
    collect(&all, part);
  }
  qsort(all.path, (size_t)all.n, sizeof(char*), by_name);
  for (int i = 0; i < all.n; i++) {
    if (!only || strstr(all.path[i], only)) {
      sum += check_file(all.path[i], check, states, 1);
    }
    free(all.path[i]);
  }
  mju_user_warning = before;
  return sum;
}
