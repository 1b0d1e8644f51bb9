// Time of a step of things that rest, awake and asleep; compiled once against Condyle and once
// against the newest reference.
//
//   sleep MODEL
//
// Steps until nothing falls asleep any more, then times steps; then without the flag. Prints one
// line of JSON: trees, how many of them sleep, and the nanoseconds per step of both.

#include "../common.h"

enum {
  PARTS = 10,
  MOST = 3000  // steps until all sleep that will
};

static int asleep(const mjModel* m, const mjData* d) {
  int count = 0;
  for (int t = 0; t < m->ntree; t++) {
    count += d->tree_asleep[t] >= 0;
  }
  return count;
}

// The fastest of some blocks of steps, per step.
static double time_steps(const mjModel* m, mjData* d, int steps) {
  double best = 1e30;
  for (int i = 0; i < PARTS; i++) {
    double begin = now();
    for (int k = 0; k < steps; k++) {
      mj_step(m, d);
    }
    double each = (now() - begin) / steps;
    best = each < best ? each : best;
  }
  return best * 1e9;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: sleep MODEL\n");
    return 2;
  }
  mjData* d;
  mjModel* m = load(&d, argv[1]);
  int still = 0, before = 0;
  for (int i = 0; i < MOST && still < 200; i++) {
    mj_step(m, d);
    int count = asleep(m, d);
    still = count && count == before ? still + 1 : 0;
    before = count;
  }
  int count = asleep(m, d);
  double sleeping = time_steps(m, d, 100);
  m->opt.enableflags = 0;
  double awake = time_steps(m, d, m->ntree > 100 ? 2 : 100);
  printf("{\"trees\": %d, \"asleep\": %d, \"ns_asleep\": %.1f, \"ns_awake\": %.1f}\n", m->ntree,
         count, sleeping, awake);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
