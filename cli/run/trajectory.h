// trajectory.h: the states of a run as a table, FILE.csv.

#pragma once

#include <mujoco/mujoco.h>
#include <stdio.h>

// The parts of the state at the beginning of a row.
enum {
  TRAJECTORY_STATE = mjSTATE_TIME | mjSTATE_QPOS | mjSTATE_QVEL
};

// These return 0, with errno set, if it can't be written.
int trajectory_head(FILE* file, const mjModel* m);

// state: time, qpos and qvel at the moment that d->energy belongs to
int trajectory_row(FILE* file, const mjModel* m, const mjData* d, const mjtNum* state);
