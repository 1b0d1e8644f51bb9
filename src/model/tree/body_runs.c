// body_runs.c: cuts the bodies of a model into runs.

#include "model/tree/body_runs.h"

// The ends of a run of bodies, of which the last is at `body`, from the elements of these bodies.
static void end_run(AwakeRun* run, const mjModel* m, int body) {
  for (int b = run->body; b < body; b++) {
    run->joint_end += m->body_jntnum[b];
    run->dof_end += m->body_dofnum[b];
    run->geom_end += m->body_geomnum[b];
  }
  while (run->site_end < m->nsite && m->site_bodyid[run->site_end] < body) {
    run->site_end++;
  }
  run->body_end = body;
}

// The empty run that begins behind another one.
static AwakeRun next_run(const AwakeRun* run) {
  return (AwakeRun){run->body_end, run->body_end, run->joint_end, run->joint_end, run->dof_end,
                    run->dof_end,  run->geom_end, run->geom_end,  run->site_end,  run->site_end};
}

static int sites_are_sorted(const mjModel* m) {
  for (int i = 1; i < m->nsite; i++) {
    if (m->site_bodyid[i] < m->site_bodyid[i - 1]) {
      return 0;
    }
  }
  return 1;
}

int body_runs(AwakeRun* runs, const mjModel* m, LeftOut is_left_out, const void* context) {
  AwakeRun run = {0};
  int n = 0, out = 0;
  for (int b = 0; b < m->nbody;) {
    int end = b + 1;
    out = is_left_out(context, b);
    while (end < m->nbody && is_left_out(context, end) == out) {
      end++;
    }
    end_run(&run, m, end);
    if (!out) {
      runs[n++] = run;
    }
    run = next_run(&run);
    b = end;
  }
  if (out) {
    runs[n++] = run;
  }
  if (!sites_are_sorted(m)) {
    for (int i = 0; i < n; i++) {
      runs[i].site = runs[i].site_end = i ? m->nsite : 0;
    }
    runs[0].site_end = m->nsite;
  }
  return n;
}
