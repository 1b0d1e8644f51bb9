// body_runs.h: ranges of consecutive bodies with all that belongs to them.
//
// Stages walk over runs of bodies rather than over lists of them, so that their loops are those of
// a whole model.

#pragma once

#include <mujoco/mjdata.h>

// Ranges [begin, end) of consecutive elements.
typedef struct AwakeRun_ {
  int body, body_end;
  int joint, joint_end;
  int dof, dof_end;
  int geom, geom_end;
  int site, site_end;
} AwakeRun;

_Static_assert(sizeof(AwakeRun) == CND_NRUN * sizeof(int), "a run is a row of the table");

// Whether a body is in no run.
typedef int (*LeftOut)(const void* context, int body);

// Writes the runs of the bodies that are not left out, and returns their number: at least one, at
// most nbody. Runs and gaps alternate, beginning with the run of the world; behind a last gap there
// is an empty run. If sites are not in the order of their bodies, all are in the first run.
int body_runs(AwakeRun* runs, const mjModel* m, LeftOut is_left_out, const void* context);
