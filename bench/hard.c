// hard.c: times the steps of a model, collisions apart, while its controls sway a little.
//
//   hard MODEL STEPS
//
// Prints one line of JSON: microseconds of a step without its collision stage (the fastest of three
// runs), contacts and solver iterations per step.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// of this program alone, so that others on the machine count little
static mjtNum now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (mjtNum)((double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: hard MODEL STEPS\n");
    return 2;
  }
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof error);
  mjData* d = m ? mj_makeData(m) : NULL;
  if (!d) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  int steps = atoi(argv[2]);
  double best = 1e30, contacts = 0, iterations = 0;
  mjcb_time = now;
  for (int run = 0; run < 3; run++) {
    mj_resetData(m, d);
    contacts = iterations = 0;
    for (int i = 0; i < steps; i++) {
      for (int k = 0; k < m->nu; k++) {
        d->ctrl[k] = (mjtNum)(0.02 * sin(0.01 * i + k));
      }
      mj_step(m, d);
      contacts += d->ncon;
      iterations += d->solver_niter[0];
    }
    double time =
        (double)(d->timer[mjTIMER_STEP].duration - d->timer[mjTIMER_POS_COLLISION].duration);
    best = time < best ? time : best;
  }
  printf("{\"us\": %.3f, \"contacts\": %.2f, \"iterations\": %.2f}\n", best / steps,
         contacts / steps, iterations / steps);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
