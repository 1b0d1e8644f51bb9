// trajectory.c: time, positions, velocities and energies, every digit of them.

#include "run/trajectory.h"

int trajectory_head(FILE* file, const mjModel* m) {
  fprintf(file, "time");
  for (int i = 0; i < m->nq; i++) {
    fprintf(file, ",qpos%d", i);
  }
  for (int i = 0; i < m->nv; i++) {
    fprintf(file, ",qvel%d", i);
  }
  fprintf(file, ",potential,kinetic\n");
  return !ferror(file);
}

int trajectory_row(FILE* file, const mjModel* m, const mjData* d, const mjtNum* state) {
  for (int i = 0; i < 1 + m->nq + m->nv; i++) {
    fprintf(file, "%.17g,", (double)state[i]);
  }
  fprintf(file, "%.17g,%.17g\n", (double)d->energy[0], (double)d->energy[1]);
  return !ferror(file);
}
