// Semi-implicit Euler: velocities first, positions with the new velocities. Joint damping acts with
// the velocities at the end of the step, which costs one factorisation and is stable for any
// damping:
//
//   (M + h diag(damping)) a = qfrc_smooth + qfrc_constraint
//
// Without damping a is qacc, the solver's own result.             theory/time/integration.md, Euler

#include "step/euler.h"

#include <mujoco/api/model.h>
#include <mujoco/api/step.h>

#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/options.h"
#include "model/timer.h"
#include "sensor/sensor.h"
#include "smooth/inertia.h"
#include "step/advance.h"

void euler_integrate(const mjModel* m, mjData* d, int keep) {
  mjtNum start = timer_start();
  sensor_store(m, d);
  if (!options_euler_damps(m)) {
    advance(m, d, d->act_dot, d->qacc, NULL, NULL);
  } else {
    size_t top = arena_top(d);
    mjtNum* a = arena_num(d, m->nv);
    mjtNum* path = arena_num(d, m->nv);
    const mjtNum* damping = keep ? NULL : options_euler_damping(path, m, d);
    for (int k = 0; k < d->cnd_nrun; k++) {
      const AwakeRun* run = awake_run(d, k);
      for (int i = run->dof; i < run->dof_end; i++) {
        a[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
      }
    }
    if (keep) {
      inertia_solve_by(a, m, d, d->qH, d->qHDiagInv);
    } else {
      inertia_factor_shifted(a, d->qH, d->qHDiagInv, m, d, d->M, damping, m->opt.timestep);
    }
    advance(m, d, d->act_dot, a, NULL, NULL);
    arena_pop(d, top);
  }
  timer_stop(d, mjTIMER_ADVANCE, start);
}

// v += h (M + h diag(damping))^-1 M a, q += h v
// Also implicit_acceleration in lanes/integrate.h and discrete_matrices in derivative/discrete.c.
void mj_Euler(const mjModel* m, mjData* d) {
  check_pair(m, d);
  euler_integrate(m, d, 0);
}
