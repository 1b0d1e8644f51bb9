// main.c: swings up a cart-pole or makes a humanoid stand up, and writes how the cost falls.
//
//   ilqr cart_pole|stand_up [MODEL.xml [exact|forward|centred [SECONDS]]] > costs.csv
//
// Columns: iteration; seconds of processor time; time at which the trajectory begins; its cost;
// regularization; at its beginning the height of tip or head, as a share of what it is to reach,
// and the norm of all velocities; height at its end. Ends by itself, or after SECONDS (60).

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ilqr.h"
#include "tasks.h"

static const struct {
  const char* name;
  const char* model;  // where it is in this repository
  int (*make)(Task*, mjModel*, mjData*, char*, int);
} TASKS[] = {{"cart_pole", "examples/ilqr/cart_pole.xml", task_cartPole},
             {"stand_up", "models/humanoid.xml", task_standUp}};
static const char* const DERIVATIVES[] = {"exact", "forward", "centred"};

static int usage(void) {
  fprintf(stderr, "usage: ilqr cart_pole|stand_up [MODEL.xml [exact|forward|centred [SECONDS]]]\n");
  return 2;
}

// one line of the table, about the present trajectory; leaves its first state in d
static void report(const Ilqr* solver, const Task* task, const mjModel* m, mjData* d, int iteration,
                   double seconds) {
  ilqr_show(solver, d, task->horizon);
  mjtNum end = task_height(task, d);
  ilqr_show(solver, d, 0);
  printf("%d,%.4f,%.2f,%.8g,%.3g,%.4f,%.4f,%.4f\n", iteration, seconds, d->time, ilqr_cost(solver),
         ilqr_regularization(solver), task_height(task, d), mju_norm(d->qvel, m->nv), end);
}

static int optimize(const mjModel* m, mjData* d, const Task* task, Derivatives derivatives,
                    double limit, char* error, int error_size) {
  Ilqr* solver = ilqr_make(m, d, task, error, error_size);
  if (!solver) {
    return 0;
  }
  clock_t begin = clock();
  double seconds = 0;
  int iteration = 0;
  printf("iteration,seconds,time,cost,regularization,begin_height,begin_speed,end_height\n");
  report(solver, task, m, d, 0, 0);
  for (int window = 0; window < task->windows && seconds < limit; window++) {
    if (window) {
      ilqr_advance(solver, task->stride);
    }
    IlqrStatus status = ILQR_IMPROVED;
    for (int i = 0; i < task->iterations && seconds < limit && status < ILQR_CONVERGED; i++) {
      status = ilqr_iterate(solver, derivatives);
      seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
      report(solver, task, m, d, ++iteration, seconds);
    }
  }
  ilqr_free(solver);
  return 1;
}

int main(int argc, char** argv) {
  if (argc < 2 || argc > 5) {
    return usage();
  }
  int which = -1, derivatives = argc > 3 ? -1 : 0;
  for (int i = 0; i < 2; i++) {
    which = strcmp(argv[1], TASKS[i].name) ? which : i;
  }
  for (int i = 0; argc > 3 && i < 3; i++) {
    derivatives = strcmp(argv[3], DERIVATIVES[i]) ? derivatives : i;
  }
  double limit = argc > 4 ? atof(argv[4]) : 60;
  if (which < 0 || derivatives < 0 || !(limit > 0)) {
    return usage();
  }

  const char* file = argc > 2 ? argv[2] : TASKS[which].model;
  char error[1000] = "no memory";
  mjModel* m = mj_loadXML(file, NULL, error, sizeof error);
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* d = mj_makeData(m);
  Task task;
  int done = d && TASKS[which].make(&task, m, d, error, sizeof error);
  if (done) {
    // a trajectory that blows up must stay so, to be rejected
    m->opt.disableflags |= mjDSBL_AUTORESET;
    done = optimize(m, d, &task, (Derivatives)derivatives, limit, error, sizeof error);
  }
  if (!done) {
    fprintf(stderr, "%s: %s\n", file, error);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return done ? 0 : 1;
}
