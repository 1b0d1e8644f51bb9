// A step: checks, stages, integration.                 theory/time/integration.md, Stages of a step

#include "step/step.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/sensor.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>

#include "model/checks/pair.h"
#include "model/data/awake.h"
#include "model/timer.h"
#include "step/check.h"
#include "step/discrete.h"
#include "step/euler.h"
#include "step/forward.h"
#include "step/implicit.h"
#include "step/integrate.h"
#include "step/sleep.h"

// Runs the integrator. Euler's matrix depends on position only, those of the implicit integrators
// also on velocity.
void integrate(const mjModel* m, mjData* d, int integrator, int skipstage) {
  if (integrator == mjINT_DISCRETE) {
    discrete_integrate(m, d);
  } else if (integrator == mjINT_IMPLICIT || integrator == mjINT_IMPLICITFAST) {
    implicit_integrate(m, d, skipstage >= mjSTAGE_VEL);
  } else if (integrator == mjINT_EULER) {
    euler_integrate(m, d, skipstage >= mjSTAGE_POS);
  } else if (integrator == mjINT_RK4) {
    mj_RungeKutta(m, d, 4);
  } else {
    mju_error("mj_step: invalid integrator");
  }
}

// Are numbers of all dofs fine? Those of what sleeps are zero, or wake it.
static int dofs_are_good(const mjData* d, const mjtNum* x) {
  for (int i = 0; i < d->cnd_nrun; i++) {
    const AwakeRun* run = awake_run(d, i);
    if (!check_good(x + run->dof, run->dof_end - run->dof)) {
      return 0;
    }
  }
  return 1;
}

// Checks positions and velocities.
static void begin_step(const mjModel* m, mjData* d) {
  if (!check_good(d->qpos, m->nq)) {
    mj_checkPos(m, d);
  }
  if (!dofs_are_good(d, d->qvel)) {
    mj_checkVel(m, d);
  }
}

// Checks the acceleration and moves the state.
static void end_step(const mjModel* m, mjData* d, int integrator) {
  if (!dofs_are_good(d, d->qacc)) {
    mj_checkAcc(m, d);
  }
  if (m->opt.enableflags & mjENBL_FWDINV) {
    mj_compareFwdInv(m, d);
  }
  sleep_settle(m, d);
  integrate(m, d, integrator, mjSTAGE_NONE);
}

// A step of which the stages up to skipstage are done.
static void step_from(const mjModel* m, mjData* d, int skipstage) {
  d->cnd_stage =
      m->opt.integrator == mjINT_RK4 && !has_sensors(m) && !m->nhistory ? FIRST_STAGE : 0;
  forward_dynamics(m, d, skipstage, 0);
  end_step(m, d, m->opt.integrator);
}

void mj_step(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mjtNum start = timer_start();
  begin_step(m, d);
  step_from(m, d, mjSTAGE_NONE);
  timer_stop(d, mjTIMER_STEP, start);
}

int step_can_continue(const mjModel* m, const mjData* d) {
  // applied forces, which positions don't depend on, wake trees in the stage of positions
  return !(m->opt.enableflags & mjENBL_SLEEP) && !m->nplugin && !mjcb_control && !mjcb_passive &&
         !mjcb_contactfilter && !mjcb_sensor && !mjcb_act_dyn && !mjcb_act_gain && !mjcb_act_bias &&
         check_good(d->qpos, m->nq) && check_good(d->qvel, m->nv);
}

void step_continue(const mjModel* m, mjData* d) {
  mjtNum start = timer_start();
  step_from(m, d, mjSTAGE_VEL);
  timer_stop(d, mjTIMER_STEP, start);
}

// First half of a step. The control callback runs whatever the flags, so that a program may also
// set controls between the halves.
void mj_step1(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mjtNum start = timer_start();
  begin_step(m, d);
  d->cnd_stage = 0;
  evaluate_state(m, d, mjSTAGE_NONE, 0);
  if (mjcb_control) {
    mjcb_control(m, d);
  }
  timer_stop(d, mjTIMER_STEP, start);
}

// Second half of a step. Runge-Kutta needs several evaluations and can't be split, so Euler
// replaces it.
void mj_step2(const mjModel* m, mjData* d) {
  check_pair(m, d);
  int integrator = m->opt.integrator;
  mjtNum start = timer_start();
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  constraint_stage(m, d);
  mj_sensorAcc(m, d);
  end_step(m, d, integrator == mjINT_RK4 ? mjINT_EULER : integrator);
  timer_add(d, mjTIMER_STEP, start);
}
