// stages.c: times the stages of a step one by one, each alone on the same state; compiled once
// against Condyle and once against the reference.
//
//   stages MODEL [STAGE]
//
// Prints one line of JSON: nanoseconds per call of each stage, or of the one named, in the fastest
// of many short batches.

#include <string.h>

#include "common.h"

enum {
  BATCHES = 1000  // fewer if they take more than a second
};

static void bias(const mjModel* m, mjData* d) {
  mj_rne(m, d, 0, d->qfrc_bias);
}

static void solve(const mjModel* m, mjData* d) {
  mj_solveM(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
}

// room for so many numbers, overwritten by the next call
static mjtNum* room(size_t numbers) {
  static mjtNum* all;
  static size_t size;
  if (size < numbers) {
    all = realloc(all, (size = numbers) * sizeof(mjtNum));
  }
  return all;
}

static void transitionFD(const mjModel* m, mjData* d) {
  size_t nx = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  mjtNum *A = room((nx + ns) * (nx + nu)), *B = A + nx * nx, *C = B + nx * nu, *D = C + ns * nx;
  mjd_transitionFD(m, d, (mjtNum)1e-6, 0, A, B, C, D);
}

static void inverseFD(const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv;
  mjtNum *DfDq = room(3 * nv * nv), *DfDv = DfDq + nv * nv, *DfDa = DfDv + nv * nv;
  mjd_inverseFD(m, d, (mjtNum)1e-6, 1, DfDq, DfDv, DfDa, NULL, NULL, NULL, NULL);
}

static const struct {
  const char* name;
  void (*run)(const mjModel*, mjData*);
} stages[] = {
    {"kinematics", mj_kinematics},
    {"comPos", mj_comPos},
    {"tendon", mj_tendon},
    {"collision", mj_collision},
    {"makeM", mj_makeM},
    {"factorM", mj_factorM},
    {"transmission", mj_transmission},
    {"comVel", mj_comVel},
    {"passive", mj_passive},
    {"rne", bias},
    {"fwdVelocity", mj_fwdVelocity},
    {"fwdActuation", mj_fwdActuation},
    {"solveM", solve},
    {"fwdAcceleration", mj_fwdAcceleration},
    {"subtreeVel", mj_subtreeVel},
    {"rnePostConstraint", mj_rnePostConstraint},
    {"energyPos", mj_energyPos},
    {"energyVel", mj_energyVel},
    {"transitionFD", transitionFD},
    {"inverseFD", inverseFD},
};

// calls that take about 20 microseconds, so that few batches are interrupted
static int batch_size(const mjModel* m, mjData* d, void (*run)(const mjModel*, mjData*)) {
  double start = now();
  int n = 0;
  while (now() - start < 2e-5) {
    run(m, d);
    n++;
  }
  return n;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: stages MODEL [STAGE]\n");
    return 2;
  }
  mjData* d;
  mjModel* m = load(&d, argv[1]);
  settle(m, d);
  mj_forward(m, d);

  printf("{\"nv\": %d", (int)m->nv);
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
    if (argc > 2 && strcmp(argv[2], stages[i].name)) {
      continue;
    }
    int n = batch_size(m, d, stages[i].run);
    double best = 1, begin = now();
    for (int b = 0; b < BATCHES && now() - begin < 1; b++) {
      double start = now();
      for (int k = 0; k < n; k++) {
        stages[i].run(m, d);
      }
      double elapsed = (now() - start) / n;
      best = elapsed < best ? elapsed : best;
    }
    printf(", \"%s\": %.1f", stages[i].name, 1e9 * best);
  }
  printf("}\n");
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
