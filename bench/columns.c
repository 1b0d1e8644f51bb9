// Time to fill K = h J M^-1 J' of hard contacts, by the sparse factor and by articulated bodies:
// the measurement behind the choice in src/constraint/hard/columns.c. Needs the internals, so it is
// linked with the static library.
//
//   columns MODEL.xml ...
//
// Each model falls for a while and is measured at the state with most rows. Prints dofs, the
// longest path, rows, microseconds of both ways (the least of several), what their operations are
// estimated at, and which one the rule takes.

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "constraint/hard/columns.h"
#include "constraint/hard/hard.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static double least_time(void (*fill)(HardMatrix*, const HardSystem*), HardMatrix* K,
                         const HardSystem* s) {
  double least = 1e300, end = now() + 1e5;
  for (int run = 0; run < 5 || now() < end; run++) {
    double start = now();
    fill(K, s);
    double time = now() - start;
    least = time < least ? time : least;
  }
  return least;
}

static void measure(const char* path) {
  char error[1000] = "";
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  if (!m) {
    fprintf(stderr, "columns: %s\n", error);
    return;
  }
  m->cnd_contact.mode = cndCONTACT_HARD;
  mjData* d = mj_makeData(m);
  mjData* most = mj_makeData(m);
  for (double end = d->time + 2; d->time < end;) {
    mj_step(m, d);
    if (d->nefc > most->nefc) {
      mj_copyData(most, m, d);
    }
  }
  int depth = 0;
  for (int i = 0; i < m->nv; i++) {
    depth = m->M_rownnz[i] > depth ? m->M_rownnz[i] : depth;
  }
  HardSystem s;
  HardMatrix K;
  mj_forward(m, most);
  hard_system(&s, m, most);
  matrix_pattern(&K, &s);
  double factor = least_time(matrix_columns_ldl, &K, &s);
  const char* name = strrchr(path, '/');
  printf("%-28s %6d %6d %6d %10.1f", name ? name + 1 : path, m->nv, depth, s.nrow, factor);
  if (columns_aba_applies(&s)) {
    ColumnsCost cost = columns_cost(&K, &s);
    double aba = least_time(columns_aba, &K, &s);
    printf(" %10.1f %8.2f %8.2f  %s", aba, factor / aba, cost.factor / cost.aba,
           cost.aba < cost.factor ? "ABA" : "factor");
  }
  printf("\n");
  mj_deleteData(d);
  mj_deleteData(most);
  mj_deleteModel(m);
}

int main(int argc, char** argv) {
  printf("%-28s %6s %6s %6s %10s %10s %8s %8s  %s\n", "model", "dofs", "depth", "rows", "factor us",
         "ABA us", "ratio", "expected", "taken");
  for (int i = 1; i < argc; i++) {
    measure(argv[i]);
  }
  return 0;
}
